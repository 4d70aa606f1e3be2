"""Run a job in a child process that can be stopped: gringo cannot be interrupted, a process can.

The child is `python -m hexlogic.proofs.worker`. It reads one line of JSON, the job, and writes lines of JSON:
`{"progress": "..."}` while it works and `{"result": ...}` or `{"error": ...}` at the end. A result counts only when
that last line is complete. The child does not outlive us: the kernel kills it, and it ends when its stdin closes.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from subprocess import PIPE
from typing import Any, Final

from hexlogic.errors import EngineError
from hexlogic.process.guard import launch

__all__ = ["MEMORY_BYTES", "Stopped", "run_limited"]

MEMORY_BYTES: Final = 3 * 2**30
"""Resident memory that a proof may take before it is stopped, its helpers included."""

_GRACE_S = 3.0  # what a job that watches the clock itself gets for its last words
_SAMPLE_S = 0.2
_THREADS = os.cpu_count() or 1
_BACKSTOP_S = 60.0
"""CPU seconds beyond what all processors can give in the time, after which the system itself ends the child."""


class Stopped(Exception):  # noqa: N818
    """The job was stopped at a limit: `reason` says which, `progress` holds what it had reported."""

    def __init__(self, reason: str, progress: tuple[str, ...]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.progress = progress


def run_limited(
    job: str,
    task: dict[str, Any],
    *,
    time_s: float | None = None,
    memory_bytes: int = MEMORY_BYTES,
    report: Callable[[str], None] = lambda _: None,
) -> Any:
    """The result of `job` on `task` (plain JSON data), in at most `time_s` wall seconds and a short grace.

    Raises Stopped at a limit and EngineError for an error inside the job or a child that died.
    """
    progress: list[str] = []
    deadline = math.inf if time_s is None else time.monotonic() + time_s
    request = json.dumps({"job": job, "task": {**task, "time_s": time_s}})
    with launch(
        [sys.executable, "-m", "hexlogic.proofs.worker"],
        cpu_s=None if time_s is None else _THREADS * (time_s + _GRACE_S) + _BACKSTOP_S,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        try:
            child.stdin.write(request.encode() + b"\n")
            child.stdin.flush()
            pending = b""
            while True:
                now = time.monotonic()
                grounding = not progress
                if now > deadline + (0 if grounding else _GRACE_S):
                    raise Stopped(f"stopped after {time_s:g} s", tuple(progress))
                if (held := _resident(child.pid)) > memory_bytes:
                    raise Stopped(f"stopped at {held / 2**30:.1f} GB of memory", tuple(progress))
                if not select.select([child.stdout], [], [], _SAMPLE_S)[0]:
                    continue
                chunk = os.read(child.stdout.fileno(), 1 << 16)
                *lines, pending = (pending + chunk).split(b"\n")
                for line in lines:
                    message = json.loads(line)
                    if "result" in message:
                        return message["result"]
                    if "error" in message:
                        raise EngineError(message["error"])
                    progress.append(message["progress"])
                    report(message["progress"])
                if not chunk:
                    child.wait()
                    words = child.stderr.read().decode(errors="replace").strip().splitlines()
                    raise EngineError(f"the proof process died (status {child.returncode}): {(words or ['?'])[-1]}")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)


def _resident(pid: int) -> int:
    """Bytes of resident memory of a process and its descendants; 0 once it is gone."""
    import psutil

    try:
        root = psutil.Process(pid)
        return sum(int(process.memory_info().rss) for process in (root, *root.children(recursive=True)))
    except psutil.Error:
        return 0
