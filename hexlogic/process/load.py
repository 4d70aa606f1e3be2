"""What else the machine does while something is measured: its load, and whether it swaps."""

from __future__ import annotations

import os
from pathlib import Path

from hexlogic.runs.records import Machine

__all__ = ["load_1m", "machine_since", "swapped_bytes"]

_COUNTERS = Path("/proc/vmstat")


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


def machine_since(swapped: int | None) -> Machine:
    """The load now, and what was swapped since `swapped_bytes()` said so much."""
    now = swapped_bytes()
    return Machine(load_1m=load_1m(), swapped_bytes=None if now is None or swapped is None else now - swapped)
