"""Children that do not outlive their parent, whatever ends it and from whatever thread they were started."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from hexlogic.process import children
from hexlogic.process.children import guarded, launch
from tests.waiting import Started, gone

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel sends the signal on Linux only")

BUSY = "import sys; print('on', flush=True)\nwhile True: pass"


@linux
@pytest.mark.parametrize("in_thread", [False, True], ids=["main thread", "thread that has ended"])
def test_a_busy_child_and_its_busy_child_end_with_a_killed_parent(start: Started, in_thread: bool) -> None:
    """The child starts another one, both compute, neither reads anything: only the kernel can end them."""
    parent = start(
        f"""
        import os, subprocess, sys, threading, time
        from hexlogic.process.children import launch
        BUSY = {BUSY!r}
        CHILD = '''
        import os, subprocess, sys
        from hexlogic.process.children import launch
        grandchild = launch([sys.executable, "-S", "-c", sys.argv[1]], stdout=subprocess.PIPE)
        grandchild.stdout.readline()
        print(os.getpid(), grandchild.pid, flush=True)
        while True: pass
        '''.replace("\\n        ", "\\n")
        def begin():
            child = launch([sys.executable, "-c", CHILD, BUSY], start_new_session=True)
        if {in_thread}:
            thread = threading.Thread(target=begin); thread.start(); thread.join()
        else:
            begin()
        while True: time.sleep(60)
        """
    )
    pids = list(map(int, parent.stdout.readline().split()))
    assert len(pids) == 2
    assert all(psutil.Process(pid).is_running() for pid in pids)
    os.kill(parent.pid, signal.SIGKILL)
    assert gone(pids)


def test_a_child_outlives_the_thread_that_started_it() -> None:
    """The kernel sends the signal when the thread that forked ends, which must not be the one that asked."""
    children: list[subprocess.Popen[bytes]] = []

    def begin() -> None:
        children.append(launch(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE))

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
    out, _ = children[0].communicate(b"still here")
    assert (out, children[0].returncode) == (b"still here", 0)


def test_a_child_whose_parent_died_before_it_began_leaves() -> None:
    """The race between fork and the request to the kernel: whoever is the parent now is not the one that asked."""
    command = guarded(["echo", "began"])
    place = command.index(str(os.getpid()))
    command[place] = str(os.getpid() + 1)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")


def test_the_process_keeps_its_number_output_and_status() -> None:
    child = launch(["sh", "-c", "echo $$; exit 7"], stdout=subprocess.PIPE)
    out, _ = child.communicate()
    assert (int(out), child.returncode) == (child.pid, 7)


def test_arguments_arrive_as_they_are() -> None:
    given = ["", "a b", "$HOME", "'", '"', "-c", "*", "\n", "--", "é"]
    code = "import sys; print(sys.argv[1:])"
    child = launch([sys.executable, "-S", "-c", code, *given], stdout=subprocess.PIPE, cpu_s=20)
    assert child.communicate()[0].decode().strip() == repr(given)


def test_the_cpu_limit_is_the_childs_own() -> None:
    """Nobody watches it: the system ends it."""
    child = launch([sys.executable, "-S", "-c", "while True: pass"], cpu_s=0.5, stderr=subprocess.DEVNULL)
    assert child.wait() in (-signal.SIGXCPU, -signal.SIGKILL)


def test_the_cpu_limit_is_never_above_that_of_the_parent(start: Started) -> None:
    process = start(
        """
        import resource, subprocess, sys
        from hexlogic.process.children import launch
        resource.setrlimit(resource.RLIMIT_CPU, (50, 60))
        code = "import resource; print(resource.getrlimit(resource.RLIMIT_CPU))"
        for cpu_s in (7, 1000):
            child = launch([sys.executable, "-S", "-c", code], cpu_s=cpu_s, stdout=-1, stderr=-2)
            print(child.communicate()[0].decode().strip())
        """
    )
    out, _ = process.communicate()
    assert out.splitlines() == ["(8, 9)", "(60, 60)"]


@pytest.mark.parametrize(
    ("name", "error"), [("no-such-command", FileNotFoundError), ("./no/such/file", FileNotFoundError)]
)
def test_a_command_that_is_not_there(name: str, error: type[OSError]) -> None:
    with pytest.raises(error, match="No such file") as raised:
        launch([name])
    assert raised.value.filename == name


def test_a_command_that_may_not_be_executed(tmp_path: Path) -> None:
    file = tmp_path / "plain"
    file.write_text("#!/bin/sh\n")
    with pytest.raises(PermissionError):
        launch([str(file)])


def test_without_setpriv_the_limits_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "_death_signal", lambda: ())
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_CPU))"
    child = launch([sys.executable, "-S", "-c", code], cpu_s=3, stdout=subprocess.PIPE)
    hardest = resource.getrlimit(resource.RLIMIT_CPU)[1]
    assert hardest == resource.RLIM_INFINITY
    assert child.communicate()[0].strip() == b"(4, 5)"
