"""What clingo has to do for a program: CPU seconds and size of grounding, sizes of relations, and solving if asked.

Each program runs in a child process of its own under limits, as clingo cannot be interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hexlogic.encodings import clingo_jobs
from hexlogic.encodings.parts import Calls
from hexlogic.errors import EngineError
from hexlogic.language import Predicate
from hexlogic.language.passes.statistics import Statistics
from hexlogic.process.call import Result, Stopped, call_isolated
from hexlogic.process.limits import Limits

_MEMORY_BYTES = 4 << 30
_PATIENCE = 15.0
"""Wall seconds for each CPU second of a limit."""
_START_S = 1.0
"""CPU seconds to start a process and to import clingo."""
_LONGEST = 200
"""Letters of a reason."""


@dataclass(frozen=True, slots=True)
class ClingoCost:
    """CPU seconds of grounding and, if asked for, of solving; ground rules and atoms; sizes if asked for."""

    ground_cpu_s: float
    solve_cpu_s: float | None
    rules: int
    atoms: int
    statistics: Statistics

    @property
    def size(self) -> int:
        """Ground rules and atoms."""
        return self.rules + self.atoms

    @property
    def cpu_s(self) -> float:
        """All CPU seconds measured."""
        return self.ground_cpu_s + (self.solve_cpu_s or 0.0)


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """Why there is no measurement; `is_slow` where the limit of time or memory was the reason."""

    reason: str
    is_slow: bool = False


def measure_text(
    text: str,
    limit_s: float,
    *,
    calls: Calls = (),
    solve: bool = False,
    sizes: bool = False,
    scripts: bool = False,
) -> ClingoCost | Unmeasured:
    """Ground a program, solve it too if asked to, within `limit_s` CPU seconds and 4 GiB of memory.

    The parts of the `calls` are ground after `base`.
    `scripts` lets its Python scripts run; without it a program with scripts is refused by clingo.
    """
    task = {"text": text, "calls": calls, "solve": solve, "sizes": sizes, "scripts": scripts}
    found = run_child(clingo_jobs.measure, task, limit_s)
    if isinstance(found, Unmeasured):
        return found
    statistics = Statistics()
    for key, size in found["sizes"].items():
        name, _, arity = key.rpartition("/")
        predicate = Predicate(name, int(arity))
        statistics.sizes[predicate] = float(size)
        for place, values in enumerate(found["columns"][key]):
            statistics.columns[predicate, place] = float(values)
    return ClingoCost(found["ground_cpu_s"], found["solve_cpu_s"], found["rules"], found["atoms"], statistics)


def race_texts(
    texts: Sequence[str], limit_s: float, *, calls: Calls = (), solve: bool = False, scripts: bool = False
) -> list[list[tuple[float, float]]] | Unmeasured:
    """CPU seconds of grounding and of solving of each text in each turn, all in one process.

    `limit_s` holds for all turns together.
    """
    return run_child(clingo_jobs.race, {"texts": texts, "calls": calls, "solve": solve, "scripts": scripts}, limit_s)


def run_child(function: Callable[..., Result], task: Mapping[str, object], limit_s: float) -> Result | Unmeasured:
    """The result of a function of `clingo_jobs`, in a child process with 4 GiB of memory.

    The limit is one of CPU seconds, so that a busy machine does not look like a slow program; starting has its own.
    """
    wall_s = _PATIENCE * (limit_s + _START_S)
    try:
        limits = Limits(cpu_s=limit_s + _START_S, wall_s=wall_s, memory_bytes=_MEMORY_BYTES)
        return call_isolated(function, task, limits)
    except Stopped as stopped:
        reasons = {
            "memory-limit": f"more than {_MEMORY_BYTES >> 30} GiB",
            "cpu-limit": f"more than {limit_s:.3g} CPU s",
        }
        return Unmeasured(reasons.get(stopped.termination, f"more than {wall_s:.3g} s"), True)
    except EngineError as error:
        return Unmeasured(_one_line(str(error)))


def _one_line(text: str) -> str:
    """The text in one line; of a traceback the last line, which says what was wrong."""
    begin, traceback, rest = text.partition("Traceback (most recent call last):")
    last = rest.strip().splitlines()[-1:] if traceback else []
    return " ".join([*begin.split(), *" ".join(last).split()])[:_LONGEST]
