"""Call a function of hexlogic in a child process that can be stopped: gringo cannot be interrupted, a process can.

The child is `python -m hexlogic.process.job`, or a fork that has imported everything already, under the limits and with
the certain end of `isolate`. Python in a browser has no processes: there the function is called here, and who waits can
end the worker that Python runs in.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from hexlogic.errors import EngineError
from hexlogic.process.job import check_name, function_at
from hexlogic.process.limits import Limits, Termination

if TYPE_CHECKING:
    from hexlogic.process.fork_server import ForkServer
    from hexlogic.process.isolate import Outcome

__all__ = ["Died", "Stopped", "call_isolated"]

_SAMPLE_S = 0.1


class Stopped(Exception):  # noqa: N818
    """The child was stopped at a limit: `reason` and `termination` say at which, `progress` holds what it reported."""

    def __init__(self, reason: str, termination: Termination, progress: tuple[Any, ...]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.termination = termination
        self.progress = progress


class Died(EngineError):  # noqa: N818
    """The child ended without a result and at no limit."""


def call_isolated(
    function: str,
    task: dict[str, Any],
    limits: Limits,
    *,
    grace_s: float = 0.0,
    report: Callable[[Any], None] = lambda _: None,
    stop: threading.Event | None = None,
    forks: ForkServer | None = None,
) -> Any:
    """The result of `function` (`MODULE:FUNCTION` inside hexlogic) called with `task` and `report`; all is plain JSON.

    The limits are those of the process tree of the child; infinite seconds are no limit. A function that has reported
    something gets `grace_s` more wall seconds: it looks at the clock itself. Setting `stop` (from another thread) ends
    the child. With `forks` the child is one of theirs.

    Raises Stopped at a limit and at `stop`, EngineError for a HexlogicError of the function, Died for a child that ends
    otherwise without a result, and ValueError for a function outside hexlogic.
    """
    check_name(function)
    if sys.platform == "emscripten":
        return msgspec.to_builtins(function_at(function)(**task, report=report))
    from hexlogic.process.isolate import run_isolated, run_watched

    lines = _Lines(report, time.monotonic() + limits.wall_s)
    isolated = msgspec.structs.replace(limits, wall_s=limits.wall_s + grace_s)
    request = json.dumps({"function": function, "task": task}).encode()
    if forks is None:
        command = [sys.executable, "-m", "hexlogic.process.job"]
        outcome = run_isolated(command, request, isolated, stop=stop, observe=lines.add, sample_s=_SAMPLE_S)
    else:
        outcome = run_watched(forks.start, request, isolated, stop=stop, observe=lines.add, sample_s=_SAMPLE_S)
    if lines.error is not None:
        raise EngineError(lines.error)
    if lines.results:
        return lines.results[0]
    if outcome.termination != "completed":
        raise Stopped(_reason(outcome, limits), outcome.termination, tuple(lines.progress))
    words = outcome.stderr.decode(errors="replace").strip().splitlines() or ["?"]
    raise Died(f"the child process ended without a result: {words[-1]}")


def _reason(outcome: Outcome, limits: Limits) -> str:
    match outcome.termination:
        case "memory-limit":
            return f"stopped at {outcome.usage.peak_bytes / 2**30:.1f} GB of memory"
        case "interrupted":
            return "stopped on demand"
        case "cpu-limit":
            return f"stopped after {limits.cpu_s:g} CPU seconds"
        case _:
            return f"stopped after {limits.wall_s:g} s"


class _Lines:
    """The messages of a child, as they come."""

    def __init__(self, report: Callable[[Any], None], deadline: float) -> None:
        self.progress: list[Any] = []
        self.results: list[Any] = []
        self.error: str | None = None
        self._report = report
        self._deadline = deadline
        self._pending = b""

    def add(self, written: bytes) -> bool:
        """Take the complete lines; whether the child may go on."""
        *lines, self._pending = (self._pending + written).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "result" in message:
                self.results.append(message["result"])
            elif "error" in message:
                self.error = message["error"]
            else:
                self.progress.append(message["progress"])
                self._report(message["progress"])
        return bool(self.progress) or time.monotonic() <= self._deadline
