"""clingo in a game: grounded once, the inputs are externals, a move is an assignment and a solve.

Each query has a control of its own, with the rules that it depends on. A red stone that cannot change `wins(blue)` then
costs one solve, over half of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from hexlogic.language import Atom
from hexlogic.language.engines.clingo.externals import Externals
from hexlogic.language.engines.incremental import QueryingFollower
from hexlogic.language.ground.program import GroundProgram


class ClingoFollower(QueryingFollower):
    """Controls in which the inputs are externals. A copy has controls of its own and grounds nothing anew."""

    def __init__(self, ground: GroundProgram, inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        super().__init__(inputs, queries)
        self._ground = ground
        numbers = ground.number
        self._always = sum(1 << place for place, query in enumerate(queries) if query in ground.facts)
        self._queries = {
            place: Externals(ground, [numbers[query]])
            for place, query in enumerate(queries)
            if query in numbers and query not in ground.facts
        }
        self._changed = dict.fromkeys(self._queries)
        """The queries that have been told of a change since they were asked last."""
        self._bits = self._always
        self._begin()

    def close(self) -> None:
        """Let the controls go."""
        super().close()
        self._queries = {}

    def _again(self) -> Self:
        return self._given(type(self)(self._ground, self.inputs, self.queries))

    def _put(self, number: int) -> None:
        self._assign(number, True)

    def _take(self, number: int) -> None:
        self._assign(number, False)

    def _assign(self, number: int, value: bool) -> None:
        for place, query in self._queries.items():
            if number in query.inputs:
                query.assign(number, value)
                self._changed[place] = None

    def _query(self) -> int:
        for place in list(self._changed):
            bit = 1 << place
            self._bits = self._bits | bit if self._queries[place].true() else self._bits & ~bit
            del self._changed[place]
        return self._bits
