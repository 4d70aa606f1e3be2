"""What clingo has to do for a text, and whether two texts have the same answer sets, in child processes under limits:
clingo cannot be interrupted.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO, Final

from hexlogic.encodings.clingo_runs import PLAIN, ClingoCost, Run, Turns, compare, measure, race
from hexlogic.errors import EngineError
from hexlogic.language import Predicate
from hexlogic.process.call import Result, Stopped, call_isolated
from hexlogic.process.forks import ForkServer
from hexlogic.process.isolate import Start, Started
from hexlogic.process.limits import Limits

_MEMORY_BYTES: Final = 4 << 30
_PATIENCE: Final = 15.0
"""Wall seconds for each CPU second of a limit."""
_START_S: Final = 1.0
"""CPU seconds to start a process and to import clingo."""
_FORK_S: Final = 0.1
"""The same for a fork of a process that has done so."""
_LONGEST: Final = 200
"""The longest reason, in characters."""


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """Why there is no measurement; `is_slow` where the limit of time or memory was the reason."""

    reason: str
    is_slow: bool = False


def spent_s() -> float:
    """CPU seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


class Budget:
    """The CPU seconds of a whole call and its children, from when this was made. As a context manager it has a process
    whose forks run the jobs: each new process takes 0.2 CPU s to import clingo."""

    def __init__(self, limit_s: float = math.inf) -> None:
        self.limit_s = limit_s
        self._begin_s, self._forked_s = spent_s(), 0.0
        self._forks: ForkServer | None = None

    def __enter__(self) -> Budget:
        self._forks = ForkServer(ready, inside=True)
        self._forks.begin()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._forks is not None
        self._forks.close()
        self._forks = None

    @property
    def left_s(self) -> float:
        """CPU seconds that are left, below 0 after the end."""
        return self._begin_s + self.limit_s - spent_s() - self._forked_s

    @property
    def start(self) -> Start | None:
        """Starts a job in a fork; None for a new process."""
        return None if self._forks is None else self._start

    def _start(self, *streams_and_limits: *tuple[IO[bytes], IO[bytes], IO[bytes], float, str]) -> Started:
        assert self._forks is not None
        job = self._forks.start(*streams_and_limits)

        def reap() -> tuple[int, float]:
            code, cpu_s = job.reap()
            self._forked_s += cpu_s
            return code, cpu_s

        return replace(job, reap=reap)


def ready() -> None:
    """What a job needs before it forks: this module, which is there with the call."""


ENDLESS: Final = Budget()


def measure_text(text: str, limit_s: float, run: Run = PLAIN, budget: Budget = ENDLESS) -> ClingoCost | Unmeasured:
    """Run a program within `limit_s` CPU seconds and 4 GiB of memory."""
    return isolated(measure, {"text": text, "run": run}, limit_s, budget)


def race_texts(
    texts: Sequence[str], limit_s: float, run: Run = PLAIN, budget: Budget = ENDLESS
) -> list[Turns] | Unmeasured:
    """CPU seconds of grounding and of solving of each text in each turn, all in one process. No turn begins after
    `limit_s` CPU seconds; one that takes too long is not counted."""
    turns: list[Turns] = []
    task = {"texts": texts, "run": run, "limit_s": limit_s}
    stopped = isolated(race, task, 1.6 * limit_s, budget, turns.append)
    if isinstance(stopped, Unmeasured) and not (stopped.is_slow and turns):
        return stopped
    return [list(times) for times in zip(*(turns[1:] or turns), strict=True)]


def same_answer_sets(
    left: str,
    right: str,
    predicates: Iterable[Predicate],
    limit_s: float,
    run: Run = PLAIN,
    *,
    shown: bool = False,
    budget: Budget = ENDLESS,
) -> bool | Unmeasured:
    """Whether two programs have the same answer sets over some predicates, and with `shown` also show the same atoms;
    why not known when it is not."""
    signatures = [(each.name.lstrip("-"), each.arity, not each.name.startswith("-")) for each in sorted(predicates)]
    task = {"left": left, "right": right, "run": run, "predicates": signatures, "shown": shown, "limit_s": limit_s}
    same = isolated(compare, task, limit_s, budget)
    return Unmeasured(f"no answer set in {limit_s:.3g} CPU s", True) if same is None else same


def isolated(
    function: Callable[..., Result],
    task: Mapping[str, object],
    limit_s: float,
    budget: Budget,
    report: Callable[..., None] = lambda _: None,
) -> Result | Unmeasured:
    """The result of a function in a child process. The limit is one of CPU seconds, so that a busy machine does not
    look like a slow program; starting has its own."""
    if budget.left_s <= 0:
        return Unmeasured(f"more than {budget.limit_s:.3g} CPU s with all else", True)
    limit_s = min(limit_s, budget.left_s)
    start_s = _START_S if budget.start is None else _FORK_S
    wall_s = _PATIENCE * (limit_s + _START_S)
    try:
        limits = Limits(cpu_s=limit_s + start_s, wall_s=wall_s, memory_bytes=_MEMORY_BYTES)
        return call_isolated(function, task, limits, start=budget.start, report=report)
    except Stopped as stopped:
        reasons = {
            "memory-limit": f"more than {_MEMORY_BYTES >> 30} GiB",
            "cpu-limit": f"more than {limit_s:.3g} CPU s",
        }
        return Unmeasured(reasons.get(stopped.termination, f"more than {wall_s:.3g} s"), True)
    except EngineError as error:
        # in one line, and of a traceback only its last line, which says what was wrong
        begin, traceback, rest = str(error).partition("Traceback (most recent call last):")
        last = rest.strip().splitlines()[-1:] if traceback else []
        return Unmeasured(" ".join(" ".join([begin, *last]).split())[:_LONGEST])
