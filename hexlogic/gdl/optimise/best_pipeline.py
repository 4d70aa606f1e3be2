"""The pipeline that saves a reasoner most work: its pipelines are tried, and the work of each new sheet is counted."""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.gdl.check import Finding
from hexlogic.gdl.check.run import text_findings
from hexlogic.gdl.machines import Work, load_reasoner
from hexlogic.gdl.optimise.pipelines import prepare
from hexlogic.logic import Program
from hexlogic.logic.dialects import render
from hexlogic.passes import Pipeline
from hexlogic.passes.optimise import Change

__all__ = ["OptimisedSheet", "optimise_sheet"]


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
    sheet: Program, reasoner: str, pipeline: Pipeline | None = None, *, seed: int = 0, limit_s: float = 10.0
) -> OptimisedSheet:
    """A sheet made cheaper for a reasoner, by a pipeline or, without one, by that which saves most work.

    The work of one sheet is counted for at most `limit_s` seconds. A pipeline is not chosen when its sheet would break
    a rule of GDL that the given one keeps. Raises UnknownNameError for a reasoner that does not exist, EngineError for
    one that is not there or cannot run the sheet, GameError for a sheet that is no game.
    """
    machine = load_reasoner(reasoner)
    prepared = prepare(sheet, seed)
    before = machine.work(sheet, limit_s)
    best: OptimisedSheet | None = None
    known = {finding.check for finding in _errors(sheet)}
    for candidate in map(Pipeline.parse, machine.pipelines) if pipeline is None else [pipeline]:
        changed, changes = prepared.after(candidate) if candidate.steps else (sheet, ())
        slips = tuple(finding for finding in _errors(changed) if finding.check not in known)
        if slips and pipeline is None:
            continue
        after = before if changed == sheet else machine.work(changed, limit_s)
        if best is None or _amount(after) < _amount(best.after):
            best = OptimisedSheet(changed, candidate, changes, before, after, slips)
    assert best is not None
    return best


def _errors(sheet: Program) -> list[Finding]:
    """What `gdl check` calls errors in the text of a sheet."""
    return [finding for finding in text_findings(render(sheet, "gdl"), "new sheet") if finding.kind == "error"]


def _amount(work: Work) -> float:
    return float("inf") if work.amount is None else work.amount
