"""The pipeline that saves a reasoner most work: its pipelines are tried, and the work of each new sheet is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hexlogic.ggp.check import Finding
from hexlogic.ggp.language.reading import read_kif
from hexlogic.ggp.machines import Work, load_reasoner
from hexlogic.ggp.optimise.phases import Runner, change, here, worked
from hexlogic.language import Predicate, Program
from hexlogic.language.dialects import render
from hexlogic.language.passes import Pipeline
from hexlogic.language.passes.optimise import Change


@dataclass(frozen=True)
class OptimisedSheet:
    """A sheet after the pipeline that was chosen, what changed, and the work before and after.

    `slips` are the errors that `gdl check` sees in its text and not in that of the sheet before.
    """

    sheet: Program
    pipeline: Pipeline
    changes: tuple[Change, ...]
    before: Work
    after: Work
    slips: tuple[Finding, ...]


def optimise_sheet(
    sheet: Program,
    reasoner: str,
    pipeline: Pipeline | None = None,
    *,
    seed: int = 0,
    limit_s: float = 10.0,
    run: Runner = here,
) -> OptimisedSheet:
    """A sheet made cheaper for a reasoner, by a pipeline or, without one, by that which saves most work.

    The work of one sheet is counted for at most `limit_s` seconds. A pipeline is not chosen when its sheet would break
    a rule of GDL that the given one keeps, nor when `run` stops it; then the sheet is left as it is. Raises
    UnknownNameError for a reasoner that does not exist, EngineError for one that is not there or cannot run the sheet,
    GameError for a sheet that is no game.
    """
    machine = load_reasoner(reasoner)
    before = worked(run, f"counting the work of {reasoner}", sheet, reasoner, limit_s)
    best: OptimisedSheet | None = None
    for candidate in map(Pipeline.parse, machine.pipelines) if pipeline is None else [pipeline]:
        changed, changes, slips = sheet, tuple[Change, ...](), tuple[Finding, ...]()
        if candidate.steps:
            what = f"pipeline {candidate}"
            found = run(what, change, text=render(sheet, "gdl"), pipeline=str(candidate), seed=seed)
            if found is None:
                continue
            changed, changes, slips = _read(found)
        if slips and pipeline is None:
            continue
        unchanged = changed == sheet
        after = before if unchanged else worked(run, f"pipeline {candidate}: counting", changed, reasoner, limit_s)
        if best is None or after.order < best.after.order:
            best = OptimisedSheet(changed, candidate, changes, before, after, slips)
    return best or OptimisedSheet(sheet, Pipeline.parse("none"), (), before, before, ())


def _read(found: dict[str, Any]) -> tuple[Program, tuple[Change, ...], tuple[Finding, ...]]:
    """What `change` answers."""
    changes = tuple(
        Change(
            Pipeline.parse(one["step"]).steps[0],
            None if one["predicate"] is None else Predicate(*one["predicate"]),
            one["what"],
            one["reason"],
        )
        for one in found["changes"]
    )
    return read_kif(found["sheet"]), changes, tuple(Finding(**one) for one in found["slips"])
