"""`hexlogic gdl reformulate`: a sheet of the same game that costs a prover less, found by program."""

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from hexlogic.cli import options
from hexlogic.cli.options import argument, notes, put_text, say, value
from hexlogic.errors import HexlogicError
from hexlogic.ggp import read_sheet
from hexlogic.ggp.machines import REASONERS
from hexlogic.ggp.reformulation.search import SameGame, compared, searched
from hexlogic.language.dialects import render


def reformulate(
    file: Annotated[Path, argument("FILE.kif", "A sheet; FILE.hrf is infix.")],
    time_s: Annotated[float, options.time(min=1.0, help="Seconds to search and to compare, by the clock.")] = 120.0,
    reasoner: Annotated[str, value("NAME", "Whose work is counted.")] = "swipl:sld",
    out: Annotated[Path | None, options.out("-o", metavar="FILE", help="Where to write it. [default: stdout]")] = None,
    as_json: options.Json = False,
) -> None:
    """Find a sheet of the same game that a prover plays more often.

    Views that the end, goals and moves read are fused into recursions, and kept from state to state. What was done,
    and how far the games were shown to be the same, stands in comments. A step after which a difference is found is
    taken back. Ctrl-C ends the search, and what there is is compared; it ends the comparison too. Exit status 0, also
    where nothing cheaper is found; 1 when no step is left and nothing is written; 130 after Ctrl-C.

    \b
    hexlogic gdl reformulate hex.kif -o faster.kif
    hexlogic gdl reformulate hex.kif --time 300 --json
    """
    REASONERS.check(reasoner)
    end_s = time.monotonic() + time_s
    try:
        found, interrupted = searched(read_sheet(file), reasoner, 2 / 3 * time_s, notes(after_s=0.0))
        if not found and interrupted:
            raise typer.Exit(130)
        if not found:
            raise HexlogicError(f"{time_s:g} s are over before the work of the sheet is counted", hint="--time 300")
        given, *steps = found
        same: SameGame | None = None
        while steps and (left_s := end_s - time.monotonic()) > 0:
            same, stopped = compared([step.games for step in (given, *steps)], left_s)
            interrupted = interrupted or stopped
            if stopped or same is None or same.shown or len(steps) == 1:
                break
            say(f"{steps.pop().words}: taken back, {same}")
            same = None
    except HexlogicError as error:
        raise error.at(file=str(file)) from None
    shown = same is not None and same.shown
    infix = (out or file).suffix.lower() == ".hrf"
    text = render(steps[-1].sheet, "hrf" if infix else "gdl") if shown else None
    before, unit = given.work, given.work.unit
    if as_json:
        cheaper = [{"words": step.words, "work": step.work.amount} for step in steps]
        data = {"reasoner": reasoner, "unit": unit, "given": before.amount, "found": cheaper}
        data |= {"shown": shown, "how": None if same is None else str(same), "sheet": text}
        typer.echo(json.dumps(data, indent=2))
        if out is not None and text is not None:
            put_text(text, out)
    else:
        mark = "%" if infix else ";"
        lines = [f"{mark} {unit} on {reasoner}: {before}"]
        lines += [f"{mark} {step.words}: {step.work}" for step in steps]
        ended = "before Ctrl-C" if interrupted else f"in {time_s:g} s"
        shown_so_far = same or f"not compared {ended}"
        lines.append(f"{mark} {shown_so_far if steps else f'nothing cheaper was found {ended}'}")
        put_text("\n".join([*lines, "", text or ""]), out if text else None)
    if interrupted:
        raise typer.Exit(130)
    if steps and not shown:
        raise typer.Exit(1)
