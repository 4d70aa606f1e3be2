"""Transition rules follow a game: an input is a stone, adding it is the move, and the queries read the state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from hexlogic.errors import EngineError
from hexlogic.games import Game
from hexlogic.games.detect.states import AskedStates, GrownStates, States
from hexlogic.games.rulesets.transitions import load_transitions
from hexlogic.language import Atom, Predicate
from hexlogic.language.engines.incremental import QueryingFollower

MERGING = "clusters-merging"


class TransitionsFollower(QueryingFollower):
    """States that follow a game. `owns(P,X)` becomes true by the move `plays(P,X)`. Copies share the engine: use them
    from one thread, and close the last."""

    def __init__(self, states: States, move: Predicate, inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        super().__init__(inputs, queries)
        self._states = states
        self._moves = tuple(Atom(move.name, atom.arguments) for atom in inputs)
        self._begin()

    def facts(self) -> frozenset[Atom]:
        """The present state."""
        return self._states.facts()

    def counts(self) -> list[int]:
        """How many facts the state had after each move."""
        return self._states.counts()[1:]

    def close(self) -> None:
        """Release the engine, for all copies."""
        super().close()
        self._states.close()

    def _again(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__ |= self.__dict__ | {"_states": self._states.copy()}
        return other

    def _put(self, number: int) -> None:
        self._states.move(self._moves[number])

    def _take(self, number: int) -> None:
        self._states.undo()

    def _query(self) -> int:
        return sum(1 << place for place, query in enumerate(self.queries) if self._states.holds(query))


def cannot_follow(name: str, engine: str) -> str | None:
    """Why an engine cannot change the state of these transition rules; None when it can."""
    if engine == "clingo" or name == MERGING:
        return None
    return f"an engine that answers yes or no is too little for {name}"


def follow_transitions(
    name: str, game: Game, engine: str, inputs: Sequence[Atom], queries: Sequence[Atom]
) -> TransitionsFollower:
    """The empty board in the state of the transition rules of that name, for an engine to change.

    clingo keeps one control growing. Other engines can be asked for the clusters alone.

    Raises UnknownNameError, EngineError, and SizeError for a game that the rules do not fit.
    """
    transitions = load_transitions(name).instantiate(game)
    if reason := cannot_follow(name, engine):
        raise EngineError(reason, hint="clingo lists a state")
    states: States = GrownStates(transitions) if engine == "clingo" else AskedStates(transitions, engine, _possible)
    try:
        return TransitionsFollower(states, transitions.move, inputs, queries)
    except BaseException:
        states.close()
        raise


def _possible(state: frozenset[Atom], move: Atom) -> Iterable[Atom]:
    """Each stone under the name it has and under that of the new stone, and the new stone itself."""
    player, cell = move.arguments
    names = {(stone, owner): {name, cell} for name, stone, owner in (fact.arguments for fact in state)}
    names[cell, player] = {cell}
    for (stone, owner), possible in names.items():
        yield from (Atom("next_cluster", (name, stone, owner)) for name in sorted(possible, key=str))
