"""`hexlogic report`: a report from the records of measured suites."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["report"]


def report(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders with records, and with proofs.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="Folder for the report.")] = Path("report"),
    mix: Annotated[
        bool, typer.Option("--mix", help="Take sessions of one suite together though host, versions or limits differ.")
    ] = False,
) -> None:
    """Write a report: index.html and report.md, every table as CSV, every figure as SVG.

    Suites become sections. `hexlogic bench --out DIR` makes records, `hexlogic prove --all --size 4 --out DIR` adds
    proofs. Exit status 1: the records hold a wrong answer; the report says so.

    \b
    hexlogic report results/20190610T120000Z-quick --out report
    hexlogic report results/* --out report
    """
    from hexlogic.report.build import build_report

    written = build_report(folders, out, mix=mix)
    typer.echo(f"{written.folder / 'index.html'}")
    typer.echo(f"{written.folder / 'report.md'}, {written.tables} tables, {written.figures} figures", err=True)
    for alarm in written.alarms:
        typer.secho(alarm, fg=typer.colors.RED, bold=True, err=True)
    if written.alarms:
        raise typer.Exit(1)
