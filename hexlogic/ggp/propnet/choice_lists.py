"""Choice lists: the choices that are legal now, kept up to date from change to change.

A list is a permutation of its choices, of which the first `count` are legal; a choice enters or leaves by changing
places with the one at the edge, so that drawing one at random takes one step. Phases of the control automaton that
agree on when their choices are legal share a list.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numba import njit

from hexlogic.language.propagation.delete_rederive import AT as NETWORK

T = TypeVar("T")


class ListParts(NamedTuple, Generic[T]):
    """L lists with C choices in all, changed by N causes (nodes or atoms)."""

    starts: T
    """[N + 1]: where the changes of each cause begin."""
    changes: T
    """2l + 1 where the choice is legal in list l while the cause is false, 2l where it is while the cause is true."""
    choices: T
    """The choice that each change moves."""
    begins: T
    """[L + 1]: where each list begins in `order` and `places`."""
    counts: T
    """[L]: how many choices of the list are legal. The state begins here."""
    order: T
    """[C]: the choices of each list, the legal ones first."""
    places: T
    """[C]: by list and choice, where it stands in the order."""


AT = ListParts(*range(len(NETWORK), len(NETWORK) + 7))
"""The lists stand behind the parts of a propositional network, other tables behind the lists."""


class ChoiceLists:
    """The lists of a game, while they are built. `changes` says by cause which choice of which list it moves: 2l or
    2l + 1 for list l (the flag is the one that `add` was given), and the choice."""

    def __init__(self, causes: int) -> None:
        self.of_phase: list[int] = []
        """By phase its list, from 1; 0 where no role has a choice."""
        self.counts: list[int] = []
        self.order: list[int] = []
        self.places: list[int] = []
        self.begins = [0]
        self.changes: list[list[tuple[int, int]]] = [[] for _ in range(causes)]
        self._known: dict[tuple[int, ...], int] = {}

    def add(self, literals: Sequence[int] | None, legal: Sequence[bool] = ()) -> None:
        """The next phase: for each choice twice the cause on which its legality depends plus a flag (-1 for none), and
        whether it is legal at first; None where no role has a choice."""
        if literals is None:
            self.of_phase.append(0)
            return
        key = tuple(2 * literal + now for literal, now in zip(literals, legal, strict=True))
        if key not in self._known:
            self._known[key] = len(self.counts)
            self.new(literals, legal)
        self.of_phase.append(1 + self._known[key])

    def new(self, literals: Sequence[int], legal: Sequence[bool]) -> None:
        """A list of its own, as `add` describes it."""
        number = len(self.counts)
        order = sorted(range(len(literals)), key=lambda choice: not legal[choice])
        place = {choice: at for at, choice in enumerate(order)}
        self.counts.append(sum(legal))
        self.order += order
        self.places += [place[choice] for choice in range(len(literals))]
        self.begins.append(self.begins[-1] + len(literals))
        for choice, literal in enumerate(literals):
            if literal >= 0:
                self.changes[literal >> 1].append((2 * number + (literal & 1), choice))

    def parts(self) -> ListParts[list[int]]:
        """The lists as the functions below read them."""
        flat = list(itertools.chain(*self.changes))
        starts = [0, *itertools.accumulate(map(len, self.changes))]
        changes, choices = [change for change, _ in flat], [choice for _, choice in flat]
        return ListParts(starts, changes, choices, self.begins, self.counts, self.order, self.places)


# Without views: making one costs more than to read one entry.


@njit(cache=True, inline="always")
def move(memory: Any, number: Any, choice: Any, legal: Any) -> None:
    """Let a choice enter a list in which it is not, or leave one in which it is."""
    begin, count = memory[memory[AT.begins] + number], memory[AT.counts] + number
    order, places = memory[AT.order] + begin, memory[AT.places] + begin
    edge = memory[count] if legal else memory[count] - 1
    memory[count] += 1 if legal else -1
    place, other = memory[places + choice], memory[order + edge]
    memory[order + edge], memory[order + place] = choice, other
    memory[places + choice], memory[places + other] = edge, place


@njit(cache=True)
def note(memory: Any, cause: Any) -> None:
    """Move the choices that a cause makes legal or illegal, whose truth has just changed."""
    start, true = memory[AT.starts] + cause, memory[memory[NETWORK.true] + cause]
    for entry in range(memory[start], memory[start + 1]):
        change = memory[memory[AT.changes] + entry]
        move(memory, change >> 1, memory[memory[AT.choices] + entry], true != (change & 1))


@njit(cache=True, inline="always")
def is_legal(memory: Any, number: Any, choice: Any) -> Any:
    """Whether a choice is in the legal part of a list."""
    return memory[memory[AT.places] + memory[memory[AT.begins] + number] + choice] < memory[memory[AT.counts] + number]


@njit(cache=True, inline="always")
def legal(memory: Any, number: Any) -> Any:
    """How many choices of a list are legal."""
    return np.int64(memory[memory[AT.counts] + number])


@njit(cache=True, inline="always")
def legal_at(memory: Any, number: Any, place: Any) -> Any:
    """The legal choice at a place of a list, from 0; the order of the places has no meaning."""
    return np.int64(memory[memory[AT.order] + memory[memory[AT.begins] + number] + place])
