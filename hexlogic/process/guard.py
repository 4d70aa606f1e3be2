"""Start child processes that do not outlive this one, whatever ends it.

`launch` puts two small programs before the command, each of which replaces itself by the next, so that the process
keeps its number: `setpriv --pdeathsig KILL` (util-linux) asks the kernel to kill the process when its parent dies, and
`sh` leaves when the parent has died before that, sets the limit of CPU seconds and starts the command. Both take about
2 ms. `subprocess`'s own `preexec_fn` would run Python between fork and exec, which may hang in a program with threads.

The request is not inherited: a child that starts children has to launch them this way too. Where there is no
`setpriv` (not Linux), what remains is the limit of CPU seconds.
"""

from __future__ import annotations

import errno
import functools
import math
import os
import resource
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Final

_SHELL: Final = "/bin/sh"
_CHECKED: Final = '[ "$PPID" = "$0" ] || exit 1; '
"""The parent may have died before the kernel was asked: then somebody else is the parent now."""
_LIMITED: Final = 'ulimit -S -t "$1"; ulimit -H -t "$2"; shift 2; '

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
