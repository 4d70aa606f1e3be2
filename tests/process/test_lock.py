"""A lock that tells its holder, and that a dead process does not hold."""

from __future__ import annotations

import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hexlogic.process.line_file import FileLock, Held
from tests.waiting import Started

HOLDER = """
import sys, time
from pathlib import Path
from hexlogic.process.line_file import FileLock
lock = FileLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_who_holds_it_is_told(tmp_path: Path, start: Started) -> None:
    path = tmp_path / "lock"
    holder = start(HOLDER, str(path), "an argument")
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(Held) as held:
        FileLock(path)
    begin, end = f"process {holder.pid} on {socket.gethostname()} since ", f"Z: -c {path} 'an argument'"
    assert str(held.value).startswith(begin)
    assert str(held.value).endswith(end)


def test_a_dead_process_holds_nothing(tmp_path: Path, start: Started) -> None:
    path = tmp_path / "lock"
    holder = start(HOLDER, str(path))
    holder.stdout.readline()
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert path.exists(), "it could not remove its file"
    lock = FileLock(path)
    with pytest.raises(Held, match=str(os.getpid())):
        FileLock(path)
    lock.release()
    lock.release()
    assert not path.exists()


def test_children_of_a_dead_holder_do_not_hold_it(tmp_path: Path, start: Started) -> None:
    path = tmp_path / "lock"
    # `Popen` is back when the child has become `cat`; before that it holds what its parent holds.
    child = "import subprocess; cat = subprocess.Popen(['cat'], close_fds=False); print('cat', flush=True); cat.wait()"
    holder = start(HOLDER.replace("sys.stdin.read()", child), str(path))
    assert [holder.stdout.readline() for _ in range(2)] == ["held\n", "cat\n"]
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    FileLock(path).release()


def test_many_at_once_hold_it_one_at_a_time(tmp_path: Path) -> None:
    """Each holder removes the file, so that waiters may have opened a file that is gone."""
    path, inside, most = tmp_path / "lock", [0], [0]

    def hold(_: int) -> int:
        taken = 0
        while not taken:
            try:
                lock = FileLock(path)
            except Held:
                continue
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            inside[0] -= 1
            lock.release()
            taken = 1
        return taken

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(hold, range(400))) == 400
    assert most == [1]


def test_a_file_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FileLock(tmp_path / "nowhere" / "lock")
