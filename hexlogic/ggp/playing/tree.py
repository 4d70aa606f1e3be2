"""UCT over any state machine: a tree of the positions that playouts went through, with what each move was worth.

Roles move at once in GDL, so each role keeps the figures of its own moves and chooses by them (decoupled UCT); a role
that has one move, as `noop` in a game by turns, has no choice. Each playout goes down the tree, adds one node, plays on
at random and reports the goals to every node on its way. Source: Kocsis and Szepesvari 2006; Finnsson and Bjornsson
2008 for general games.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from statistics import fmean
from time import monotonic
from typing import Final

from hexlogic.ggp.machines import State, StateMachine
from hexlogic.ggp.machines.state_machine import GoalError, no_legal_move
from hexlogic.ggp.playing.clock import Clock
from hexlogic.language.syntax import Term

EXPLORATION: Final = 0.4
"""How much a move that was seldom tried is preferred, where goals are counted from 0 to 1. Against 0.7 it got 66 of 100
points in connect four, 55 and 50 in Hex 7x7 with 1,000 and 5,000 playouts, 52 in breakthrough, in 40 matches each."""
HASTE: Final = 0.999
"""What a goal is worth for each step that it takes to get there, so that a won game is ended and not put off."""
UNTOLD: Final = 50
"""The goal that counts where a sheet gives a role none."""
LARGEST: Final = 200_000
"""Nodes of a tree; when it is full, playouts begin at its leaves."""
FADING: Final = 0.5
"""What the time of a playout counts after the next one, when the time of another is estimated."""


@dataclass(slots=True)
class _Node:
    """A position: for each role its moves, how often each was tried and the sum of the goals it led to, from 0 to 1."""

    state: State
    goals: tuple[float, ...] | None
    """Of a terminal state."""
    moves: tuple[tuple[Term, ...], ...]
    counts: list[list[int]]
    sums: list[list[float]]
    visits: int = 0
    children: dict[tuple[int, ...], _Node] = field(default_factory=dict)


class Tree:
    """What the playouts from a state found out."""

    def __init__(self, machine: StateMachine, state: State, seed: int) -> None:
        self._machine = machine
        self._draw = random.Random(seed)
        self._size = 0
        self.without_goal = 0
        """The leaves and random games at whose ends a role had no goal, or several: the mean of several counts,
        `UNTOLD` for none."""
        self._games, self._steps = 1, 0
        """Random games that were played from leaves, and their steps."""
        self._playout_s = 0.0
        """Seconds that another playout may take: as the last one, or a part of what a longer one before it took."""
        self._root = self._node(state)

    @property
    def visits(self) -> int:
        """The playouts that went through the root, those of an earlier move included."""
        return self._root.visits

    def search(self, clock: Clock, playouts: int | None = None) -> int:
        """Playouts until the clock is over, or so many; how many they were. Where they take long, none is begun that
        may not end in time. Raises GameError as `playouts` does."""
        done = 0
        while not clock.over and (playouts is None or done < playouts):
            if playouts is None and clock.left_s < self._playout_s:
                break
            begin = monotonic()
            self._playout()
            self._playout_s = max(monotonic() - begin, FADING * self._playout_s)
            done += 1
        if not done:
            self._playout_s *= FADING
        return done

    def best(self, role: int) -> Term:
        """The move of a role that was tried most often; of those the one with the best goals, then the first."""
        node = self._root
        order = range(len(node.moves[role]))
        return node.moves[role][max(order, key=lambda i: (node.counts[role][i], node.sums[role][i], -i))]

    def advance(self, moves: Sequence[Term], state: State) -> None:
        """Go on from the state after a joint move, with what is known of it."""
        try:
            chosen = tuple(options.index(move) for options, move in zip(self._root.moves, moves, strict=True))
        except ValueError:
            known = None
        else:
            known = self._root.children.get(chosen)
        self._root = known if known is not None and known.state == state else self._node(state)
        self._size = _count(self._root)

    def _node(self, state: State) -> _Node:
        roles = self._machine.roles
        self._size += 1
        if self._machine.is_terminal(state):
            return _Node(state, self._goals(state), (), [], [])
        moves = tuple(self._machine.legal_moves(state, role) for role in roles)
        return _Node(state, None, moves, [[0] * len(own) for own in moves], [[0.0] * len(own) for own in moves])

    def _playout(self) -> None:
        node, path = self._root, []
        while node.goals is None:
            chosen = tuple(self._choose(node, role) for role in range(len(node.moves)))
            path.append((node, chosen))
            child = node.children.get(chosen)
            if child is None:
                joint = [options[i] for options, i in zip(node.moves, chosen, strict=True)]
                state = self._machine.next_state(node.state, joint)
                if self._size < LARGEST:
                    child = node.children[chosen] = self._node(state)
                if child is None or child.goals is None:
                    steps, goals = self._played(state)
                else:
                    steps, goals = 0, child.goals
                break
            node = child
        else:
            steps, goals = 0, node.goals
        worth = HASTE ** (len(path) + steps)
        for node, chosen in path:
            node.visits += 1
            for role, i in enumerate(chosen):
                node.counts[role][i] += 1
                node.sums[role][i] += goals[role] * worth

    def _played(self, state: State) -> tuple[int, tuple[float, ...]]:
        """The steps of a random game and the goals at its end; the usual number of steps where it has not one goal for
        each role."""
        try:
            played = self._machine.playouts(1, self._draw.getrandbits(32), start=state)
        except GoalError as error:
            if error.state is None:
                raise
            return self._steps // self._games, self._goals(error.state)
        steps = played.steps or 0
        self._games, self._steps = self._games + 1, self._steps + steps
        return steps, tuple(total / 100 for total in played.goals)

    def _goals(self, state: State) -> tuple[float, ...]:
        """The goals of a terminal state, from 0 to 1."""
        found = [self._values(state, role) for role in self._machine.roles]
        self.without_goal += any(len(own) != 1 for own in found)
        return tuple(fmean(own or (UNTOLD,)) / 100 for own in found)

    def _values(self, state: State, role: Term) -> tuple[int, ...]:
        try:
            return self._machine.goals(state, role)
        except GoalError:  # what is no number
            return ()

    def _choose(self, node: _Node, role: int) -> int:
        counts, sums = node.counts[role], node.sums[role]
        if not counts:
            raise no_legal_move(self._machine.roles[role])
        if len(counts) == 1:
            return 0
        untried = [i for i, count in enumerate(counts) if count == 0]
        if untried:
            return self._draw.choice(untried)
        widest = EXPLORATION * sqrt(log(node.visits))
        return max(range(len(counts)), key=lambda i: sums[i] / counts[i] + widest / sqrt(counts[i]))


def _count(root: _Node) -> int:
    open_, found = [root], 0
    while open_:
        found += 1
        open_.extend(open_.pop().children.values())
    return found
