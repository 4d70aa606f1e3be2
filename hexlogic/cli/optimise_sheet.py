"""`hexlogic optimise` for a sheet: the new one, what changed, what playing costs, and whether it is the same game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from hexlogic.cli.arguments import split_commas
from hexlogic.cli.output import fields
from hexlogic.cli.progress import is_quiet
from hexlogic.errors import HexlogicError
from hexlogic.files import write_text

if TYPE_CHECKING:
    from hexlogic.gdl.optimise import OptimisedSheet, Rates

__all__ = ["optimise_sheet_file"]


def optimise_sheet_file(
    file: Path,
    pipeline: str | None,
    output: Path | None,
    reasoner: str,
    measure: str | None,
    seed: int,
    limit_s: float,
    as_json: bool,
) -> None:
    """Print or write the sheet, everything else on stderr. Exit status 1 when it is another game."""
    from hexlogic.gdl import read_sheet
    from hexlogic.gdl.machines import check_reasoner
    from hexlogic.gdl.optimise import optimise_sheet, phases
    from hexlogic.logic.dialects import render
    from hexlogic.passes import Pipeline

    timed = split_commas(measure or reasoner)
    for name in (reasoner, *timed):
        check_reasoner(name)
    sheet = read_sheet(file)
    steps = None if pipeline is None else Pipeline.parse(pipeline)
    try:
        with phases.isolated(limit_s, _note) as run:
            choice = optimise_sheet(sheet, reasoner, steps, seed=seed, limit_s=limit_s, run=run)
            same = phases.compared(run, sheet, choice.sheet, seed, limit_s)
            is_equal = same.difference is None and (same.games > 0 or same.identical)
            names = timed if is_equal and (measure or not same.identical) else []
            measured = [phases.rated(run, sheet, choice.sheet, name, limit_s) for name in names]
    except HexlogicError as error:
        raise error.at(file=str(file)) from None
    infix = (output or file).suffix.lower() == ".hrf"
    text = render(choice.sheet, "hrf" if infix else "gdl")
    if output is not None:
        write_text(output, text)
    if as_json:
        result = {
            "reasoner": reasoner,
            "pipeline": str(choice.pipeline),
            "sheet": text,
            "changes": [{"step": str(c.step), "what": c.what, "reason": c.reason} for c in choice.changes],
            "work": {
                "unit": choice.before.unit,
                "before": choice.before.amount,
                "after": choice.after.amount,
                "estimated": [choice.before.estimated, choice.after.estimated],
            },
            "playouts_per_cpu_s": [fields(rate, "reasoner", "before", "after") for rate in measured],
            "slips": list(map(str, choice.slips)),
            "equal": is_equal,
            **fields(same, "proved", "games", "states", "visited", "facts"),
            "how": str(same),
        }
        typer.echo(json.dumps(result, indent=2))
    else:
        if output is None:
            typer.echo(text, nl=False)
        for line in [*_told(choice, reasoner, pipeline is None), *map(_rate, measured), str(same)]:
            typer.echo(f"; {line}", err=True)
    if not is_equal or choice.slips:
        raise typer.Exit(1)


def _note(what: str) -> None:
    """Say which phase begins, or was stopped."""
    if not is_quiet():
        typer.echo(f"; ... {what}", err=True)


def _told(choice: OptimisedSheet, reasoner: str, chosen: bool) -> list[str]:
    """The changes, and what the reasoner has to do."""
    lines = list(map(str, choice.changes))
    if choice.pipeline.steps:
        lines.append(f"{'chosen' if chosen else 'applied'} for {reasoner}: {choice.pipeline}")
    else:
        lines.append(f"nothing that was tried saves {reasoner} any work: the sheet is left as it is")
    lines += [f"NO VALID SHEET: {finding}" for finding in choice.slips]
    return [*lines, f"{choice.before.unit}: {choice.before} before, {choice.after} after"]


def _rate(rate: Rates) -> str:
    before, after = (
        f"less than one in {rate.limit_s:g} s" if found is None else f"{found:,.0f}" if found >= 10 else f"{found:.2g}"
        for found in (rate.before, rate.after)
    )
    known = rate.ratio is not None
    times = f", {'at least ' if rate.before is None else ''}{rate.ratio:.2f} times" if known else ""
    return f"playouts a CPU second on {rate.reasoner}: {before} before, {after} after{times}"
