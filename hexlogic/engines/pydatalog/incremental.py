"""pyDatalog in a game: facts asserted and retracted among the clauses of one session.

Its tables last for one question, so every look resolves anew over the facts that stand there.
"""

from __future__ import annotations

from hexlogic.engines.incremental import SessionFollower
from hexlogic.engines.pydatalog.session import PydatalogSession

__all__ = ["PydatalogFollower"]


class PydatalogFollower(SessionFollower[PydatalogSession]):
    """Nothing but the new fact is given to pyDatalog at a move."""

    def _prepare(self) -> None:
        self._session.declare({atom.predicate for atom in (*self.inputs, *self.queries)})

    def _put(self, number: int) -> None:
        self._session.add_fact(self.inputs[number])

    def _take(self, number: int) -> None:
        self._session.drop_fact(self.inputs[number])

    def _query(self) -> int:
        return sum(1 << place for place, query in enumerate(self.queries) if self._session.holds(query))
