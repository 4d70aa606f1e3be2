"""Formulas that are stored once: what two atoms of a sheet have in common has one number.

A literal is a number: a node, or minus a node for its negation; TRUE and FALSE are literals too. A node is an input or
a disjunction of conjunctions of literals. A disjunction that is one literal is that literal, so copies of an atom under
another name, `taken` of one cause and the like, cost nothing.
"""

from collections.abc import Iterable
from typing import TypeAlias

TRUE, FALSE = 1, -1

Bodies: TypeAlias = tuple[tuple[int, ...], ...]
"""Conjunctions of literals; one of them must hold."""


class Formulas:
    """The store. Node 1 is the constant; `bodies[n]` are the conjunctions of node n, None for an input."""

    def __init__(self) -> None:
        self.bodies: list[Bodies | None] = [None, ((),)]
        self._known: dict[Bodies, int] = {}

    def input(self) -> int:
        """A new node that rules say nothing about, or will by `close`: one that may depend on itself."""
        self.bodies.append(None)
        return len(self.bodies) - 1

    def close(self, node: int, bodies: Iterable[Iterable[int]]) -> None:
        """Say what a new node is; conjunctions that cannot hold are left out."""
        self.bodies[node] = simplified(bodies)

    def any_of(self, bodies: Iterable[Iterable[int]]) -> int:
        """The literal that holds where one of the conjunctions does.

        >>> store = Formulas()
        >>> a, b = store.input(), store.input()
        >>> store.any_of([[a, TRUE], [b, FALSE]]) == a
        True
        >>> store.any_of([[a], [b]]) == store.any_of([[b], [a, a]])
        True
        """
        kept = simplified(bodies)
        if not kept:
            return FALSE
        if kept[0] == ():
            return TRUE
        if len(kept) == 1 and len(kept[0]) == 1:
            return kept[0][0]
        if kept not in self._known:
            self.bodies.append(kept)
            self._known[kept] = len(self.bodies) - 1
        return self._known[kept]


def simplified(bodies: Iterable[Iterable[int]]) -> Bodies:
    """The conjunctions without constants, contradictions and repetitions, sorted; `((),)` when one always holds."""
    kept: set[tuple[int, ...]] = set()
    for body in bodies:
        literals = set(body)
        literals.discard(TRUE)
        if FALSE in literals or any(-literal in literals for literal in literals):
            continue
        if not literals:
            return ((),)
        kept.add(tuple(sorted(literals)))
    singles = {body[0] for body in kept if len(body) == 1}
    if any(-literal in singles for literal in singles):
        return ((),)
    # What a single literal implies need not be said again.
    return tuple(sorted(body for body in kept if len(body) == 1 or singles.isdisjoint(body)))
