"""A search that is killed leaves no solver behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest

from tests.waiting import gone, wait_for


@pytest.mark.takes_seconds
def test_a_killed_search_leaves_no_busy_child() -> None:
    """The child is in the solver, which reads nothing and listens to nobody."""
    command = [
        sys.executable,
        "-m",
        "hexlogic",
        "boards",
        "hardest",
        "--size",
        "13",
        "--stones",
        "40",
        "--time",
        "5000",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)

    def busy() -> list[psutil.Process]:
        children = psutil.Process(process.pid).children(recursive=True)
        return children if any(child.cpu_times().user > 2 for child in children) else []

    try:
        children = wait_for(busy, process)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert gone(children)
