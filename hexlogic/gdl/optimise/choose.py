"""The pipeline that saves a reasoner most work: each of a few is tried, and what it costs is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hexlogic.errors import UnknownNameError
from hexlogic.gdl.check import Finding
from hexlogic.gdl.check.run import text_findings
from hexlogic.gdl.machines import reasoner_names
from hexlogic.gdl.optimise.pipelines import prepare
from hexlogic.gdl.optimise.work import Work, work_of
from hexlogic.logic import Program
from hexlogic.logic.dialects import render
from hexlogic.passes import Pipeline
from hexlogic.passes.optimise import Change

__all__ = ["Choice", "optimise_sheet"]

_GROUNDING = (
    "none",
    "ground,prune,project",
    "ground,reorder:cost,prune,project",
    "ground,reorder:cost,prune,magic,project",
)
_TRIED: Mapping[str, tuple[str, ...]] = {
    "swipl": (
        "none",
        "ground,prune,project",
        "ground,reorder:bound-first,prune,project",
        "ground,reorder:cost,prune,project",
        "ground,prune,unfold,reorder:cost,prune,project",
    ),
    "clingo": _GROUNDING,
    "compiled": _GROUNDING,
}


@dataclass(frozen=True)
class Choice:
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
    sheet: Program, reasoner: str, pipeline: Pipeline | None = None, *, seed: int = 0, limit_s: float = 10.0
) -> Choice:
    """A sheet made cheaper for a reasoner, by a pipeline or, without one, by that which saves most work.

    The work of one sheet is counted for at most `limit_s` seconds. A pipeline is not chosen when its sheet would break
    a rule of GDL that the given one keeps. Raises UnknownNameError for a reasoner that does not exist, EngineError for
    one that is not there or cannot run the sheet, GameError for a sheet that is no game.
    """
    if reasoner not in _TRIED:
        raise UnknownNameError.among("reasoner", reasoner, list(reasoner_names()))
    prepared = prepare(sheet, seed)
    before = work_of(sheet, reasoner, limit_s)
    best: Choice | None = None
    known = {finding.check for finding in _errors(sheet)}
    for candidate in map(Pipeline.parse, _TRIED[reasoner]) if pipeline is None else [pipeline]:
        changed, changes = prepared.after(candidate) if candidate.steps else (sheet, ())
        slips = tuple(finding for finding in _errors(changed) if finding.check not in known)
        if slips and pipeline is None:
            continue
        after = before if changed == sheet else work_of(changed, reasoner, limit_s)
        if best is None or _amount(after) < _amount(best.after):
            best = Choice(changed, candidate, changes, before, after, slips)
    assert best is not None
    return best


def _errors(sheet: Program) -> list[Finding]:
    """What `gdl check` calls errors in the text of a sheet."""
    return [finding for finding in text_findings(render(sheet, "gdl"), "new sheet") if finding.kind == "error"]


def _amount(work: Work) -> float:
    return float("inf") if work.amount is None else work.amount
