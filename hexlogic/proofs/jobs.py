"""Run a proof in a child process, in limited time and memory."""

import math
import os
from collections.abc import Callable, Mapping
from typing import Final

from hexlogic.process.call import Result, call_isolated
from hexlogic.process.limits import Limits

MEMORY_BYTES: Final = 3 * 2**30
"""Resident memory that a proof may take before it is stopped, its helpers included."""

_GRACE_S = 3.0
"""What a job that watches the clock itself gets for its last words."""
_THREADS = os.cpu_count() or 1
_BACKSTOP_S = 60.0
"""CPU seconds beyond what all processors can give in the time."""


def run_job(
    function: Callable[..., Result],
    task: Mapping[str, object],
    *,
    time_s: float | None = None,
    report: Callable[..., None] = lambda _: None,
) -> Result:
    """The result of `function`, in at most `time_s` wall seconds and a short grace. Raises as `call_isolated`."""
    wall_s = math.inf if time_s is None else time_s
    return call_isolated(
        function,
        {**task, "time_s": time_s},
        Limits(cpu_s=_THREADS * (wall_s + _GRACE_S) + _BACKSTOP_S, wall_s=wall_s, memory_bytes=MEMORY_BYTES),
        grace_s=_GRACE_S,
        report=report,
    )
