"""Limits and usage of a run's process tree, and the load of the machine meanwhile."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from hexlogic.errors import SuiteError

MEGABYTE = 1_000_000

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
        return f"{self.cpu_s:g} s CPU and {self.memory_bytes / MEGABYTE:,.0f} MB"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process tree has used so far: CPU seconds, wall seconds and the largest resident bytes seen."""

    cpu_s: float
    wall_s: float
    peak_bytes: int


_COUNTERS = Path("/proc/vmstat")


class Load(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What else went on: the machine's load average of the last minute when the run ended, the run's own share
    included, and the bytes that the whole machine swapped in and out during the run."""

    load_1m: float | None = None
    swapped_bytes: int | None = None


def cores() -> int:
    """The processors that this process may use (a container may have fewer than the machine)."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load_1m() -> float | None:
    """The load average of the last minute; None where the system has none."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def swapped_bytes() -> int | None:
    """Bytes the machine has swapped in and out since it started; None where the system does not say.

    Read here, since psutil says 0 where it does not know.
    """
    try:
        counters = dict(line.split() for line in _COUNTERS.read_text(encoding="ascii").splitlines())
        pages = int(counters["pswpin"]) + int(counters["pswpout"])
    except (OSError, KeyError, ValueError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def load_since(swapped: int | None) -> Load:
    """The load now, and what was swapped since `swapped_bytes()` said so much."""
    now = swapped_bytes()
    return Load(load_1m=load_1m(), swapped_bytes=None if now is None or swapped is None else now - swapped)
