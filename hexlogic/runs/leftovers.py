"""Processes of a session that was killed: found by its name in their environment, and ended before it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hexlogic.process.marked import end_marked

__all__ = ["SESSION_MARK", "end_leftovers"]

SESSION_MARK: Final = "HEXLOGIC_SESSION"
"""The environment variable of a run's processes that holds the name of their session (`Session.session`)."""


def end_leftovers(session: str, say: Callable[[str], None]) -> int:
    """End what a killed session left running on this machine, tell each process, and return how many there were.

    Only whoever holds the lock of the session's records may call it: then no living process measures for it.
    """
    ended = end_marked(SESSION_MARK, session)
    for number, name in ended:
        say(f"ended process {number} ({name}), which the killed session had left running")
    return len(ended)
