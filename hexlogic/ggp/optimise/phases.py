"""The phases of an optimisation, as functions of plain data, and what runs them: here, or each in a child process that
is stopped at a limit, since grounding and passes cannot be interrupted.

work       what playing a sheet costs a reasoner
change     a sheet after a pipeline
compare    whether two sheets are the same game
rate       playouts a second of two sheets
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, Final, Protocol

from hexlogic.ggp.check.run import text_findings
from hexlogic.ggp.language.reading import read_kif
from hexlogic.ggp.machines import Work, load_reasoner
from hexlogic.ggp.machines.side_by_side import Difference
from hexlogic.ggp.machines.work import estimated_work
from hexlogic.ggp.optimise.equality import GameStates, SheetEquality
from hexlogic.ggp.optimise.pipelines import prepare
from hexlogic.ggp.optimise.rates import Rates, rates
from hexlogic.language import Predicate, Program
from hexlogic.language.dialects import render
from hexlogic.language.passes import Pipeline
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.fork_server import ForkServer
from hexlogic.process.limits import Limits
from hexlogic.proofs.equality import equal

_START_S: Final = 2.0
"""CPU seconds in which a child process is ready, beside the limit of its phase."""
_MEMORY_MB: Final = 4_000


class Runner(Protocol):
    """Runs a phase."""

    def __call__(self, what: str, function: Callable[..., Any], /, **task: Any) -> Any:
        """What the function answers to the task, or the last of what it reported where it was stopped before; None
        where it had reported nothing. `what` says it to a person."""


def here(what: str, function: Callable[..., Any], /, **task: Any) -> Any:
    """Run a phase in this process: nothing stops it."""
    return function(**task, report=lambda _: None)


@contextlib.contextmanager
def isolated(limit_s: float, tell: Callable[[str], None]) -> Iterator[Runner]:
    """What runs each phase in a child process, for at most `limit_s` CPU seconds beside those that a process needs to
    start. `tell` hears what begins, and what was stopped. The runner raises EngineError for an error of a phase."""
    limits = Limits.of(cpu_s=limit_s + _START_S, memory_mb=_MEMORY_MB)
    forks = ForkServer(ready) if ForkServer.works_here() else None

    def run(what: str, function: Callable[..., Any], /, **task: Any) -> Any:
        tell(what)
        reported: list[Any] = []
        try:
            return call_isolated(function, task, limits, report=reported.append, forks=forks)
        except Stopped as stopped:
            tell(f"{what}: {stopped.reason}")
            return reported[-1] if reported else None

    try:
        yield run
    finally:
        if forks is not None:
            forks.close()


def ready() -> None:
    """What a process needs before it forks: this module, which is there with the call."""


def work(*, text: str, reasoner: str, limit_s: float, report: Callable[[Any], None]) -> dict[str, Any]:
    """The fields of a Work; an estimate is reported first, for a reasoner that grounds the sheet, and stands where
    nothing was counted. Raises what the reasoner's `work` raises."""
    machine, sheet = load_reasoner(reasoner), read_kif(text)
    ground = machine.ground_form(sheet)
    estimate = None if ground is None else estimated_work(ground)
    if estimate is not None:
        report(asdict(estimate))
    counted = machine.work(sheet, limit_s)
    return asdict(counted if counted.amount is not None or estimate is None else estimate)


def worked(run: Runner, what: str, sheet: Program, reasoner: str, limit_s: float) -> Work:
    """The work of a sheet; estimated, or not known, where the phase was stopped."""
    found = run(what, work, text=render(sheet, "gdl"), reasoner=reasoner, limit_s=limit_s)
    return Work(None, "work") if found is None else Work(**found)


def change(*, text: str, pipeline: str, seed: int, report: Callable[[Any], None]) -> dict[str, Any]:
    """The sheet after a pipeline, what each step changed, and the errors that `gdl check` sees in its text and not in
    that of the sheet before. Raises PipelineError, and EngineError when nobody can play the sheet."""
    sheet, changes = prepare(read_kif(text), seed).after(Pipeline.parse(pipeline))
    changed = render(sheet, "gdl")
    known = {finding.check for finding in text_findings(text) if finding.kind == "error"}
    slips = [
        asdict(finding)
        for finding in text_findings(changed, "new sheet")
        if finding.kind == "error" and finding.check not in known
    ]
    told = [
        {"step": str(one.step), "predicate": _pair(one.predicate), "what": one.what, "reason": one.reason}
        for one in changes
    ]
    return {"sheet": changed, "changes": told, "slips": slips}


def compare(*, before: str, after: str, seed: int, limit_s: float, report: Callable[[Any], None]) -> dict[str, Any]:
    """The fields of a SheetEquality; reported as far as they are known. Raises EngineError."""
    sheets = read_kif(before), read_kif(after)
    states = GameStates(seed=seed, limit_s=limit_s, report=lambda verdict: report(_equality_fields(verdict)))
    return _equality_fields(equal(*sheets, states))


def compared(run: Runner, before: Program, after: Program, seed: int, limit_s: float) -> SheetEquality:
    """Whether two sheets are the same game, as far as it was found out."""
    if before == after:
        return SheetEquality(None, 0, 0, identical=True)
    texts = {"before": render(before, "gdl"), "after": render(after, "gdl")}
    found = run("comparing the two sheets", compare, **texts, seed=seed, limit_s=limit_s)
    if found is None:
        return SheetEquality(None, 0, 0)
    difference, unlisted = found.pop("difference"), found.pop("unlisted")
    return SheetEquality(
        None if difference is None else Difference(None, (), difference),
        **found,
        unlisted=None if unlisted is None else Predicate(*unlisted),
    )


def rate(*, before: str, after: str, reasoner: str, limit_s: float, report: Callable[[Any], None]) -> dict[str, Any]:
    """The fields of Rates; reported as far as they are known. Raises what `rates` raises."""
    return asdict(rates(read_kif(before), read_kif(after), reasoner, limit_s, lambda found: report(asdict(found))))


def rated(run: Runner, before: Program, after: Program, reasoner: str, limit_s: float) -> Rates:
    """Playouts a second of two sheets, as far as they were measured before the phase was stopped."""
    texts = {"before": render(before, "gdl"), "after": render(after, "gdl")}
    found = run(f"timing playouts on {reasoner}", rate, **texts, reasoner=reasoner, limit_s=limit_s)
    return Rates(reasoner, None, None, limit_s) if found is None else Rates(**found)


def _equality_fields(found: SheetEquality) -> dict[str, Any]:
    return {
        "difference": None if found.difference is None else str(found.difference),
        "games": found.games,
        "states": found.states,
        "visited": found.visited,
        "facts": found.facts,
        "different": found.different,
        "unlisted": _pair(found.unlisted),
    }


def _pair(predicate: Predicate | None) -> list[Any] | None:
    return None if predicate is None else [predicate.name, predicate.arity]
