"""Lists of choices: moments that agree on when their choices are legal share one, and it is kept from change to change.

A list is a permutation of its choices, of which the first `count` are legal; a choice leaves or enters by changing
places with the one at the edge. The position of a list is its count, its order and the place of each choice there.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Lists"]


class Lists:
    """The lists of a game; `changes` tells by cause (an event, an atom) what it does to which list: `2l + flag` for
    list l, and a choice."""

    def __init__(self, causes: int) -> None:
        self.of_moment: list[int] = []
        """By moment its list, from 1; 0 where nobody has a choice."""
        self.counts: list[int] = []
        self.order: list[int] = []
        self.places: list[int] = []
        self.begins = [0]
        self.changes: list[list[tuple[int, int]]] = [[] for _ in range(causes)]
        self._known: dict[tuple[int, ...], int] = {}

    def add(self, literals: Sequence[int] | None, inside: Sequence[bool] = ()) -> None:
        """The next moment: for each choice twice the cause on which its legality depends plus a flag (-1 for none), and
        whether it is legal at first; None where nobody has a choice."""
        if literals is None:
            self.of_moment.append(0)
            return
        key = tuple(2 * literal + now for literal, now in zip(literals, inside, strict=True))
        if key not in self._known:
            self._known[key] = len(self._known)
            self._new(literals, inside, self._known[key])
        self.of_moment.append(1 + self._known[key])

    def _new(self, literals: Sequence[int], inside: Sequence[bool], number: int) -> None:
        order = sorted(range(len(literals)), key=lambda choice: not inside[choice])
        place = {choice: at for at, choice in enumerate(order)}
        self.counts.append(sum(inside))
        self.order += order
        self.places += [place[choice] for choice in range(len(literals))]
        self.begins.append(self.begins[-1] + len(literals))
        for choice, literal in enumerate(literals):
            if literal >= 0:
                self.changes[literal >> 1].append((2 * number + (literal & 1), choice))
