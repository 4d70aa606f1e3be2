"""Start child processes that do not outlive this one, whatever ends it; and one that answers each line with a line.

`launch` puts two small programs before the command, each of which replaces itself by the next: `setpriv --pdeathsig
KILL` (util-linux) asks the kernel to kill the process when its parent dies, and `sh` leaves when the parent has died
before that, sets the limit of CPU seconds and starts the command. Both take about 2 ms. `subprocess`'s own `preexec_fn`
would run Python between fork and exec, which may hang in a program with threads.

The request is not inherited. Where there is no `setpriv` (not Linux), what remains is the limit of CPU seconds.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Final

from hexlogic.errors import EngineError
from hexlogic.process.signals import ending
from hexlogic.process.threads import stopped_after

_SHELL: Final = "/bin/sh"
_CHECKED: Final = '[ "$PPID" = "$0" ] || exit 1; '
"""The parent may have died before the kernel was asked: then somebody else is the parent now."""
_LIMITED: Final = 'ulimit -S -t "$1"; ulimit -H -t "$2"; shift 2; '
_CLOSING_S = 5.0

_lasting_thread: ThreadPoolExecutor


def launch(
    command: Sequence[str],
    *,
    cpu_s: float = math.inf,
    stdin: int | IO[bytes] | None = None,
    stdout: int | IO[bytes] | None = None,
    stderr: int | IO[bytes] | None = None,
    env: Mapping[str, str] | None = None,
    start_new_session: bool = False,
) -> subprocess.Popen[bytes]:
    """Start `command` as `subprocess.Popen` does; it is killed when this process ends, and after `cpu_s` CPU seconds
    (rounded up) of its own, children not counted.

    Raises FileNotFoundError and PermissionError for a command that cannot be executed. May be called from any thread:
    the kernel's "parent" is the thread that forks, so the fork is left to one that lasts as long as the process.
    """
    line = guarded(command, cpu_s=cpu_s, path=None if env is None else env.get("PATH"))

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            line, stdin=stdin, stdout=stdout, stderr=stderr, env=env, start_new_session=start_new_session
        )

    in_main_thread = threading.current_thread() is threading.main_thread()
    return start() if in_main_thread else _lasting_thread.submit(start).result()


def _begin_lasting_thread() -> None:
    """The thread that forks for others; a fork of this process does not have it."""
    global _lasting_thread
    _lasting_thread = ThreadPoolExecutor(1)


_begin_lasting_thread()
os.register_at_fork(after_in_child=_begin_lasting_thread)


def guarded(command: Sequence[str], *, cpu_s: float = math.inf, path: str | None = None) -> list[str]:
    """The command line that `launch` runs, for those who must fork themselves; the thread that forks must last as long
    as the child. `path` is where the command is looked up: that of this process unless given."""
    program = shutil.which(command[0], path=path)
    if program is None:  # a shell would tell that by an exit code only
        code = errno.EACCES if os.path.lexists(command[0]) and os.sep in command[0] else errno.ENOENT
        raise OSError(code, os.strerror(code), command[0])
    script, seconds = ("", []) if math.isinf(cpu_s) else (_LIMITED, list(map(str, cpu_limits(cpu_s))))
    script = f'{_CHECKED}{script}exec "$@"'
    return [*_death_signal(), _SHELL, "-c", script, str(os.getpid()), *seconds, program, *command[1:]]


def cpu_limits(cpu_s: float) -> tuple[int, int]:
    """Soft and hard limit: SIGXCPU, and a second later SIGKILL; neither above the limit of this process."""
    _, hardest = resource.getrlimit(resource.RLIMIT_CPU)
    if math.isinf(cpu_s):
        return hardest, hardest
    soft = int(cpu_s) + 1
    if hardest == resource.RLIM_INFINITY:
        return soft, soft + 1
    return min(soft, hardest), min(soft + 1, hardest)


@functools.cache
def _death_signal() -> tuple[str, ...]:
    """The command that asks the kernel for the signal; empty where there is none that can."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return ()
    request = (setpriv, "--pdeathsig", "KILL")
    tried = subprocess.run([*request, _SHELL, "-c", ":"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return request if tried.returncode == 0 else ()


class LineProcess:
    """A running tool called `name` that answers each request with a line. When it dies, or a reply is given up, it is
    closed for good. It stays in the process group of the caller, so that whoever limits a run ends both."""

    def __init__(self, name: str, command: Sequence[str], *, own_group: bool = False) -> None:
        """Start it. Raises EngineError when it cannot be started. With `own_group` it leads a process group of its own,
        which ends as a whole: for commands of a user, which may start others."""
        self._name = name
        self._own_group = own_group
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        try:
            pipe = subprocess.PIPE
            self.process = launch(command, stdin=pipe, stdout=pipe, stderr=self._stderr, start_new_session=own_group)
        except OSError as error:
            self._stderr.close()
            raise EngineError(f"{name} does not start: {error}") from None

    def send(self, text: str) -> None:
        """Write a request. Raises EngineError when nobody reads it any more."""
        if self._stderr.closed:
            raise EngineError(f"the {self._name} session is closed")
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(text.encode())
            self.process.stdin.flush()
        except OSError:
            raise self._death() from None
        except BaseException:
            self.close()  # half a request would spoil the next one
            raise

    def receive(self) -> str:
        """The next line, without its end. Raises EngineError when the process ends instead."""
        assert self.process.stdout is not None
        try:
            line = self.process.stdout.readline()
        except BaseException:
            self.close()  # an interrupted question would hand its answer to the next one
            raise
        if not line.endswith(b"\n"):
            raise self._death()
        return line.decode(errors="replace").rstrip("\r\n")

    @contextlib.contextmanager
    def within(self, seconds: float, late: str) -> Iterator[None]:
        """Kill the process when this takes longer; EngineErrors then say `late`, and any of them closes it."""
        with stopped_after(seconds, self.kill) as over:
            try:
                yield
            except EngineError:
                self.close()
                if over.is_set():
                    raise EngineError(late) from None
                raise

    def kill(self) -> None:
        """End the process from another thread: whoever waits for a reply gets an EngineError."""
        if self._own_group:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()

    def close(self) -> None:
        """End the process; a second call does nothing."""
        if self._stderr.closed:
            return
        self.kill()
        self.process.wait(_CLOSING_S)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):  # text that a dead process never read
                stream.close()
        self._stderr.close()

    def _death(self) -> EngineError:
        """What the end of the process looks like: exit code or signal, and its last words."""
        try:
            code = self.process.wait(_CLOSING_S)
        except subprocess.TimeoutExpired:
            code = None
        self._stderr.seek(0)
        last = " ".join(self._stderr.read().decode("utf-8", "replace").split("\n")[-6:]).strip()
        self.close()
        how = "closed its output" if code is None else f"{'was ' if code < 0 else ''}{ending(code)}"
        return EngineError(f"{self._name} {how}" + (f": {last}" if last else ""))


@functools.cache
def tool_version(name: str, binary: str) -> str:
    """The version that `BINARY --version` reports. Raises EngineError."""
    try:
        shown = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise EngineError(f"{name} --version: {error}") from None
    match = re.search(r"\d+(\.\d+)+", shown)
    if match is None:
        raise EngineError(f"{name} --version: no version in {shown.strip()!r}")
    return match.group()
