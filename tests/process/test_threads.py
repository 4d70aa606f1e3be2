"""Threads whose result somebody waits for."""

from __future__ import annotations

import threading

from hexlogic.process.threads import in_thread
from tests.waiting import HANG_S


def test_work_that_has_begun_cannot_be_called_off():
    """A server that ends cancels what it waits for; the thread has to have a place for its result all the same."""
    begun, released = threading.Event(), threading.Event()

    def work():
        begun.set()
        return released.wait(HANG_S)

    done = in_thread(work)
    assert begun.wait(HANG_S)
    assert not done.cancel()
    released.set()
    assert done.result(timeout=HANG_S) is True
