"""Real processes."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator

import pytest

from tests.waiting import Started


@pytest.fixture
def start() -> Iterator[Started]:
    """Starts Python programs with pipes; whatever of them is left at the end is killed."""
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
