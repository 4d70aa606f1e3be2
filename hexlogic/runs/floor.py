"""Start-up floors: what the smallest query costs on each engine of a session, measured before its first run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from hexlogic.process.isolate import Outcome
from hexlogic.process.limits import Limits
from hexlogic.runs.classify import classify
from hexlogic.runs.measure import run_job
from hexlogic.runs.protocol import FloorJob
from hexlogic.runs.records import Floor, Measured, Phases, Session

__all__ = ["FLOOR_REPEATS", "measure_floors"]

FLOOR_REPEATS = 3


def measure_floors(
    session: Session, *, has: Iterable[Floor] = (), run: Callable[[bytes, Limits], Outcome] | None = None
) -> Iterator[Floor]:
    """The floors of the session's engines, each measured when it is asked for, in rounds over the engines.

    Those that a resumed session `has` are not measured again. `run` makes a run where the session is: here unless told.
    """

    def run_here(job: bytes, limits: Limits) -> Outcome:
        return run_job(job, limits, meter=session.meter, session=session.session)

    there = {(floor.engine, floor.repeat) for floor in has}
    for repeat in range(FLOOR_REPEATS):
        for engine, info in session.engines.items():
            if info.missing is None and (engine, repeat) not in there:
                job = msgspec.json.encode(FloorJob(engine=engine))
                outcome = run_here(job, session.limits) if run is None else run(job, session.limits)
                yield _floor(engine, repeat, outcome)


def _floor(engine: str, repeat: int, outcome: Outcome) -> Floor:
    verdict = classify(outcome, expected=True)
    reply = verdict.reply
    return Floor(
        engine=engine,
        repeat=repeat,
        phases=Phases() if reply is None else reply.phases,
        warm_query_s=None if reply is None else reply.warm_query_s,
        warm_queries=0 if reply is None else reply.warm_queries,
        usage=Measured.of(outcome.usage),
        status=verdict.status,
        category=verdict.category,
        message=verdict.message,
    )
