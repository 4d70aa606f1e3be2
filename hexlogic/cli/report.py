"""`hexlogic report`: a report from the records of measured suites; `hexlogic compare`: what changed between two."""

import json
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.options import argument, fields, flag, say, value
from hexlogic.laboratory.report.comparison import SuiteComparison, read_side
from hexlogic.laboratory.report.comparison_text import comparison_data, render_comparison
from hexlogic.laboratory.report.quality import doubts


def report(
    folders: Annotated[list[Path], argument("DIR...", "Folders with records, and with proofs.")],
    out: Annotated[Path, options.out("-o", metavar="OUT", help="Folder for the report.")] = Path("report"),
    mix: options.Mix = False,
    show: Annotated[bool, flag("--open", "Open the front page in the browser.")] = False,
    serve: Annotated[bool, flag("--serve", "Serve the report here, and make it again while a suite runs.")] = False,
    port: options.Port = 8000,
    as_json: options.Json = False,
) -> None:
    """Write a report: a front page, a page for each question, and the same as report.md; tables as CSV, figures as SVG.

    `hexlogic bench --out DIR` makes records, `hexlogic prove --all --size 4 --out DIR` adds proofs; the folder of a
    report holds them too, so that `hexlogic report OUT/records` makes it again. Needs the extra `report`. Exit status
    1: the records hold a wrong answer; the report says so. Of sessions of a suite that differ the newest makes the
    pages, and all make the history.

    \b
    hexlogic report results/20190610T120000Z-quick --open
    hexlogic report results/old results/new
    hexlogic report results/* --out report
    hexlogic report results/quick --serve
    """
    from hexlogic.laboratory.report.build import build_report

    if serve:
        from hexlogic.laboratory.report.serving import ReportServer

        with ReportServer(folders, out, port, mix=mix) as server:
            url = f"{server.url}/index.html"
            typer.echo(url)
            if show:
                webbrowser.open(url)
            server.serve_forever()
        return
    written = build_report(folders, out, mix=mix)
    page, text = written.folder / "index.html", written.folder / "report.md"
    if as_json:
        data = {"page": page, "text": text} | fields(written, "pages", "tables", "figures", "alarms")
        typer.echo(json.dumps(data, default=str))
    else:
        typer.echo(page)
        say(f"{text}, {written.pages} pages, {written.tables} tables, {written.figures} figures")
    if show:
        webbrowser.open(page.resolve().as_uri())
    for alarm in written.alarms:
        typer.secho(alarm, fg=typer.colors.RED, bold=True, err=True)
    if written.alarms:
        raise typer.Exit(1)


def compare(
    old: Annotated[Path, argument("OLD", "Folder of records, or of files of pytest-benchmark.")],
    new: Annotated[Path, argument("NEW", "The same, measured later.")],
    threshold: Annotated[float, value("X", "Factor that a change has to exceed, beyond noise.")] = 1.25,
    mix: options.Mix = False,
    as_json: options.Json = False,
) -> None:
    """Compare two measurements of the same cells, before a release for example.

    Times by the interval of their ratio, for each cell and for all cells of an engine and of the suite together, work
    counters exactly, and how each cell ended. Exit status 1: something is slower beyond noise, takes more work, lost
    its answer or is wrong. A file of pytest-benchmark is one process and one repeat: several make a folder.

    \b
    hexlogic bench --out results/old
    hexlogic bench --out results/new
    hexlogic compare results/old results/new
    """
    comparison = SuiteComparison(read_side(old), read_side(new), threshold=threshold, mix=mix)
    for side in (comparison.old, comparison.new):
        for doubt in doubts(side.records) if side.records.processes is None else ():
            say(f"{side.source}: {doubt}")
    typer.echo(json.dumps(comparison_data(comparison), indent=2) if as_json else render_comparison(comparison))
    if comparison.worse:
        raise typer.Exit(1)
