"""Optimise files with sheets: the new one, what changed, what playing costs, and whether it is the same game."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from hexlogic.errors import HexlogicError
from hexlogic.ggp.export.sheet import reasoner_for
from hexlogic.ggp.language.reading import SUFFIXES, read_sheet
from hexlogic.ggp.machines import REASONERS
from hexlogic.ggp.optimise import phases
from hexlogic.ggp.optimise.phases import Rates, optimise_sheet
from hexlogic.language.dialects import render
from hexlogic.language.passes import Pipeline
from hexlogic.language.passes.request import Optimised, Request


def optimise_sheet_file(file: Path, request: Request, tell: Callable[[str], None] = lambda _: None) -> Optimised:
    """Optimise a sheet for whoever plays it. `tell` hears which phase begins, or was stopped."""
    others = ("query", "inputs", "instance", "aim", "constants", "last_step")
    request.refuse(file, "is for programs in the rule language", *others)
    if request.player_kind is not None and request.reasoner is not None:
        raise HexlogicError("--for and --reasoner both say who plays", hint="give one of the two")
    reasoner = request.reasoner or ("swipl" if request.player_kind is None else reasoner_for(request.player_kind))
    timed = [name.strip() for name in (request.measure or reasoner).split(",")]
    for name in (reasoner, *timed):
        REASONERS.check(name)
    sheet, limit_s = read_sheet(file), request.limit
    steps = None if request.pipeline is None else Pipeline.parse(request.pipeline)
    try:
        with phases.isolated(limit_s, tell) as run:
            choice = optimise_sheet(sheet, reasoner, steps, seed=request.seed, limit_s=limit_s, run=run)
            same = phases.compared(run, sheet, choice.sheet, request.seed, limit_s)
            names = timed if same.equal and (request.measure or not same.identical) else []
            measured = [phases.rates(sheet, choice.sheet, name, limit_s, run) for name in names]
    except HexlogicError as error:
        raise error.at(file=str(file)) from None
    text = render(choice.sheet, SUFFIXES.get((request.output or file).suffix.lower(), "gdl"))
    before, after = choice.before, choice.after
    fields = {
        "reasoner": reasoner,
        "pipeline": str(choice.pipeline),
        "sheet": text,
        "changes": [change.fields for change in choice.changes],
        "work": {
            "unit": before.unit,
            "before": before.amount,
            "after": after.amount,
            "estimated": [before.estimated, after.estimated],
        },
        "playouts_per_cpu_s": [
            {key: value for key, value in asdict(rate).items() if key != "limit_s"} for rate in measured
        ],
        "slips": list(map(str, choice.errors)),
        **{name: getattr(same, name) for name in ("equal", "proved", "games", "states", "visited", "facts")},
        "how": str(same),
    }
    what = f"{'chosen' if steps is None else 'applied'} for {reasoner}: {choice.pipeline}"
    if not choice.pipeline.steps:
        what = f"nothing that was tried saves {reasoner} any work: the sheet is left as it is"
    errors = [f"NO VALID SHEET: {finding}" for finding in choice.errors]
    work = f"{choice.before.unit}: {choice.before} before, {choice.after} after"
    notes = (*map(str, choice.changes), what, *errors, work, *map(_rate, measured), str(same))
    lines = tuple(f"; {note}" for note in notes)
    return Optimised(text, lines, fields, same.equal and not choice.errors, choice.sheet != sheet)


def _rate(rate: Rates) -> str:
    before, after = (
        f"less than one in {rate.limit_s:g} s" if value is None else f"{value:,.0f}" if value >= 10 else f"{value:.2g}"
        for value in (rate.before, rate.after)
    )
    known = rate.ratio is not None
    times = f", {'at least ' if rate.before is None else ''}{rate.ratio:.2f} times" if known else ""
    return f"playouts a CPU second on {rate.reasoner}: {before} before, {after} after{times}"
