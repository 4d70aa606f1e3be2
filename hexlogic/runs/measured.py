"""Parts of records, whatever the kind of measurement: phases, usage, the size of a program, the end of a process."""

from __future__ import annotations

import msgspec

from hexlogic.process.limits import Usage

__all__ = ["GRAIN_S", "PART", "Exit", "Measured", "Phases", "Sizes"]

PART = 0.2
"""Wall and CPU seconds part when the smaller is short of the larger by this share of it."""

GRAIN_S = 0.01
"""Clocks of CPU time tick as coarsely as this on some systems: of a shorter time they tell nothing."""


class Phases(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Wall seconds of each phase, and CPU seconds of the query, measured inside the worker; None for a phase that was
    not reached or is not there.

    `transform_s` instantiates the rule set and applies the pipeline, `start_s` starts the engine, `load_s` gives it the
    program, `ground_s` and `solve_s` are the first (cold) query.
    """

    transform_s: float | None = None
    start_s: float | None = None
    load_s: float | None = None
    ground_s: float | None = None
    solve_s: float | None = None
    query_cpu_s: float | None = None
    """CPU seconds of the processes that answered, during the cold query; None in records older than this field."""

    @property
    def busy_s(self) -> float | None:
        """CPU seconds of the cold query; its wall seconds where it is shorter than the grain of CPU clocks. None where
        CPU seconds were not counted, or where a coarse clock saw none."""
        if self.query_s is None or self.query_cpu_s is None:
            return None
        return self.query_s if self.query_s <= GRAIN_S else self.query_cpu_s or None

    @property
    def parted(self) -> bool:
        """Whether wall and CPU seconds of the query differ by a fifth and by more than the grain of CPU clocks.

        More wall time was spent waiting, for the processor or for anything else; more CPU time by several threads.
        """
        if self.query_s is None or self.query_cpu_s is None:
            return False
        apart = abs(self.query_s - self.query_cpu_s)
        return apart >= PART * max(self.query_s, self.query_cpu_s) and apart > GRAIN_S

    @property
    def query_s(self) -> float | None:
        """Wall seconds of the cold query, grounding and solving; None when it did not end."""
        return None if self.solve_s is None else self.solve_s + (self.ground_s or 0.0)


class Measured(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the whole process tree used, measured from outside; memory is sampled, so a short peak can be missed."""

    cpu_s: float | None
    wall_s: float | None
    peak_bytes: int | None

    @classmethod
    def of(cls, usage: Usage) -> Measured:
        """As measured; a process that ended before its memory was looked at has no peak."""
        return cls(cpu_s=usage.cpu_s, wall_s=usage.wall_s, peak_bytes=usage.peak_bytes or None)


class Sizes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The program the engine got, without the position: rules with a body, facts, and body literals in all."""

    rules: int
    facts: int
    literals: int


class Exit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the worker process ended: its exit code, or the number of the signal that ended it."""

    code: int | None
    signal: int | None
