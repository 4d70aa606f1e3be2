"""Run work in a thread that may be left behind, or in one that lasts as long as the process.

A thread that is left behind in compiled code (gringo, a solver) must not outlive the interpreter: its next call of
Python would end the process with SIGSEGV. So `end_before_threads` ends the process as its last exit handler.

The signal that a child gets when its parent dies (prctl PR_SET_PDEATHSIG) is sent when the *thread* that forked ends:
what the kernel ties to a thread's life is done in the lasting one.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import TypeVar

Made = TypeVar("Made")

_LOOK_S = 0.1
_LEFT = "may be left behind"

_starting = threading.Lock()
_work: SimpleQueue[Callable[[], None]] | None = None
_owner: int | None = None


def in_thread(work: Callable[[], Made]) -> Future[Made]:
    """Start `work` in a thread that does not keep the program from ending; the future of its result.

    >>> in_thread(lambda: 6 * 7).result()
    42
    """
    made: Future[Made] = Future()
    threading.Thread(target=_carry_out, args=(work, made), daemon=True, name=_LEFT).start()
    return made


def end_before_threads(status: int) -> None:
    """End the process with this status, at once, where a thread of `in_thread` still runs. For an exit handler that was
    registered before all others, so that it is the last to run."""
    if any(thread.name == _LEFT for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it, or it is closed
                stream.flush()
        os._exit(status)


def in_lasting_thread(make: Callable[[], Made], undo: Callable[[Made], None]) -> Made:
    """Call `make` in the lasting thread; what it returns or raises.

    When the caller is interrupted while it waits, what was made is given to `undo`, in that thread.

    >>> in_lasting_thread(lambda: 6 * 7, undo=lambda made: None)
    42
    """
    made: Future[Made] = Future()
    work = _queue()
    work.put(partial(_carry_out, make, made))
    try:
        # Not forever: a signal that comes just before the thread sleeps would be seen with the next one only.
        while not wait([made], timeout=_LOOK_S).done:
            pass
        return made.result()
    except BaseException:
        # The queue is carried out in order, so then `made` is done.
        work.put(lambda: None if made.exception() is not None else undo(made.result()))
        raise


def _carry_out(work: Callable[[], Made], made: Future[Made]) -> None:
    if not made.set_running_or_notify_cancel():  # from here on nobody can cancel it, as a server that ends would
        return
    try:
        made.set_result(work())
    except BaseException as error:
        made.set_exception(error)


def _queue() -> SimpleQueue[Callable[[], None]]:
    """The work of the lasting thread, which is begun when it is first needed, and again after a fork."""
    global _work, _owner
    with _starting:
        if _work is None or _owner != os.getpid():
            _work, _owner = SimpleQueue(), os.getpid()
            threading.Thread(target=_last, args=(_work,), name="lasting", daemon=True).start()
        return _work


def _last(work: SimpleQueue[Callable[[], None]]) -> None:
    while True:
        work.get()()


def _after_fork() -> None:
    """The lock may have been held by another thread, which the child does not have."""
    global _starting
    _starting = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
