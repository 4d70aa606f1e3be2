"""Signals that end a program in order: children stopped, files closed, and an exit status that names the signal."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Final

ENDING: Final = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end a program, besides SIGINT."""


class Terminated(KeyboardInterrupt):
    """A signal asked the program to end. It goes the way of Ctrl-C; only the exit status differs."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def end_at_once(number: int, frame: FrameType | None) -> None:
    """Handle a signal while a program begins or ends, when there is nothing to put in order."""
    os.write(2, b"interrupted\n")
    os._exit(128 + number)


def interruptible() -> None:
    """Let SIGINT raise KeyboardInterrupt from now on, even where the program was started with SIGINT ignored, as by
    `nohup` or in the background of a script; Python installs its handler only elsewhere. Children then start with
    SIGINT not ignored.
    """
    replaced = (signal.SIG_IGN, end_at_once)
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) in replaced:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """Let SIGTERM and SIGHUP raise Terminated in the main thread. A SIGHUP that is ignored stays so: that is what
    `nohup` is for.

    A KeyboardInterrupt that nobody has caught leaves as SystemExit with its exit status, since command line libraries
    take each for a SIGINT.
    """
    numbers = [number for number in ENDING if number == signal.SIGTERM or signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, _terminate) for number in numbers}
    try:
        yield
    except KeyboardInterrupt as end:
        raise SystemExit(exit_status(end)) from end
    finally:
        _received.clear()
        for number, handler in before.items():
            signal.signal(number, handler)


def exit_status(error: BaseException | None) -> int:
    """128 plus the number of the signal that `error`, or what caused it, stands for; SIGINT unless it says.

    >>> exit_status(KeyboardInterrupt()), exit_status(Terminated(signal.SIGTERM))
    (130, 143)
    """
    while error is not None:
        if isinstance(error, Terminated):
            return 128 + error.number
        error = error.__cause__ or error.__context__
    return 128 + signal.SIGINT


def ending(code: int) -> str:
    """How a process ended whose exit code `subprocess` writes so.

    >>> ending(3), ending(-9)
    ('ended with exit code 3', 'ended by SIGKILL')
    """
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"


def raise_again() -> None:
    """Raise Terminated for a signal whose exception Python dropped inside a finaliser; ask now and then."""
    if _received:
        raise Terminated(_received[0])


_received: list[int] = []


def _terminate(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    raise Terminated(number)
