"""Limits and usage of a run's process tree, and the load of the machine meanwhile."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final, Literal, TypeAlias

import msgspec

from hexlogic.errors import SuiteError

MEGABYTE = 1_000_000
_AGAIN_S: Final = 0.05


class TimeOverError(BaseException):
    """The time of `time_limit` is over. No handler of errors takes it for one."""


@contextlib.contextmanager
def time_limit(wall_s: float | None) -> Iterator[None]:
    """Raise TimeOverError in the main thread after so many seconds (None: never), C code first ending its call."""
    if wall_s is None:
        yield
        return

    def end(_signal: int, frame: FrameType | None) -> None:
        raised = sys.exception()
        while raised is not None:
            if isinstance(raised, TimeOverError):  # already raised: clean-up code may finish
                return
            raised = raised.__context__
        callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
        while frame is not None:
            if (
                frame.f_code.co_name == "__del__"
                or frame.f_code in callbacks
                or frame.f_globals.get("__name__") in ("weakref", "_weakrefset")
            ):
                return  # an exception there is dropped, and a line printed
            frame = frame.f_back
        raise TimeOverError

    before = signal.signal(signal.SIGALRM, end)
    # Repeated: C code that calls Python may drop an exception.
    signal.setitimer(signal.ITIMER_REAL, max(wall_s, 0.1), _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


Termination: TypeAlias = Literal["completed", "cpu-limit", "wall-limit", "memory-limit", "interrupted"]
"""What was done to a process: it was left to complete, or killed, and why."""


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of one run. There is no address-space limit: it breaks some engines and misreports others.

    >>> Limits.of(cpu_s=10, memory_mb=2000)
    Limits(cpu_s=10.0, wall_s=60.0, memory_bytes=2000000000)
    """

    cpu_s: float
    wall_s: float
    memory_bytes: int

    @classmethod
    def of(cls, *, cpu_s: float, memory_mb: float, wall_s: float | None = None) -> Limits:
        """Limits with a wall limit that, unless given, only a sleeping run reaches: three times the CPU limit
        and half a minute more, since other work on the machine slows a run down but takes no CPU time of it.

        Raises SuiteError for a limit that is not positive.
        """
        for name, value in (("CPU", cpu_s), ("memory", memory_mb), ("wall", wall_s)):
            if value is not None and not 0 < value < float("inf"):
                raise SuiteError(f"a {name} limit of {value:g} leaves nothing to run", hint="give a positive number")
        wall = 3 * cpu_s + 30 if wall_s is None else wall_s
        return cls(cpu_s=float(cpu_s), wall_s=float(wall), memory_bytes=int(memory_mb * MEGABYTE))

    def __str__(self) -> str:
        return f"{self.cpu_s:g} s CPU, {self.text_of('memory-limit')}"

    def text_of(self, termination: Termination) -> str:
        """The limit that ends a process so, `10 s` or `2,000 MB`."""
        if termination == "memory-limit":
            return f"{self.memory_bytes / MEGABYTE:,.0f} MB"
        return f"{self.wall_s if termination == 'wall-limit' else self.cpu_s:g} s"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process tree has used so far: CPU seconds, wall seconds and the largest resident bytes seen."""

    cpu_s: float
    wall_s: float
    peak_bytes: int

    def late(self, limits: Limits) -> Termination:
        """The first limit that is exceeded, or `completed`."""
        if self.peak_bytes > limits.memory_bytes:
            return "memory-limit"
        if self.cpu_s > limits.cpu_s:
            return "cpu-limit"
        return "wall-limit" if self.wall_s > limits.wall_s else "completed"


class Load(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What else went on: the machine's load average of the last minute when the run ended, the run's own share
    included, and the bytes that the whole machine swapped in and out during the run."""

    load_1m: float | None = None
    swapped_bytes: int | None = None

    @classmethod
    def now(cls, since: Load | None = None) -> Load:
        """The load average, and the bytes swapped since then or since the machine started; each None where the system
        does not say. `/proc/vmstat` is read here, since psutil says 0 where it does not know."""
        swapped = None
        with contextlib.suppress(OSError, KeyError, ValueError):
            counters = dict(line.split() for line in Path("/proc/vmstat").read_text(encoding="ascii").splitlines())
            swapped = (int(counters["pswpin"]) + int(counters["pswpout"])) * os.sysconf("SC_PAGE_SIZE")
        if since is not None and swapped is not None:
            swapped -= since.swapped_bytes or 0
        return cls(load_1m=os.getloadavg()[0] if hasattr(os, "getloadavg") else None, swapped_bytes=swapped)


def cores() -> int:
    """The processors that this process may use (a container may have fewer than the machine)."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
