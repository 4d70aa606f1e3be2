"""Measure one cell once: a fresh worker process under limits, judged, as a record."""

from __future__ import annotations

import sys
import threading

import msgspec

from hexlogic.runs.classify import classify
from hexlogic.runs.isolate import Outcome, run_isolated
from hexlogic.runs.plan import Cell, Plan
from hexlogic.runs.records import Exit, Measured, Phases, Run, Session

__all__ = ["WORKER", "is_good", "measure"]

WORKER = (sys.executable, "-P", "-m", "hexlogic.runs.worker")
"""The command of a measured process; -P keeps files of the current folder out of its imports."""

_ENVIRONMENT = {"PYTHONHASHSEED": "0"}
"""One order of Python's sets in all runs: some engines' work depends on it."""


def measure(
    cell: Cell, plan: Plan, session: Session, *, warmup: bool, repeat: int, stop: threading.Event | None = None
) -> Run | None:
    """One run of a cell in a fresh process, as a record; None when `stop` was set while it ran."""
    job = msgspec.json.encode(cell.job(plan.limits))
    outcome = run_isolated(WORKER, job, plan.limits, environment=_ENVIRONMENT, stop=stop)
    if outcome.termination == "interrupted":
        return None
    return _record(cell, plan, session, outcome, warmup=warmup, repeat=repeat)


def is_good(run: Run) -> bool:
    """Whether the run says how long an answer takes: it answered, and not wrongly."""
    return run.status == "answered" and run.category != "wrong"


def _record(cell: Cell, plan: Plan, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> Run:
    task, rule_set = cell.task, cell.rule_set
    verdict = classify(outcome, expected=task.expected, complete=rule_set.complete)
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
        usage=Measured(
            cpu_s=outcome.usage.cpu_s, wall_s=outcome.usage.wall_s, peak_bytes=outcome.usage.peak_bytes or None
        ),
        sizes=built.sizes if built is not None else None,
        counters=reply.counters if reply is not None else {},
        termination=outcome.termination,
        exit=Exit(code=outcome.exit_code, signal=outcome.exit_signal),
        status=verdict.status,
        category=verdict.category,
        answer=verdict.answer,
        message=verdict.message,
    )
    return run if is_good(run) else msgspec.structs.replace(run, counted=True)
