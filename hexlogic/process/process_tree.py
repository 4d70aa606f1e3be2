"""Measure what process trees use, and end them with certainty.

A mark, a variable of the environment, finds the processes of a run that left their group, their session and their
parent. A number that another process has got since is never mistaken: psutil compares the start times before it sends a
signal.

The clock of the process table ticks every 10 ms. Linux has one for each process that counts nanoseconds, and
`clock_gettime` reads that of any process (`man 3 clock_getcpuclockid`).
"""

import contextlib
import os
import platform
import resource
import signal
import time
from collections.abc import Collection

import psutil

from hexlogic.process.limits import Usage

_ROUNDS = 10
_ENDING_S = 0.2


def find_marked(
    name: str, value: str, *, started_after: float = 0.0, without: Collection[int] = ()
) -> list[psutil.Process]:
    """The living processes of this user with `name=value` in the environment they were started with. Those that began
    before `started_after` (seconds since the epoch) are not looked at, nor are the numbers `without`."""
    marked = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid in without or process.create_time() < started_after:
                continue
            if process.environ().get(name) == value and process.status() != psutil.STATUS_ZOMBIE:
                marked.append(process)
    return marked


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


MARK = "HEXLOGIC_RUN"
"""An environment variable that all processes of a run inherit."""

_DISCOVER_EVERY = 5  # Samples between two searches for new children, which read the whole process table


class ProcessTree:
    """The process `root` (leader of its own process group), and all that descend from it."""

    def __init__(self, root: int, mark: str) -> None:
        self.usage = Usage(0.0, 0.0, 0)
        """As sampled last."""
        self._root, self._mark = root, mark
        self._started = time.time()
        self._samples = 0
        self._seen: list[psutil.Process] = []  # Every process seen, dead or alive, in the order of discovery
        with contextlib.suppress(psutil.NoSuchProcess):
            self._seen.append(psutil.Process(root))

    def sample(self, wall_s: float) -> Usage:
        """CPU seconds of the tree so far, and its most resident bytes at a sample (shared pages once per process)."""
        if self._samples % _DISCOVER_EVERY == 0:
            for process in tuple(self._seen):
                with contextlib.suppress(psutil.Error):
                    self._seen += [child for child in process.children(recursive=True) if child not in self._seen]
        self._samples += 1
        cpu_s, resident = 0.0, 0
        for process in self._seen:
            with contextlib.suppress(psutil.Error), process.oneshot():
                # A child that ended is in the account of the parent that waited for it.
                times = process.cpu_times()
                resident += process.memory_info().rss
                cpu_s += times.user + times.system + times.children_user + times.children_system
        # The share of a child whose parent died before it is lost: what was seen once stays seen.
        self.usage = Usage(max(self.usage.cpu_s, cpu_s), wall_s, max(self.usage.peak_bytes, resident))
        return self.usage

    def kill(self) -> None:
        """SIGKILL to the group, to every descendant seen, and to whatever else carries the mark, until none is left.
        Call it while `root` is not yet reaped: only then is its number certain to mean its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._root, signal.SIGKILL)
        for process in self._seen:
            with contextlib.suppress(psutil.Error):  # psutil checks that the number still means the same process
                if process.pid != self._root:
                    process.kill()
        # The clock of the process table is coarse, hence the second of tolerance.
        end_marked(MARK, self._mark, started_after=self._started - 1, without=(self._root,))


_LINUX = platform.system() == "Linux"

_OF_PROCESS = 2  # The kind of a clock in its number: that of all threads of a process (CPUCLOCK_SCHED of the kernel)


class TreeClock:
    """Counts this process, the children it had when the clock was made, and those that it has waited for."""

    def __init__(self) -> None:
        self._children = psutil.Process().children(recursive=True)

    def cpu_s(self) -> float:
        """CPU seconds so far."""
        waited = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + waited.ru_utime + waited.ru_stime + sum(map(_of_child, self._children))


def _of_child(child: psutil.Process) -> float:
    try:
        if _LINUX:
            return time.clock_gettime((~child.pid << 3) | _OF_PROCESS)
        times = child.cpu_times()
    except (OSError, psutil.Error):  # ended; what it used is with those that were waited for
        return 0.0
    return times.user + times.system
