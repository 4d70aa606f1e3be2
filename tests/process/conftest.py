"""Real processes: what they say, and that they end."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator

import psutil
import pytest

ENDS_WITHIN_S = 120
"""What a loaded machine may take for something that happens at once."""

Started = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Started]:
    """Starts Python programs with pipes; whatever of them and their children is left at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def begin(code: str, *arguments: str, **options: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def has_ended(pid: int) -> bool:
    """Whether the process ends; waits for that."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return True
        process.wait(ENDS_WITHIN_S)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return process.status() == psutil.STATUS_ZOMBIE
    return True
