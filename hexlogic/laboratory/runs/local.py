"""Carry out a plan on this machine: one session, new or going on with an earlier one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

from hexlogic.laboratory.records.store import RecordWriter
from hexlogic.laboratory.records.types import Session
from hexlogic.laboratory.runs.kind import Configuration
from hexlogic.laboratory.runs.kinds.floor import measure_floors
from hexlogic.laboratory.runs.measure import end_leftovers, measure, run_job
from hexlogic.laboratory.runs.plan import Plan
from hexlogic.laboratory.runs.resume import resumed
from hexlogic.laboratory.runs.run import Listener, Result, execute_plan
from hexlogic.laboratory.runs.session import new_session
from hexlogic.process.limits import Limits
from hexlogic.process.load import cores
from hexlogic.process.meter import DEFAULT_METER, load_meter

_COLD_S, _COLD_MB = 900, 4000
"""Limits of a first start, in which numba compiles."""


def execute_here(
    plan: Plan,
    out: Path,
    listener: AbstractContextManager[Listener],
    *,
    command: Sequence[str],
    jobs: int = 1,
    resume: bool = False,
    meter: str = DEFAULT_METER,
    announce: Callable[[Session, int], None] = lambda session, found: None,
    say: Callable[[str], None] = lambda text: None,
) -> Result:
    """Measure all configurations, `jobs` at a time and watched by a meter, with the records in the folder `out`.

    `announce` hears the header and how many runs are there already; then caches are filled, and the listener's context
    is entered. `say` hears of that, and of each process that a killed session has left running, which is ended before
    anything is measured.
    Raises SuiteError for a meter that cannot be used and for a folder that cannot be written or resumed, before
    anything is measured.
    """
    load_meter(meter)
    started = datetime.now(UTC)
    # Looked for before the versions are asked and long before the first run: can the records be written?
    with RecordWriter(out, resume=resume) as writer:
        session = new_session(
            plan, jobs=jobs, warm_up_jobs=max(jobs, cores()), command=command, started=started, meter=meter
        )
        before = writer.before
        again = None
        if before is not None:
            session, again = resumed(before.session, session, started)
            end_leftovers(session.session, say)
        has = () if before is None else before.measurements
        announce(session, len(has))
        _fill_caches(plan.configurations, say)
        with listener as ear:
            there = () if before is None else before.floors
            floors = measure_floors(session, measure, has=there) if plan.floors else ()
            return execute_plan(plan, session, writer, ear, has=has, resumed=again, floors=floors)


def _fill_caches(configurations: Iterable[Configuration], say: Callable[[str], None]) -> None:
    """Run the first jobs of all configurations, each once, so that numba's cache is full and starting is loading
    and not compiling. What fails here fails again, and is recorded, when it is measured."""
    jobs = dict.fromkeys(job for configuration in configurations for job in configuration.first_jobs())
    if jobs:
        say("numba loads its cache, or compiles for a minute where there is none")
    for job in jobs:
        run_job(job, Limits.of(cpu_s=_COLD_S, memory_mb=_COLD_MB))
