"""Call a function of hexlogic in a child process that can be stopped: gringo cannot be interrupted, a process can.

The child is `python -m hexlogic.process.job`, or a fork that has imported everything already, under the limits and with
the certain end of `isolate`. Python in a browser has no processes: there the function is called here, and who waits can
end the worker that Python runs in.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from hexlogic.errors import EngineError
from hexlogic.process.job import Signature, name_of
from hexlogic.process.limits import Limits, Termination

if TYPE_CHECKING:
    from hexlogic.process.fork_server import ForkServer
    from hexlogic.process.isolate import Outcome

_SAMPLE_S = 0.1
Result = TypeVar("Result")


class Stopped(Exception):  # noqa: N818
    """The child was stopped at a limit: `reason` and `termination` say at which, `progress` holds the texts that it
    reported."""

    def __init__(self, reason: str, termination: Termination, progress: tuple[str, ...]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.termination = termination
        self.progress = progress


class Died(EngineError):  # noqa: N818
    """The child ended without a result and at no limit."""


def call_isolated(
    function: Callable[..., Result],
    task: Mapping[str, object],
    limits: Limits,
    *,
    grace_s: float = 0.0,
    report: Callable[..., None] = lambda _: None,
    stop: threading.Event | None = None,
    forks: ForkServer | None = None,
) -> Result:
    """The result of `function`, a function of a module, called with the entries of `task` as keyword arguments.

    Arguments and result pass through JSON, and msgspec decodes each as the function annotates it. A function with a
    parameter `report` is given one that calls `report` here. The limits are those of the process tree of the child;
    infinite seconds are no limit. A function that has reported something gets `grace_s` more wall seconds: it looks at
    the clock itself. Setting `stop` (from another thread) ends the child. With `forks` the child is one of theirs.

    Raises Stopped at a limit and at `stop`, EngineError for a HexlogicError of the function, Died for a child that ends
    otherwise without a result, and ValueError for a function that no module has under its name.
    """
    name, signature = name_of(function), Signature(function)
    if sys.platform == "emscripten":
        return signature.result(msgspec.to_builtins(signature.call(msgspec.to_builtins(task), report)))
    from hexlogic.process.isolate import run_isolated, run_watched

    messages = _Messages(signature, report, time.monotonic() + limits.wall_s)
    isolated = msgspec.structs.replace(limits, wall_s=limits.wall_s + grace_s)
    request = msgspec.json.encode({"function": name, "task": task})
    if forks is None:
        command = [sys.executable, "-m", "hexlogic.process.job"]
        outcome = run_isolated(command, request, isolated, stop=stop, observe=messages.add, sample_s=_SAMPLE_S)
    else:
        outcome = run_watched(forks.start, request, isolated, stop=stop, observe=messages.add, sample_s=_SAMPLE_S)
    if messages.error is not None:
        raise EngineError(messages.error)
    if messages.results:
        return messages.results[0]
    if outcome.termination != "completed":
        raise Stopped(_reason(outcome, limits), outcome.termination, tuple(messages.texts))
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


class _Messages(Generic[Result]):
    """The messages of a child, as they come."""

    def __init__(self, signature: Signature[Result], report: Callable[..., None], deadline: float) -> None:
        self.texts: list[str] = []
        self.results: list[Result] = []
        self.error: str | None = None
        self._signature, self._report, self._deadline = signature, report, deadline
        self._reported = False
        self._pending = b""

    def add(self, written: bytes) -> bool:
        """Take the complete lines; whether the child may go on."""
        *lines, self._pending = (self._pending + written).split(b"\n")
        for line in lines:
            message = msgspec.json.decode(line)
            if "result" in message:
                self.results.append(self._signature.result(message["result"]))
            elif "error" in message:
                self.error = message["error"]
            else:
                self._reported = True
                value = self._signature.reported(message["progress"])
                if isinstance(value, str):
                    self.texts.append(value)
                self._report(value)
        return self._reported or time.monotonic() <= self._deadline
