"""Jobs in processes that need not be started: a process that has imported everything forks one for each job.

A new process of Python spends 0.3 s of CPU on imports before it does anything; a fork is there in milliseconds, and is
as fresh. See `fork_loop` for the other end.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from hexlogic.errors import EngineError
from hexlogic.process.fork_loop import LARGEST_MESSAGE
from hexlogic.process.guard import cpu_limits, launch
from hexlogic.process.job import name_of


class ForkServer:
    """Starts jobs in forks of a process that has called `prepare`, a function of a module without arguments, once.

    That process is begun by `begin` or with the first job, again when it has died, and ends with `close` or with this
    process. May be used by many threads.
    """

    def __init__(self, prepare: Callable[[], object]) -> None:
        self._prepare = name_of(prepare)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None

    @staticmethod
    def works_here() -> bool:
        """Whether the system has what this needs: fork, a death signal, and a way to watch who is no child of ours."""
        return sys.platform == "linux" and hasattr(os, "pidfd_open")

    def begin(self) -> None:
        """Start the process; what it prepares is not waited for."""
        with self._lock:
            self._begin()

    def start(self, source: IO[bytes], out: IO[bytes], err: IO[bytes], cpu_s: float, mark: str) -> Forked:
        """Fork a child that reads a job from `source`, as `run_watched` wants it. Raises EngineError."""
        words = {"mark": mark, "cpu": cpu_limits(cpu_s)}
        streams = [source.fileno(), out.fileno(), err.fileno()]
        with self._lock:
            for _ in range(2):  # it may have died since the last job
                self._begin()
                if (answer := self._exchange(words, streams)) is not None:
                    return Forked(answer["pid"], self)
                self._end()
        raise EngineError(f"the process that {self._prepare} prepares does not start")

    def reap(self, pid: int) -> tuple[int, float]:
        """What `Forked.reap` says; a child whose fork server has died was killed with it."""
        with self._lock:
            answer = self._exchange({"reap": pid}, [])
        if answer is None:
            return -signal.SIGKILL, 0.0
        return os.waitstatus_to_exitcode(answer["status"]), float(answer["cpu_s"])

    def close(self) -> None:
        """End the process and what it has forked."""
        with self._lock:
            self._end()

    def _begin(self) -> None:
        if self._process is not None:
            return
        self._channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "hexlogic.process.fork_loop", self._prepare]
        with other:
            self._process = launch(command, stdin=other.fileno(), stdout=subprocess.DEVNULL, start_new_session=True)

    def _exchange(self, words: dict[str, Any], streams: list[int]) -> dict[str, Any] | None:
        """The answer to a message; None when the process is not there."""
        if self._channel is None:
            return None
        with contextlib.suppress(OSError):
            socket.send_fds(self._channel, [json.dumps(words).encode()], streams)
            if answer := self._channel.recv(LARGEST_MESSAGE):
                found: dict[str, Any] = json.loads(answer)
                return found
        return None

    def _end(self) -> None:
        if self._process is None or self._channel is None:
            return
        self._channel.close()
        self._process.kill()
        self._process.wait()
        self._process = self._channel = None


@dataclass(frozen=True, slots=True)
class Forked:
    """A child of the fork server, which leads a process group of its own."""

    pid: int
    server: ForkServer

    def reap(self) -> tuple[int, float]:
        """Wait for its end: its exit code as `subprocess` writes it, and the CPU seconds of it and its children."""
        return self.server.reap(self.pid)
