"""Find and end processes by a variable of their environment, which all that they start inherits.

A mark finds those that left their group, their session and their parent; and a number that another process has got
since is never mistaken, as the variable is looked at, and psutil compares the start times before it sends a signal.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection

import psutil

_ROUNDS = 10
_ENDING_S = 0.2


def find_marked(
    name: str, value: str, *, started_after: float = 0.0, without: Collection[int] = ()
) -> list[psutil.Process]:
    """The living processes of this user with `name=value` in the environment they were started with.

    Those that began before `started_after` (seconds since the epoch) are not looked at, nor are the numbers `without`.
    """
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid in without or process.create_time() < started_after:
                continue
            if process.environ().get(name) == value and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def end_marked(
    name: str, value: str, *, started_after: float = 0.0, without: Collection[int] = ()
) -> list[tuple[int, str]]:
    """SIGKILL to what `find_marked` finds, until nothing is found any more; number and name of all that was found."""
    ended: dict[int, str] = {}
    for _ in range(_ROUNDS):  # a process may fork between the search and its end
        marked = find_marked(name, value, started_after=started_after, without=without)
        if not marked:
            break
        for process in marked:
            with contextlib.suppress(psutil.Error):
                ended[process.pid] = process.name()
                process.kill()
        psutil.wait_procs(marked, timeout=_ENDING_S)
    return list(ended.items())
