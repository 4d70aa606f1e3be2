"""Wait for events, with bounds of minutes that only a hang reaches: a loaded machine must not fail a test."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import psutil

__all__ = ["HANG_S", "Ready", "Started", "gone", "wait_for", "wait_for_line"]

HANG_S = 600
"""What takes longer than this hangs."""

Started = Callable[..., "subprocess.Popen[str]"]
Ready = Callable[[Callable[[], object]], str]
"""Takes what is to be done once, and gives the Python code of a program that says when."""
T = TypeVar("T")


def wait_for(event: Callable[[], T], process: subprocess.Popen[str] | None = None) -> T:
    """What `event` returns as soon as that is true; fails when `process` ends first, and for a hang."""
    until = time.monotonic() + HANG_S
    while not (found := event()):
        ended = process is not None and process.poll() is not None
        if found := event():  # perhaps just before the end
            break
        assert not ended, f"ended with status {process.returncode if process else None} before {event}"
        assert time.monotonic() < until, f"waited {HANG_S} s for {event}"
        time.sleep(0.02)
    return found


def wait_for_line(path: Path, part: bytes, process: subprocess.Popen[str] | None = None) -> None:
    """Wait until a file is there and holds a complete line with `part` in it."""
    wait_for(lambda: path.exists() and any(part in line for line in path.read_bytes().split(b"\n")[:-1]), process)


def gone(processes: Iterable[int | psutil.Process]) -> bool:
    """Whether all these end; waits for that. A zombie, which waits for a parent that is not ours, has ended."""
    return all(map(_gone, processes))


def _gone(which: int | psutil.Process) -> bool:
    try:
        process = psutil.Process(which) if isinstance(which, int) else which
        assert process.pid != os.getpid()
        return wait_for(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
