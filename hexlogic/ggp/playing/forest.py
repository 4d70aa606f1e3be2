"""UCT in numba: a tree for each core, their figures added up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from threading import Lock
from time import monotonic
from typing import Final

import numpy as np

from hexlogic.errors import EngineError, GameError
from hexlogic.ggp.machines import State, StateMachine
from hexlogic.ggp.machines.game import SearchStart
from hexlogic.ggp.machines.state_machine import LONGEST
from hexlogic.ggp.playing.clock import Clock
from hexlogic.ggp.playing.tree import EXPLORATION, FADING
from hexlogic.ggp.playing.uct import EXPANDED_AT, Nodes, child_of, keep, new_nodes, search
from hexlogic.ggp.propnet.outcomes import ENDLESS, NO_MOVE, OVERFLOW
from hexlogic.ggp.propnet.randomness import seeded
from hexlogic.language.syntax import Term
from hexlogic.process.threads import in_thread

_NODES: Final = 2_000_000
_EDGES: Final = 16_000_000
"""Of all trees of a search together; some 450 MB when they are used up, and playouts begin at the leaves."""
_CHUNK_S: Final = 0.01
"""Seconds of searching between two looks at the clock."""
_WORD_EXPANDED_AT: Final = 1
_WORD_EXPLORATION: Final = 0.15
"""Where a leaf is evaluated by a word of games, one visit tells more: nodes are expanded earlier, and moves that were
seldom tried are preferred less. In Hex 9x9 at 0.05 s of CPU a move this got 83 of 100 points against a single game from
each leaf, in 24 games; 0.5 got 50 in Hex 7x7."""
_WRONG: Final = {
    NO_MOVE: "a role has no legal move in a state that is not terminal",
    ENDLESS: f"a random game was not over after {LONGEST} steps",
}


class Forest:
    """What the playouts from a state found out, as `hexlogic.ggp.playing.tree.Tree` but in numba.

    The same seed and number of trees give the same choices when playouts are counted."""

    def __init__(self, machine: StateMachine, state: State, seed: int, trees: int) -> None:
        """Leaves are evaluated by 64 games at once where the order of moves does not matter. Raises EngineError for a
        machine that offers numba no game."""
        self._machine = machine
        self._trees = [new_nodes(len(machine.roles), _NODES // trees, _EDGES // trees) for _ in range(trees)]
        self._random = [seeded(seed * trees + number) for number in range(trees)]
        self._chunks = [1] * trees
        self._playout_s = [0.0] * trees
        """By tree: seconds that another playout may take, as in `Tree`."""
        self._growing = Lock()
        self._stand(state)
        self._search(0, 0)  # numba compiles now

    @property
    def visits(self) -> int:
        """The playouts that went through the root, those of an earlier move included."""
        return sum(int(tree.visits[0]) for tree in self._trees)

    @property
    def without_goal(self) -> int:
        """The games of all searches at whose ends a role had no goal, or several."""
        return sum(int(tree.without_goal[0]) for tree in self._trees)

    def search(self, clock: Clock, playouts: int | None = None) -> int:
        """Playouts until the clock is over, or so many; how many they were. Raises GameError as `playouts` does."""
        if len(self._trees) == 1:
            return self._grow(0, clock, playouts)
        trees = len(self._trees)
        shares = [None if playouts is None else (playouts + at) // trees for at in range(trees)]
        grown = [in_thread(partial(self._grow, at, clock, share)) for at, share in enumerate(shares)]
        return sum(done.result() for done in grown)

    def best(self, role: int) -> Term:
        """The move of a role that was tried most often; of those the one with the best goals, then the first."""
        figures: defaultdict[int, list[float]] = defaultdict(lambda: [0, 0.0])
        for tree in self._trees:
            for edge in self._edges(tree, role):
                figure = figures[int(tree.moves[edge])]
                figure[0] += int(tree.counts[edge])
                figure[1] += float(tree.totals[edge])
        found = {self._start.move(role, option): figure for option, figure in figures.items()}
        if not found:  # not searched, or a role without a choice
            return self._machine.legal_moves(self._state, self._machine.roles[role])[0]
        return max(sorted(found, key=str), key=lambda move: found[move])

    def advance(self, moves: Sequence[Term], state: State) -> None:
        """Go on from the state after a joint move, with what is known of it."""
        children = [self._child(tree, moves) for tree in self._trees]
        numbers = self._start.numbers
        self._stand(state)
        same = numbers is self._start.numbers
        for tree, child in zip(self._trees, children, strict=True):
            keep(tree, child if same else -1)

    def _stand(self, state: State) -> None:
        """Have all playouts begin in a state."""
        start = self._machine.start(state)
        if start is None:
            raise EngineError(f"{self._machine.reasoner}: no game for numba in this state")
        self._state, self._starts = state, [start] * len(self._trees)
        self._games = [start.game.copy() for _ in self._trees]
        self._leaves = [start.leaf(int(random[0] >> np.uint64(2))) for random in self._random]

    @property
    def _start(self) -> SearchStart:
        return self._starts[0]

    def _grow(self, at: int, clock: Clock, playouts: int | None) -> int:
        """Search one tree; no playout is begun that may not end in time."""
        done = 0
        while not clock.over and (playouts is None or done < playouts):
            if playouts is None and clock.left_s < self._playout_s[at]:
                self._playout_s[at] *= FADING if not done else 1
                break
            games = self._chunks[at] if playouts is None else min(self._chunks[at], playouts - done)
            begun = monotonic()
            grown = self._search(at, games)
            done += grown
            self._playout_s[at] = max((monotonic() - begun) / max(grown, 1), FADING * self._playout_s[at])
            if monotonic() - begun < _CHUNK_S:
                self._chunks[at] *= 2
            elif games > 1 and monotonic() - begun > 4 * _CHUNK_S:
                self._chunks[at] //= 2
        return done

    def _search(self, at: int, games: int) -> int:
        """So many playouts in one tree, fewer where a relation was full; how many."""
        tree, random, game = self._trees[at], self._random[at], self._games[at]
        leaf, before = self._leaves[at], int(tree.visits[0])
        expanded_at, exploration = (
            (EXPANDED_AT, EXPLORATION) if leaf is None else (_WORD_EXPANDED_AT, EXPLORATION * _WORD_EXPLORATION)
        )
        wrong = search(tree, self._starts[at].game, game, leaf, random, games, LONGEST, exploration, expanded_at)
        if wrong == OVERFLOW:
            with self._growing:
                self._starts[at] = self._start.with_room(game)
                self._games[at] = self._starts[at].game.copy()
        elif wrong < 0:
            raise GameError(_WRONG[wrong])
        return int(tree.visits[0]) - before

    def _child(self, tree: Nodes, moves: Sequence[Term]) -> int:
        """The node of the root's child after a joint move; -1 when it has none."""
        number = 0
        for role, move in enumerate(moves):
            edges = self._edges(tree, role)
            options = [self._start.move(role, int(tree.moves[edge])) for edge in edges]
            if options:
                if move not in options:
                    return -1
                number = number * len(options) + options.index(move)
        return int(child_of(tree, 0, number)) if tree.first[0] >= 0 else -1

    def _edges(self, tree: Nodes, role: int) -> range:
        """The root's edges for a role."""
        if tree.first[0] < 0:
            return range(0)
        begin = int(tree.first[0]) + int(tree.widths[0][:role].sum())
        return range(begin, begin + int(tree.widths[0][role]))
