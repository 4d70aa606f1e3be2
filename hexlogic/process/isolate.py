"""Run a command under limits: a fresh process in its own group, watched from outside, killed as a whole.

Should the watcher itself be killed, the kernel kills the process; each process of the run has a CPU limit of its own.

Nothing here knows about logic: any command will do, which is how the tests provoke every way to end.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Protocol

from hexlogic.process.files import named
from hexlogic.process.guard import launch
from hexlogic.process.limits import Limits, Load, Termination, Usage, load_since, swapped_bytes
from hexlogic.process.process_tree import MARK, ProcessTree

SAMPLE_S: Final = 0.015
"""Seconds between two samples of what a run uses."""
_BACKSTOP_S = 5.0
"""CPU seconds beyond the limit after which the system itself ends a process, should its watcher be gone."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended: what we did to it, what it did itself (exit code or signal), what it used and wrote."""

    termination: Termination
    exit_code: int | None
    exit_signal: int | None
    usage: Usage
    stdout: bytes
    stderr: bytes
    machine: Load


class Started(Protocol):
    """A process that was started to be watched: the leader of its own process group."""

    @property
    def pid(self) -> int:
        """Its process number, which no other process gets before it is reaped."""

    def reap(self) -> tuple[int, float]:
        """Wait for its end: its exit code as `subprocess` writes it, and the CPU seconds of it and of the children that
        it waited for."""


Start = Callable[[IO[bytes], IO[bytes], IO[bytes], float, str], Started]
"""Starts a process with these as stdin, stdout and stderr, so many CPU seconds at most, and the mark in the environment
of whatever it starts."""


@dataclass(frozen=True, slots=True)
class _Launched:
    """A child of this process."""

    process: subprocess.Popen[bytes]

    @property
    def pid(self) -> int:
        return self.process.pid

    def reap(self) -> tuple[int, float]:
        _, status, spent = os.wait4(self.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode, spent.ru_utime + spent.ru_stime


def run_isolated(
    command: Sequence[str],
    stdin: bytes,
    limits: Limits,
    *,
    environment: Mapping[str, str] | None = None,
    stop: threading.Event | None = None,
    observe: Callable[[bytes], bool] = lambda written: True,
    sample_s: float = SAMPLE_S,
) -> Outcome:
    """Run `command` to its end or to a limit: `run_watched` with a new process."""

    def start(source: IO[bytes], out: IO[bytes], err: IO[bytes], cpu_s: float, mark: str) -> _Launched:
        variables = {**os.environ, **(environment or {}), MARK: mark}
        return _Launched(
            launch(command, cpu_s=cpu_s, stdin=source, stdout=out, stderr=err, start_new_session=True, env=variables)
        )

    return run_watched(start, stdin, limits, stop=stop, observe=observe, sample_s=sample_s)


def run_watched(
    start: Start,
    stdin: bytes,
    limits: Limits,
    *,
    stop: threading.Event | None = None,
    observe: Callable[[bytes], bool] = lambda written: True,
    sample_s: float = SAMPLE_S,
) -> Outcome:
    """Run what `start` starts to its end or to a limit. When this returns or raises, none of its processes is left.

    CPU and memory are those of the whole process tree, sampled every `sample_s` seconds. A command that completes
    beyond a limit between two samples is late all the same. Setting `stop` (from another thread) ends the run as
    `interrupted`. With each sample, and once more at the end, `observe` gets the bytes that the command has written to
    stdout since the last time; when it returns False, the run ends as at its wall limit.
    """
    mark = uuid.uuid4().hex
    # Files, not pipes: nobody has to read along, and a surviving child cannot keep us waiting for the end of a pipe.
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with named(Path(tempfile.gettempdir())):
            source.write(stdin)
            source.seek(0)
        swapped = swapped_bytes()
        started = time.monotonic()
        process = start(source, out, err, limits.cpu_s + _BACKSTOP_S, mark)
        tree = ProcessTree(process.pid, mark)
        seen = 0

        def look() -> bool:
            nonlocal seen
            written = _contents(out.fileno(), seen)
            seen += len(written)
            return observe(written)

        try:
            termination, sampled = _watch(process.pid, tree, limits, started, stop, look, sample_s)
        finally:
            # The worker is killed but not yet reaped, so its number, which is the group's, cannot mean another.
            tree.kill()
            code, cpu_s = process.reap()
        usage = Usage(max(sampled.cpu_s, cpu_s), sampled.wall_s, sampled.peak_bytes)
        if termination == "completed":
            termination = late(usage, limits)
        look()
        return Outcome(
            termination=termination,
            exit_code=code if code >= 0 else None,
            exit_signal=-code if code < 0 else None,
            usage=usage,
            stdout=_contents(out.fileno()),
            stderr=_contents(err.fileno()),
            machine=load_since(swapped),
        )


def _watch(
    pid: int,
    tree: ProcessTree,
    limits: Limits,
    started: float,
    stop: threading.Event | None,
    look: Callable[[], bool],
    sample_s: float,
) -> tuple[Termination, Usage]:
    """Wait for the end of the process or for the first limit, without reaping it."""
    peak = 0
    cpu_s = 0.0
    with _Exit(pid) as ended:
        while True:
            over = ended.wait(sample_s)
            wall_s = time.monotonic() - started
            if not over:
                cpu_s, resident = tree.sample()
                peak = max(peak, resident)
            usage = Usage(cpu_s, wall_s, peak)
            if over:
                return "completed", usage
            if stop is not None and stop.is_set():
                return "interrupted", usage
            if (limit := late(usage, limits)) != "completed":
                return limit, usage
            if not look():
                return "wall-limit", usage


def late(usage: Usage, limits: Limits) -> Termination:
    """The first limit that the usage exceeds, or `completed`."""
    if usage.peak_bytes > limits.memory_bytes:
        return "memory-limit"
    if usage.cpu_s > limits.cpu_s:
        return "cpu-limit"
    return "wall-limit" if usage.wall_s > limits.wall_s else "completed"


class _Exit:
    """Waits for the end of a child process, which is left to be reaped."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._fd: int | None = None
        if hasattr(os, "pidfd_open"):  # Linux; elsewhere, and on old kernels, a look after each sleep
            with contextlib.suppress(OSError):
                self._fd = os.pidfd_open(pid)

    def __enter__(self) -> _Exit:
        return self

    def __exit__(self, *_: object) -> None:
        if self._fd is not None:
            os.close(self._fd)

    def wait(self, seconds: float) -> bool:
        """Whether the process has ended, waiting up to `seconds` for it."""
        if self._fd is not None:
            return bool(select.select([self._fd], [], [], seconds)[0])
        time.sleep(seconds)
        return os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _contents(fd: int, start: int = 0) -> bytes:
    return os.pread(fd, max(os.fstat(fd).st_size - start, 0), start)
