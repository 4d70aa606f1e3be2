"""A sheet made cheaper for a reasoner: pipelines are tried, and the work of each new sheet is counted.

Each phase (`work`, `change`, `compare`, `rate`) is a function of plain data, run here, or in a child process that is
stopped at a limit, since grounding and passes cannot be interrupted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeVar

from hexlogic.errors import HexlogicError
from hexlogic.ggp.check import Finding
from hexlogic.ggp.check.finding import text_findings
from hexlogic.ggp.export.sheet import reasoner_for
from hexlogic.ggp.language.reading import SUFFIXES, read_kif, read_sheet
from hexlogic.ggp.machines import REASONERS, StateMachine, Work
from hexlogic.ggp.optimise.equality import GameStates, SheetEquality
from hexlogic.ggp.optimise.pipelines import prepare
from hexlogic.ggp.propnet.ground_size import estimated_work
from hexlogic.language import Program
from hexlogic.language.dialects import render
from hexlogic.language.passes import Pipeline
from hexlogic.language.passes.optimise import Change
from hexlogic.language.passes.request import Optimised, Request
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.forks import ForkServer
from hexlogic.process.limits import Limits
from hexlogic.proofs.question import equal

_START_S: Final = 2.0
"""CPU seconds in which a child process is ready, beside the limit of its phase."""
_MEMORY_MB: Final = 4_000
_ROUNDS = 3
_TICK_S = 1e-6
Result = TypeVar("Result")


class Runner(Protocol):
    """Runs a phase."""

    def __call__(self, what: str, function: Callable[..., Result], /, **task: object) -> Result | None:
        """The result of the phase, or the last of what it reported where it was stopped before; None where it had
        reported nothing. `what` says it to a person."""


def here(what: str, function: Callable[..., Result], /, **task: object) -> Result:
    """Run a phase in this process: nothing stops it."""
    return function(**task)


@contextlib.contextmanager
def isolated(limit_s: float, tell: Callable[[str], None]) -> Iterator[Runner]:
    """What runs each phase in a child process, for at most `limit_s` CPU seconds beside those that a process needs to
    start. `tell` hears what begins, and what was stopped. The runner raises EngineError for an error of a phase."""
    limits = Limits.of(cpu_s=limit_s + _START_S, memory_mb=_MEMORY_MB)
    forks = ForkServer(ready)

    def run(what: str, function: Callable[..., Result], /, **task: object) -> Result | None:
        tell(what)
        reported: list[Result] = []
        try:
            return call_isolated(function, task, limits, report=reported.append, start=forks.start)
        except Stopped as stopped:
            tell(f"{what}: {stopped.reason}")
            return reported[-1] if reported else None

    with contextlib.closing(forks):
        yield run


def ready() -> None:
    """What a process needs before it forks: this module, which is there with the call."""


def work(*, text: str, reasoner: str, limit_s: float, report: Callable[[Work], None] = lambda _: None) -> Work:
    """The work of a sheet; an estimate is reported first, for a reasoner that grounds the sheet, and stands where
    nothing was counted. Raises what the reasoner's `work` raises."""
    machine, sheet = REASONERS.load(reasoner), read_kif(text)
    ground = machine.ground_form(sheet)
    estimate = None if ground is None else estimated_work(ground)
    if estimate is not None:
        report(estimate)
    counted = machine.work(sheet, limit_s)
    return counted if counted.amount is not None or estimate is None else estimate


def change(*, text: str, pipeline: str, seed: int) -> tuple[str, tuple[Change, ...], tuple[Finding, ...]]:
    """The text of a sheet after a pipeline, what each step changed, and the errors of `gdl check` that are new. Raises
    PipelineError, and EngineError when nobody can play the sheet."""
    sheet, changes = prepare(read_kif(text), seed).after(Pipeline.parse(pipeline))
    changed = render(sheet, "gdl")
    known = {finding.check for finding in text_findings(text) if finding.kind == "error"}
    findings = text_findings(changed, "new sheet")
    return changed, changes, tuple(f for f in findings if f.kind == "error" and f.check not in known)


def compare(
    *, before: str, after: str, seed: int, limit_s: float, report: Callable[[SheetEquality], None] = lambda _: None
) -> SheetEquality:
    """Whether two sheets are the same game; reported as far as it is known. Raises EngineError."""
    return equal(read_kif(before), read_kif(after), GameStates(seed=seed, limit_s=limit_s, report=report))


def compared(run: Runner, before: Program, after: Program, seed: int, limit_s: float) -> SheetEquality:
    """Whether two sheets are the same game, as far as it was found out."""
    if before == after:
        return SheetEquality(None, 0, 0, identical=True)
    texts = {"before": render(before, "gdl"), "after": render(after, "gdl")}
    return run("comparing the two sheets", compare, **texts, seed=seed, limit_s=limit_s) or SheetEquality(None, 0, 0)


@dataclass(frozen=True, slots=True)
class Rates:
    """Playouts a CPU second, in the process that does the work; None where not one ended within `limit_s`."""

    reasoner: str
    before: float | None
    after: float | None
    limit_s: float

    @property
    def ratio(self) -> float | None:
        """How many times as fast the sheet has become; a lower bound where nothing ended before."""
        if self.after is None:
            return None
        return self.after / self.before if self.before is not None else self.after * self.limit_s


def rate(
    *, before: str, after: str, reasoner: str, limit_s: float, report: Callable[[Rates], None] = lambda _: None
) -> Rates:
    """Playouts a second of two sheets, timed in turns, so that the ratio can be trusted, for at most about `limit_s`
    seconds each; reported as far as they are known. Raises EngineError and GameError."""
    speeds: list[float | None] = [None, None]
    games = [1, 1]
    with contextlib.ExitStack() as stack:
        sheets = map(read_kif, (before, after))
        machines = [stack.enter_context(StateMachine.from_sheet(sheet, reasoner)) for sheet in sheets]
        for _ in range(_ROUNDS + 1):  # the first round only finds out how many games fill the time of one
            for number, machine in enumerate(machines):
                seconds = machine.time_playouts(games[number], 1, limit_s) if games[number] else None
                if seconds is None:
                    games[number] = 0
                    continue
                seconds = max(seconds, _TICK_S)
                speeds[number] = max(speeds[number] or 0.0, games[number] / seconds)
                games[number] = max(1, min(100_000, int(games[number] * limit_s / _ROUNDS / seconds / 2)))
                report(Rates(reasoner, speeds[0], speeds[1], limit_s))
    return Rates(reasoner, speeds[0], speeds[1], limit_s)


def rates(before: Program, after: Program, reasoner: str, limit_s: float, run: Runner = here) -> Rates:
    """Playouts a second of two sheets, as far as `run` let them be measured. Raises EngineError and GameError."""
    texts = {"before": render(before, "gdl"), "after": render(after, "gdl")}
    measured = run(f"timing playouts on {reasoner}", rate, **texts, reasoner=reasoner, limit_s=limit_s)
    return measured or Rates(reasoner, None, None, limit_s)


@dataclass(frozen=True)
class OptimisedSheet:
    """A sheet after the pipeline that was chosen, what changed, and the work before and after. `errors` are the errors
    that `gdl check` sees in its text and not in that of the sheet before."""

    sheet: Program
    pipeline: Pipeline
    changes: tuple[Change, ...]
    before: Work
    after: Work
    errors: tuple[Finding, ...]


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
    machine = REASONERS.load(reasoner)

    def worked(what: str, sheet: Program) -> Work:
        return run(what, work, text=render(sheet, "gdl"), reasoner=reasoner, limit_s=limit_s) or Work(None, "work")

    before = worked(f"counting the work of {reasoner}", sheet)
    text = render(sheet, "gdl")
    tried: list[OptimisedSheet] = []
    for candidate in map(Pipeline.parse, machine.pipelines) if pipeline is None else [pipeline]:
        if not candidate.steps:
            tried.append(OptimisedSheet(sheet, candidate, (), before, before, ()))
            continue
        new = run(f"pipeline {candidate}", change, text=text, pipeline=str(candidate), seed=seed)
        changed_text, changes, errors = new or ("", (), ())
        if changed_text and not (errors and pipeline is None):
            changed = read_kif(changed_text)
            after = before if changed == sheet else worked(f"pipeline {candidate}: counting", changed)
            tried.append(OptimisedSheet(changed, candidate, changes, before, after, errors))
    unchanged = OptimisedSheet(sheet, Pipeline.parse("none"), (), before, before, ())
    return min(tried, key=lambda choice: choice.after.order, default=unchanged)


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
        with isolated(limit_s, tell) as run:
            choice = optimise_sheet(sheet, reasoner, steps, seed=request.seed, limit_s=limit_s, run=run)
            same = compared(run, sheet, choice.sheet, request.seed, limit_s)
            names = timed if same.equal and (request.measure or not same.identical) else []
            measured = [rates(sheet, choice.sheet, name, limit_s, run) for name in names]
    except HexlogicError as error:
        raise error.at(file=str(file)) from None
    text = render(choice.sheet, SUFFIXES.get((request.output or file).suffix.lower(), "gdl"))
    before, after, estimated = choice.before, choice.after, [choice.before.estimated, choice.after.estimated]
    fields = {
        "reasoner": reasoner,
        "pipeline": str(choice.pipeline),
        "sheet": text,
        "changes": [change.fields for change in choice.changes],
        "work": {"unit": before.unit, "before": before.amount, "after": after.amount, "estimated": estimated},
        "playouts_per_cpu_s": [
            {"reasoner": rate.reasoner, "before": rate.before, "after": rate.after} for rate in measured
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
