"""Start-up floors: what the smallest query costs on each engine of a session, measured before its first run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hexlogic.process.isolate import Outcome
from hexlogic.process.limits import Limits
from hexlogic.runs.kind import Job
from hexlogic.runs.kinds.floor import FloorJob, floor_record
from hexlogic.runs.measure import run_job
from hexlogic.runs.records import Floor, Session

__all__ = ["FLOOR_REPEATS", "measure_floors"]

FLOOR_REPEATS = 3


def measure_floors(
    session: Session, *, has: Iterable[Floor] = (), run: Callable[[Job, Limits], Outcome] | None = None
) -> Iterator[Floor]:
    """The floors of the session's engines, each measured when it is asked for, in rounds over the engines.

    Those that a resumed session `has` are not measured again. `run` makes a run where the session is: here unless told.
    """

    def run_here(job: Job, limits: Limits) -> Outcome:
        return run_job(job, limits, meter=session.meter, session=session.session)

    there = {(floor.engine, floor.repeat) for floor in has}
    for repeat in range(FLOOR_REPEATS):
        for engine, info in session.engines.items():
            if info.missing is None and (engine, repeat) not in there:
                outcome = (run or run_here)(FloorJob(engine=engine), session.limits)
                yield floor_record(engine, repeat, outcome)
