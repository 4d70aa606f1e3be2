"""Two state machines side by side: in each state legal moves, the end, goals and the next state are compared."""

import itertools
import random
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.errors import GameError
from hexlogic.ggp.machines.state_machine import State, StateMachine
from hexlogic.language import Term
from hexlogic.language.dialects.gdl import write_term

_LONGEST = 1_000
"""Steps after which a random game is left, unless a caller says otherwise."""


@dataclass(frozen=True)
class Difference:
    """A state in which two sheets differ, the joint moves that lead there, and what differs."""

    state: State | None
    moves: tuple[tuple[Term, ...], ...]
    what: str

    def __str__(self) -> str:
        if self.state is None:
            return self.what
        played = ", ".join(" ".join(map(write_term, joint)) for joint in self.moves) or "no moves"
        facts = " ".join(sorted(map(write_term, self.state.facts))) or "nothing"
        return f"after {played}: {self.what}; true there: {facts}"


_Pair: TypeAlias = tuple[State, State]
"""The state of each machine after the same moves."""


class SideBySide:
    """Two machines side by side. `same` are the pairs of states in which they were found to agree, `games` the
    different games that were played, to their end or for `longest` steps.

    Their states must be equal, unless `apart` says that each has its own: then what players see is compared.
    """

    def __init__(self, old: StateMachine, new: StateMachine, longest: int = _LONGEST, *, apart: bool = False) -> None:
        self._old, self._new, self._longest, self._apart = old, new, longest, apart
        self.same: set[_Pair] = set()
        self.games: set[tuple[tuple[Term, ...], ...]] = set()

    def explore(self, most: int, until: float) -> tuple[Difference | None, bool]:
        """The first difference, breadth first, or whether there is none in any state. Neither when it is too much."""
        first = self._first
        waiting: list[tuple[_Pair, tuple[tuple[Term, ...], ...]]] = [(first, ())]
        seen = {first}
        for pair, moves in waiting:
            if len(seen) > most or time.monotonic() > until:
                return None, False
            if (found := self._look(pair, moves)) is not None:
                return found, False
            state = pair[0]
            if self._old.is_terminal(state):
                continue
            for joint in itertools.product(*(self._old.legal_moves(state, role) for role in self._old.roles)):
                coming, found = self._step(pair, moves, joint)
                if found is not None:
                    return found, False
                if coming not in seen:
                    seen.add(coming)
                    waiting.append((coming, (*moves, joint)))
        return None, True

    def play(self, draw: random.Random) -> Difference | None:
        """The first difference in a random game, which ends where it is over, a role cannot move, or it is too long."""
        pair, found = self._first, None
        moves: tuple[tuple[Term, ...], ...] = ()
        for _ in range(self._longest):
            state = pair[0]
            if (found := self._look(pair, moves)) is not None or self._old.is_terminal(state):
                break
            options = [self._old.legal_moves(state, role) for role in self._old.roles]
            if not all(options):
                break
            joint = tuple(map(draw.choice, options))
            pair, found = self._step(pair, moves, joint)
            if found is not None:
                break
            moves = (*moves, joint)
        self.games.add(moves)
        return found

    @property
    def _first(self) -> _Pair:
        first = self._old.initial_state
        return first, self._new.initial_state if self._apart else first

    def _look(self, pair: _Pair, moves: tuple[tuple[Term, ...], ...]) -> Difference | None:
        if pair in self.same:
            return None
        state, both = pair[0], tuple(zip((self._old, self._new), pair, strict=True))
        old, new = (machine.is_terminal(at) for machine, at in both)
        if old != new:
            return Difference(state, moves, f"terminal {'before' if old else 'after'} only")
        for role in self._old.roles:
            before, after = (machine.legal_moves(at, role) for machine, at in both)
            if before != after:
                gone, come = those(set(before) - set(after)), those(set(after) - set(before))
                what = f"{write_term(role)} may move {gone} only before, {come} only after"
                return Difference(state, moves, what)
            worth, value = (_goals(machine, at, role) for machine, at in both)
            if worth != value:
                return Difference(state, moves, f"the goal of {write_term(role)} is {worth} before, {value} after")
        self.same.add(pair)
        return None

    def _step(
        self, pair: _Pair, moves: tuple[tuple[Term, ...], ...], joint: tuple[Term, ...]
    ) -> tuple[_Pair, Difference | None]:
        machines, state = (self._old, self._new), pair[0]
        old, new = (machine.next_state(at, joint) for machine, at in zip(machines, pair, strict=True))
        if old == new or self._apart:
            return (old, new), None
        gone, come = those(old.facts - new.facts), those(new.facts - old.facts)
        what = f"{' '.join(map(write_term, joint))} leads to {gone} only before, {come} only after"
        return (old, new), Difference(state, moves, what)


def _goals(machine: StateMachine, state: State, role: Term) -> str:
    """The values, or why there are none."""
    try:
        return " and ".join(map(str, machine.goals(state, role))) or "none"
    except GameError as error:
        return error.message


def those(terms: Iterable[Term]) -> str:
    """The terms as a person reads them."""
    return " ".join(sorted(map(write_term, terms))) or "nothing"
