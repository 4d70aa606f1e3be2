"""Fork children from a process that has imported everything already, so that a job need not wait for imports.

A question of a page about rule text takes 0.05 s so instead of 0.4, a step of a sheet 0.2 s instead of 1.1.

The forking process reads messages in JSON from the Unix socket that is its stdin. `[MARK, SOFT, HARD]`, with limits of
CPU seconds, comes with three descriptors, which become stdin, stdout and stderr of a child that runs `call.serve_one`;
the answer is its number. A number asks to wait for that child: the answer is its wait status and CPU seconds. The
process ends when the socket is closed.

No child runs two jobs: nothing that one job leaves behind can reach another. The process has one thread, so that a fork
copies no lock that somebody else holds.
"""

import contextlib
import ctypes
import gc
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import IO, Final, TypeAlias

import msgspec

from hexlogic.errors import EngineError
from hexlogic.process.call import command_of, function_at, is_job, name_of, serve_one
from hexlogic.process.children import cpu_limits, launch
from hexlogic.process.isolate import Started, starting
from hexlogic.process.process_tree import MARK

_LARGEST_MESSAGE: Final = 4096  # Bytes of a message
_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG of prctl(2)


_Request: TypeAlias = tuple[str, int, int] | int


class ForkServer:
    """Starts jobs in forks of a process that has called `prepare`, a function of a module without arguments, once.

    That process is begun by `begin` or with the first job, again when it has died, and ends with `close` or with this
    process. With `inside` it is a fork of this process where this one runs a job (`call.is_job`), which then must have
    no threads of its own; else a new one. Where it does not work, a job gets a new process. Many threads may use it.
    """

    def __init__(self, prepare: Callable[[], object], *, inside: bool = False) -> None:
        self._inside = inside
        self._prepare = name_of(prepare)
        self._lock = threading.RLock()
        self._server: tuple[Callable[[], object], socket.socket] | None = None

    @staticmethod
    def works_here() -> bool:
        """Whether the system has what this needs: fork, a death signal, and pidfd_open to watch processes."""
        return sys.platform == "linux" and hasattr(os, "pidfd_open")

    def begin(self) -> None:
        """Start the process without waiting until it has prepared."""
        with self._lock:
            if self._server is None and self.works_here():
                channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                with other:
                    self._server = self._launched(channel, other), channel

    def _launched(self, channel: socket.socket, other: socket.socket) -> Callable[[], object]:
        """What ends the process that reads from `other`."""
        if self._inside and is_job():

            def run() -> None:
                channel.close()
                _serve(other, self._prepare)

            pid = _forked(run)

            def end() -> None:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)

            return end
        command = command_of(fork_until_closed, self._prepare)
        process = launch(command, stdin=other.fileno(), stdout=subprocess.DEVNULL, start_new_session=True)

        def kill() -> None:
            process.kill()
            process.wait()

        return kill

    def start(self, source: IO[bytes], out: IO[bytes], err: IO[bytes], cpu_s: float, mark: str) -> Started:
        """Fork a child that reads a job from `source`, as `run_watched` wants it. Raises EngineError."""
        if not self.works_here():
            return starting(command_of(serve_one))(source, out, err, cpu_s, mark)
        request = (mark, *cpu_limits(cpu_s))
        with self._lock:
            for _ in range(2):  # it may have died since the last job
                self.begin()
                answer = self._exchange(request, source.fileno(), out.fileno(), err.fileno())
                if answer is not None:
                    pid = msgspec.json.decode(answer, type=int)
                    return Started(pid, partial(self._reap, pid))
                self.close()
        raise EngineError(f"the process that {self._prepare} prepares does not start")

    def close(self) -> None:
        """End the process and what it has forked."""
        with self._lock:
            if self._server is not None:
                end, channel = self._server
                channel.close()
                end()
                self._server = None

    def _reap(self, pid: int) -> tuple[int, float]:
        with self._lock:
            answer = self._exchange(pid)
        if answer is None:
            return -signal.SIGKILL, 0.0
        status, cpu_s = msgspec.json.decode(answer, type=tuple[int, float])
        return os.waitstatus_to_exitcode(status), cpu_s

    def _exchange(self, request: _Request, *streams: int) -> bytes | None:
        if self._server is not None:
            with contextlib.suppress(OSError):
                _, channel = self._server
                socket.send_fds(channel, [msgspec.json.encode(request)], streams)
                return channel.recv(_LARGEST_MESSAGE) or None
        return None


def fork_until_closed() -> None:
    """Run as the process that forks: prepare, then fork until the socket is closed."""
    with socket.socket(fileno=os.dup(0)) as channel:
        _serve(channel, sys.argv[1])


def _serve(channel: socket.socket, prepare: str) -> None:
    function_at(prepare)()
    gc.collect()
    gc.freeze()  # so that the collectors of children do not copy what they only look at
    while True:
        message, streams, _, _ = socket.recv_fds(channel, _LARGEST_MESSAGE, 3)
        if not message:
            return
        request = msgspec.json.decode(message, type=_Request)
        answer: int | tuple[int, float]
        if isinstance(request, int):
            _, status, spent = os.wait4(request, 0)
            answer = status, spent.ru_utime + spent.ru_stime
        else:
            answer = _forked(partial(_run_job, channel, streams, *request))
            for stream in streams:
                os.close(stream)
        channel.send(msgspec.json.encode(answer))


def _run_job(channel: socket.socket, streams: Sequence[int], mark: str, soft: int, hard: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
    os.environ[MARK] = mark  # for processes that the job starts
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for used in (*streams, channel.detach()):
        os.close(used)
    serve_one()


def _forked(run: Callable[[], object]) -> int:
    """The number of a child that leads its own session and process group already."""
    parent = os.getpid()
    ready, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)  # which a fork does not inherit
            if os.getppid() != parent:
                os._exit(1)
            for used in (ready, tell):
                os.close(used)
            run()
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.flush()
            os._exit(1)
    os.close(tell)
    os.read(ready, 1)  # the end of the pipe: the group exists, or the child has failed
    os.close(ready)
    return pid
