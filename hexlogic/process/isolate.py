"""Run a command under limits: a fresh process in its own group, watched from outside, killed as a whole.

Should the watcher itself be killed, the kernel kills the process; each process of the run has a CPU limit of its own.

Nothing here knows about logic: any command will do, which is how the tests provoke every way to end.
"""

from __future__ import annotations

import contextlib
import os
import select
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, TypeAlias

from hexlogic.process.children import launch
from hexlogic.process.files import named
from hexlogic.process.limits import Limits, Load, Termination, Usage
from hexlogic.process.process_tree import MARK, ProcessTree
from hexlogic.process.signals import ending

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

    @property
    def ending(self) -> str:
        """What the command did itself, in words."""
        return ending(-self.exit_signal if self.exit_signal is not None else self.exit_code or 0)


@dataclass(frozen=True, slots=True)
class Started:
    """A process that was started to be watched: the leader of its own process group."""

    pid: int
    """Its process number, which no other process gets before it is reaped."""
    reap: Callable[[], tuple[int, float]]
    """Waits for its end: its exit code as `subprocess` writes it, and the CPU seconds of it and of the children that
    it waited for."""


Start: TypeAlias = Callable[[IO[bytes], IO[bytes], IO[bytes], float, str], Started]
"""Starts a process with these as stdin, stdout and stderr, so many CPU seconds at most, and the mark in the environment
of whatever it starts."""


def starting(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Start:
    """Starts a new process that executes a command, with these variables beside those of this process."""

    def start(source: IO[bytes], out: IO[bytes], err: IO[bytes], cpu_s: float, mark: str) -> Started:
        variables = {**os.environ, **(environment or {}), MARK: mark}
        process = launch(
            command, cpu_s=cpu_s, stdin=source, stdout=out, stderr=err, start_new_session=True, env=variables
        )

        def reap() -> tuple[int, float]:
            _, status, spent = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, spent.ru_utime + spent.ru_stime

        return Started(process.pid, reap)

    return start


def run_isolated(
    command: Sequence[str],
    stdin: bytes,
    limits: Limits,
    environment: Mapping[str, str] | None = None,
    stop: threading.Event | None = None,
) -> Outcome:
    """Run `command` to its end or to a limit: `run_watched` with a new process."""
    return run_watched(starting(command, environment), stdin, limits, stop=stop)


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
        before, begin = Load.now(), time.monotonic()
        process = start(source, out, err, limits.cpu_s + _BACKSTOP_S, mark)
        tree = ProcessTree(process.pid, mark)
        seen = 0

        def look() -> bool:
            nonlocal seen
            written = _contents(out.fileno(), seen)
            seen += len(written)
            return observe(written)

        def watch() -> Termination:
            """Wait for the end of the process or for the first limit, without reaping it."""
            with _waiting_for(process.pid) as ended:
                while not ended(sample_s):
                    usage = tree.sample(time.monotonic() - begin)
                    if stop is not None and stop.is_set():
                        return "interrupted"
                    if (limit := usage.late(limits)) != "completed":
                        return limit
                    if not look():
                        return "wall-limit"
                return "completed"

        try:
            termination = watch()
            wall_s = time.monotonic() - begin
        finally:
            # The worker is killed but not yet reaped, so its number, which is the group's, cannot mean another.
            tree.kill()
            code, cpu_s = process.reap()
        usage = Usage(max(tree.usage.cpu_s, cpu_s), wall_s, tree.usage.peak_bytes)
        look()
        return Outcome(
            termination=usage.late(limits) if termination == "completed" else termination,
            exit_code=code if code >= 0 else None,
            exit_signal=-code if code < 0 else None,
            usage=usage,
            stdout=_contents(out.fileno()),
            stderr=_contents(err.fileno()),
            machine=Load.now(since=before),
        )


@contextlib.contextmanager
def _waiting_for(pid: int) -> Iterator[Callable[[float], bool]]:
    """Says whether a process has ended, waiting up to so many seconds for it; a child is left to be reaped."""
    descriptor = None
    if hasattr(os, "pidfd_open"):  # Linux; elsewhere, and on old kernels, a look after each sleep
        with contextlib.suppress(OSError):
            descriptor = os.pidfd_open(pid)

    def has_ended(seconds: float) -> bool:
        if descriptor is not None:
            return bool(select.select([descriptor], [], [], seconds)[0])
        time.sleep(seconds)
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    try:
        yield has_ended
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _contents(fd: int, start: int = 0) -> bytes:
    return os.pread(fd, max(os.fstat(fd).st_size - start, 0), start)
