"""What a run may use before it is killed: CPU seconds, wall seconds, resident memory, of its whole process tree."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process tree has used so far: CPU seconds, wall seconds and the largest resident bytes seen."""

    cpu_s: float
    wall_s: float
    peak_bytes: int
