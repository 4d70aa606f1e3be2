"""Measure one cell once: a fresh worker process under limits, judged, as a record."""

from __future__ import annotations

import sys
import threading
from typing import TypeAlias

import msgspec

from hexlogic.process.isolate import Outcome
from hexlogic.process.limits import Limits
from hexlogic.process.meters import DEFAULT_METER, load_meter
from hexlogic.runs.classify import classify
from hexlogic.runs.leftovers import SESSION_MARK
from hexlogic.runs.plan import Cell, Plan
from hexlogic.runs.records import Exit, Measured, Phases, Playing, Run, Session
from hexlogic.runs.sheets import PlayCell, PlayPlan

__all__ = ["WORKER", "AnyCell", "AnyPlan", "AnyRun", "is_good", "job_of", "measure", "record_run", "run_job"]

AnyCell: TypeAlias = Cell | PlayCell
AnyPlan: TypeAlias = Plan | PlayPlan
AnyRun: TypeAlias = Run | Playing

WORKER = (sys.executable, "-P", "-m", "hexlogic.runs.worker")
"""The command of a measured process; -P keeps files of the current folder out of its imports."""

_ENVIRONMENT = {"PYTHONHASHSEED": "0"}
"""One order of Python's sets in all runs: some engines' work depends on it."""


def measure(
    cell: AnyCell, plan: AnyPlan, session: Session, *, warmup: bool, repeat: int, stop: threading.Event | None = None
) -> AnyRun | None:
    """One run of a cell in a fresh process, as a record; None when `stop` was set while it ran."""
    outcome = run_job(job_of(cell, repeat), plan.limits, stop, meter=session.meter, session=session.session)
    if outcome.termination == "interrupted":
        return None
    return record_run(cell, session, outcome, warmup=warmup, repeat=repeat)


def job_of(cell: AnyCell, repeat: int) -> bytes:
    """What a worker is told about a cell; playouts of each repeat are drawn from a seed of its own."""
    return msgspec.json.encode(cell.job(repeat) if isinstance(cell, PlayCell) else cell.job())


def run_job(
    job: bytes,
    limits: Limits,
    stop: threading.Event | None = None,
    *,
    meter: str = DEFAULT_METER,
    session: str | None = None,
) -> Outcome:
    """Give a job to a fresh worker process on this machine, watched by a meter (as `Session.meter` names it).

    The processes of a `session` carry its name, by which `leftovers` are found."""
    environment = _ENVIRONMENT if session is None else {**_ENVIRONMENT, SESSION_MARK: session}
    return load_meter(meter)(WORKER, job, limits, environment=environment, stop=stop)


def is_good(run: AnyRun) -> bool:
    """Whether the run says how long an answer takes: it answered, and not wrongly."""
    return run.status == "answered" and run.category != "wrong"


def record_run(cell: AnyCell, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> AnyRun:
    """The record of a run that ended, with what its outcome means."""
    if isinstance(cell, PlayCell):
        return _record_playing(cell, session, outcome, warmup=warmup, repeat=repeat)
    return _record_question(cell, session, outcome, warmup=warmup, repeat=repeat)


def _record_question(cell: Cell, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> Run:
    task, rule_set = cell.task, cell.rule_set
    winners = None if task.game is None else task.game.winners
    verdict = classify(outcome, expected=task.expected, complete=rule_set.complete, winners=winners)
    reply, asked = verdict.reply, verdict.asked
    built = reply.built if reply is not None else asked.built if asked is not None else None
    phases = reply.phases if reply is not None else asked.phases if asked is not None else Phases()
    run = Run(
        key=cell.key(session, warmup=warmup, repeat=repeat),
        rule_set=rule_set.name,
        rule_set_hash=rule_set.hash,
        complete=rule_set.complete,
        game=task.position.game.name,
        rows=task.position.game.rows,
        columns=task.position.game.columns,
        pipeline=cell.pipeline,
        program_hash=built.program_hash if built is not None else None,
        engine=cell.engine,
        options=session.engines[cell.engine].options,
        dialect=built.dialect if built is not None else None,
        task=task.name,
        facts_hash=task.facts_hash,
        query=task.query,
        expected=task.expected,
        warmup=warmup,
        repeat=repeat,
        counted=not warmup,
        phases=phases,
        asked_cpu_s=asked.cpu_s if asked is not None else None,
        warm_query_s=reply.warm_query_s if reply is not None else None,
        warm_queries=reply.warm_queries if reply is not None else 0,
        usage=Measured.of(outcome.usage),
        machine=outcome.machine,
        sizes=built.sizes if built is not None else None,
        counters=reply.counters if reply is not None else {},
        termination=outcome.termination,
        exit=Exit(code=outcome.exit_code, signal=outcome.exit_signal),
        status=verdict.status,
        category=verdict.category,
        answer=verdict.answer,
        message=verdict.message,
        mode=None if task.game is None else task.game.mode,
        replayed=reply.replayed if reply is not None else None,
    )
    return run if is_good(run) else msgspec.structs.replace(run, counted=True)


def _record_playing(cell: PlayCell, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> Playing:
    """The record of a run that played. No answer of it is wrong by itself (see `agreement`)."""
    verdict = classify(outcome, expected=True)
    reply, asked = verdict.reply, verdict.asked
    said = reply if reply is not None and reply.built is not None else asked
    job = cell.job(repeat)
    return Playing(
        key=cell.key(session, warmup=warmup, repeat=repeat),
        sheet=cell.sheet.name,
        sheet_hash=cell.sheet.hash,
        game=job.game,
        rows=job.rows,
        columns=job.columns,
        reasoner=cell.reasoner,
        seed=job.seed,
        longest=job.longest,
        program_hash=None if said is None or said.built is None else said.built.program_hash,
        sizes=None if said is None or said.built is None else said.built.sizes,
        warmup=warmup,
        repeat=repeat,
        counted=True,
        phases=Phases() if said is None else said.phases,
        started=None if asked is None else asked.started,
        usage=Measured.of(outcome.usage),
        machine=outcome.machine,
        termination=outcome.termination,
        exit=Exit(code=outcome.exit_code, signal=outcome.exit_signal),
        status=verdict.status,
        category="unknown",
        message=verdict.message,
        played=None if reply is None else reply.played,
    )
