"""`hexlogic compare`: what changed between two measurements, beyond noise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from hexlogic.cli.arguments import JsonOption, MixOption


def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="Folder of records, or of files of pytest-benchmark.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The same, measured later.")],
    threshold: Annotated[
        float, typer.Option(metavar="X", help="Factor that a change has to exceed, beyond noise.")
    ] = 1.25,
    mix: MixOption = False,
    as_json: JsonOption = False,
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
    from hexlogic.laboratory.report.comparison import compare as compare_sides
    from hexlogic.laboratory.report.comparison import read_side
    from hexlogic.laboratory.report.comparison_text import comparison_data, render_comparison

    comparison = compare_sides(read_side(old), read_side(new), threshold=threshold, mix=mix)
    for side in (comparison.old, comparison.new):
        for doubt in side.doubts:
            typer.echo(f"{side.source}: {doubt}", err=True)
    typer.echo(json.dumps(comparison_data(comparison), indent=2) if as_json else render_comparison(comparison))
    if comparison.worse:
        raise typer.Exit(1)
