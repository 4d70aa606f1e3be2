"""One run's processes: what they use together, and their certain end."""

from __future__ import annotations

import contextlib
import os
import signal
import time

import psutil

from hexlogic.process.marked import end_marked

MARK = "HEXLOGIC_RUN"
"""An environment variable that all processes of a run inherit: it finds those that left group and parent."""

_DISCOVER_EVERY = 5
"""Samples between two searches for new children, which read the whole process table."""


class ProcessTree:
    """The process `root` (leader of its own process group), and all that descend from it."""

    def __init__(self, root: int, mark: str) -> None:
        self._root = root
        self._mark = mark
        self._started = time.time()
        self._samples = 0
        self._cpu_s = 0.0
        self._seen: list[psutil.Process] = []
        """Every process seen, dead or alive, in the order of discovery."""
        with contextlib.suppress(psutil.NoSuchProcess):
            self._seen.append(psutil.Process(root))

    def sample(self) -> tuple[float, int]:
        """CPU seconds used by the tree so far, and its resident bytes now (shared pages count once per process)."""
        if self._samples % _DISCOVER_EVERY == 0:
            self._discover()
        self._samples += 1
        cpu_s, resident = 0.0, 0
        for process in self._seen:
            with contextlib.suppress(psutil.Error), process.oneshot():
                # A child that ended is in the account of the parent that waited for it.
                times = process.cpu_times()
                resident += process.memory_info().rss
                cpu_s += times.user + times.system + times.children_user + times.children_system
        # The share of a child whose parent died before it is lost: what was seen once stays seen.
        self._cpu_s = max(self._cpu_s, cpu_s)
        return self._cpu_s, resident

    def kill(self) -> None:
        """SIGKILL to the group, to every descendant seen, and to whatever else carries the mark, until none is left.

        Call it while `root` is not yet reaped: only then is its number certain to mean its group.
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._root, signal.SIGKILL)
        for process in self._seen:
            with contextlib.suppress(psutil.Error):  # psutil checks that the number still means the same process
                if process.pid != self._root:
                    process.kill()
        # The clock of the process table is coarse, hence the second of tolerance.
        end_marked(MARK, self._mark, started_after=self._started - 1, without=(self._root,))

    def _discover(self) -> None:
        for process in tuple(self._seen):
            with contextlib.suppress(psutil.Error):
                self._seen += [child for child in process.children(recursive=True) if child not in self._seen]
