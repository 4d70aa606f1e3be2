"""Events in the programs that are measured."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.waiting import Ready


@pytest.fixture
def ready(tmp_path: Path) -> Iterator[Ready]:
    """Has something done once when a program says that it is ready, which it does by opening a pipe by name."""
    pipe, threads, over = tmp_path / "ready", [], threading.Event()
    os.mkfifo(pipe)

    def listen(then: Callable[[], object]) -> str:
        def wait() -> None:
            pipe.read_bytes()
            if not over.is_set():
                then()

        threads.append(threading.Thread(target=wait))
        threads[-1].start()
        return f"open({str(pipe)!r}, 'w').close()"

    yield listen
    over.set()
    for thread in threads:
        while thread.is_alive():  # nobody said so: the test has failed
            with suppress(OSError):
                os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
            thread.join(0.02)
