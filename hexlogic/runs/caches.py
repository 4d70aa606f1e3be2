"""Have numba's cache filled before anything is measured, so that starting is loading and not compiling."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hexlogic.process.limits import Limits
from hexlogic.runs.kind import Configuration
from hexlogic.runs.measure import run_job

__all__ = ["fill_caches"]

_COLD_S, _COLD_MB = 900, 4000
"""Limits of a first start, in which numba compiles."""


def fill_caches(configurations: Iterable[Configuration], say: Callable[[str], None]) -> None:
    """Run the first jobs of all configurations, each once. What fails here fails again, and is recorded, when it is
    measured."""
    jobs = dict.fromkeys(job for one in configurations for job in one.first_jobs())
    if jobs:
        say("numba loads its cache, or compiles for a minute where there is none")
    for job in jobs:
        run_job(job, Limits.of(cpu_s=_COLD_S, memory_mb=_COLD_MB))
