"""Work in a thread that may be left behind: it does not keep the program from ending."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

__all__ = ["in_thread"]

Made = TypeVar("Made")


def in_thread(work: Callable[[], Made]) -> Future[Made]:
    """What `work` returns or raises, some time.

    >>> in_thread(lambda: 6 * 7).result()
    42
    """
    made: Future[Made] = Future()

    def carry_out() -> None:
        try:
            made.set_result(work())
        except BaseException as error:
            made.set_exception(error)

    threading.Thread(target=carry_out, daemon=True).start()
    return made
