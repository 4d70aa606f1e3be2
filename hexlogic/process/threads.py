"""Run work in a thread that may be left behind.

A thread that is left behind in compiled code (gringo, a solver) must not outlive the interpreter: its next call of
Python would end the process with SIGSEGV. So `end_before_threads` ends the process as its last exit handler.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Result = TypeVar("Result")

_LEFT = "may be left behind"


def in_thread(work: Callable[[], Result]) -> Future[Result]:
    """Start `work` in a thread that does not keep the program from ending; the future of its result."""
    future: Future[Result] = Future()
    future.set_running_or_notify_cancel()  # from here on nobody can cancel it, as a server that ends would

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True, name=_LEFT).start()
    return future


def end_before_threads(status: int) -> None:
    """End the process with this status, at once, where a thread of `in_thread` still runs. For an exit handler that was
    registered before all others, so that it is the last to run."""
    if any(thread.name == _LEFT for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it, or it is closed
                stream.flush()
        os._exit(status)


def one_blas_thread() -> AbstractContextManager[object]:
    """A context in which products of matrices take one thread: on a busy machine two threads wait for each other, and
    a small product takes forty times as long. Call it after numpy is imported."""
    limited: AbstractContextManager[object] = _blas().limit(limits=1)
    return limited


@cache
def _blas() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


@contextmanager
def stopped_after(limit_s: float, stop: Callable[[], None]) -> Iterator[threading.Event]:
    """Call `stop` from another thread after so many wall seconds; the event is set before, to tell why."""
    late = threading.Event()

    def end() -> None:
        late.set()
        stop()

    timer = threading.Timer(limit_s, end)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
