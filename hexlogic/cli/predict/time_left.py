"""Progress of a long loop as lines on stderr, with the time that is left."""

from __future__ import annotations

import time

import typer

from hexlogic.cli.progress import is_quiet

__all__ = ["TimeLeft"]

_FIRST_AFTER_S = 5.0


class TimeLeft:
    """Says how far something is, first after five seconds and then after ever longer pauses."""

    def __init__(self) -> None:
        self._what = ""
        self._begin = self._next = 0.0

    def __call__(self, what: str, done: int, whole: int) -> None:
        """`done` of `whole` are done."""
        now = time.monotonic()
        if what != self._what:
            self._what, self._begin, self._next = what, now, now + _FIRST_AFTER_S
        elif now >= self._next and 0 < done < whole and not is_quiet():
            spent = now - self._begin
            left = spent / done * (whole - done)
            typer.echo(f"{what}: {done} of {whole} after {spent:.0f} s, about {left:.0f} s left", err=True)
            self._next = now + max(_FIRST_AFTER_S, spent)
