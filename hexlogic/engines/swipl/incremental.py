"""SWI-Prolog in a game: facts asserted and erased in one process, which lives as long as the follower.

The tables of a look are dropped at its end, since the next stone makes them wrong.
"""

from __future__ import annotations

from hexlogic.engines.incremental import SessionFollower
from hexlogic.engines.swipl.session import SwiplSession

__all__ = ["SwiplFollower"]


class SwiplFollower(SessionFollower[SwiplSession]):
    """Nothing but the new fact and the queries go to the process at a move."""

    def _put(self, number: int) -> None:
        self._session.set_fact(self.inputs[number])

    def _take(self, number: int) -> None:
        self._session.erase_last()

    def _query(self) -> int:
        return self._session.truths(self.queries)
