"""egglog in a game: facts are added to an e-graph that keeps what followed before.

An e-graph cannot take anything back, so there is a `push` before each fact and a `pop` to undo it; that stores a copy
of the e-graph for each move. Where a stone can make something false (negation of what depends on the inputs) what
followed before is no longer right: such a program is asked anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from hexlogic.engines.egglog.session import EgglogSession
from hexlogic.engines.incremental import SessionFollower
from hexlogic.logic import Atom, Program
from hexlogic.logic.analysis.dependence import dependency_graph

__all__ = ["EgglogFollower", "only_grows"]


class EgglogFollower(SessionFollower[EgglogSession]):
    """Semi-naive evaluation goes on where it stopped. For programs that only grow."""

    def _prepare(self) -> None:
        self._session.declare({atom.predicate for atom in (*self.inputs, *self.queries)})

    def _put(self, number: int) -> None:
        self._session.push([self.inputs[number]])

    def _take(self, number: int) -> None:
        self._session.pop()

    def kept(self) -> int:
        """What was derived and is in the e-graph: a class of equal terms counts its elements, not its pairs."""
        return self._session.derived()

    def _query(self) -> int:
        self._session.saturate()
        return sum(1 << place for place, query in enumerate(self.queries) if self._session.holds(query))


def only_grows(program: Program, inputs: Iterable[Atom]) -> bool:
    """Whether more inputs never mean fewer facts: no negated predicate depends on them."""
    changing = dependency_graph(program).above({atom.predicate for atom in inputs})
    negated = {literal.atom.predicate for rule in program.rules for literal in rule.literals if not literal.positive}
    return not negated & changing
