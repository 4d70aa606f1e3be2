"""Measure one configuration once: a fresh worker process under limits, judged, as a record."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from hexlogic.laboratory.records.types import Measurement, Session
from hexlogic.laboratory.runs import worker
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.process.call import command_of
from hexlogic.process.isolate import Outcome
from hexlogic.process.limits import Limits
from hexlogic.process.meters import DEFAULT_METER, load_meter
from hexlogic.process.process_tree import end_marked

WORKER: Sequence[str] = command_of(worker.main, safe_path=True)
"""The command of a measured process."""

SESSION_MARK: Final = "HEXLOGIC_SESSION"
"""The environment variable of a run's processes that holds the name of their session (`Session.session`)."""

_ENVIRONMENT = {"PYTHONHASHSEED": "0"}
"""One order of Python's sets in all runs: some engines' work depends on it."""


def measure(
    configuration: Configuration,
    session: Session,
    *,
    warmup: bool,
    repeat: int,
    stop: threading.Event | None = None,
    run: Callable[[Configuration, Session, threading.Event | None], Outcome | None] | None = None,
) -> Measurement | None:
    """One run of a configuration in a fresh process, as a record; None when `stop` was set while it ran. `run` gives
    the configuration to a process: on this machine unless given."""
    job = configuration.in_repeat(repeat)
    outcome = run_job(job, session.limits, stop, session) if run is None else run(job, session, stop)
    if outcome is None or outcome.termination == "interrupted":
        return None
    return configuration.record(session, outcome, warmup=warmup, repeat=repeat)


def run_job(
    job: Configuration, limits: Limits, stop: threading.Event | None = None, session: Session | None = None
) -> Outcome:
    """Give a configuration to a fresh worker process on this machine, watched by the meter of the session.

    The processes of a session carry its name, by which `end_leftovers` finds them."""
    environment = _ENVIRONMENT if session is None else {**_ENVIRONMENT, SESSION_MARK: session.session}
    meter = load_meter(DEFAULT_METER if session is None else session.meter)
    return meter.run(WORKER, msgspec.json.encode(job), limits, environment, stop)


def end_leftovers(session: str) -> list[str]:
    """End the processes that a killed session left running on this machine; a sentence on each.

    Only whoever holds the lock of the session's records may call it: then no living process measures for it.
    """
    return [
        f"ended process {number} ({name}), which the killed session had left running"
        for number, name in end_marked(SESSION_MARK, session)
    ]
