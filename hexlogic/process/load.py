"""What the machine offers and what else it does while something is measured: processors, load, swapping."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

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
