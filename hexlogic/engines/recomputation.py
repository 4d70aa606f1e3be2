"""The follower of any engine: asked anew, with all facts, after every change."""

from __future__ import annotations

from hexlogic.engines.base import Session
from hexlogic.engines.incremental import SessionFollower

__all__ = ["AskingFollower"]


class AskingFollower(SessionFollower[Session]):
    """A look is as many questions as there are queries, each from the ground up."""

    def _put(self, number: int) -> None:
        """The session hears of it with the next question."""

    def _take(self, number: int) -> None:
        """It is not in the next question."""

    def _query(self) -> int:
        facts = [self.inputs[number] for number in self._true]
        return sum(1 << place for place, query in enumerate(self.queries) if self._session.ask(facts, query).holds)
