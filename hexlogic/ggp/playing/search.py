"""UCT from a state: on a machine that offers numba a game with a tree for each core, on any other with one tree."""

import random
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import compress
from statistics import fmean
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

import numpy as np

from hexlogic.errors import EngineError, GameError
from hexlogic.ggp.machines import State, StateMachine
from hexlogic.ggp.machines.state_machine import LONGEST, GoalError, no_legal_move
from hexlogic.ggp.playing import uct
from hexlogic.ggp.playing.strategy import Clock
from hexlogic.ggp.playing.uct import EXPANDED_AT, EXPLORATION, HASTE, NO_GOAL_COUNTS, Nodes
from hexlogic.ggp.propnet.random_games import ENDLESS, NO_MOVE, OVERFLOW
from hexlogic.language.propagation.lanes import seeded
from hexlogic.language.syntax import Term
from hexlogic.process.threads import in_thread

_NODES: Final = 2_000_000
_EDGES: Final = 16_000_000
"""Of all trees of a search together; some 450 MB when they are used up, and playouts begin at the leaves."""
_STATES: Final = 200_000
"""Nodes of a tree that keeps a state of a machine for each."""
_CHUNK_S: Final = 0.01
"""Seconds of searching between two looks at the clock."""
_BATCH_EXPANDED_AT: Final = 1
_BATCH_EXPLORATION: Final = 0.15
"""Where a leaf is evaluated by a batch of 64 games, one visit tells more: nodes are expanded earlier, and moves that
were seldom tried are preferred less. In Hex 9x9 at 0.05 s of CPU a move this got 83 of 100 points against a single game
from each leaf, in 24 games; 0.5 got 50 in Hex 7x7."""
_FADING: Final = 0.5
"""What the time of a playout counts after the next one, when the time of another is estimated."""
_WRONG: Final = {
    NO_MOVE: "a role has no legal move in a state that is not terminal",
    ENDLESS: f"a random game was not over after {LONGEST} steps",
}


class Search(ABC):
    """The playouts from a state, in one tree or several, whose figures are added up."""

    may_be_late = False
    """Whether a playout may take longer than a clock."""
    _largest_chunk = 1 << 40

    def __init__(self, machine: StateMachine, state: State, trees: int, seed: int, nodes: int) -> None:
        self._machine, self._state = machine, state
        self._trees = [uct.new_nodes(len(machine.roles), nodes // trees, _EDGES // trees) for _ in range(trees)]
        self._ways = [uct.new_way(len(machine.roles)) for _ in range(trees)]
        self._random = [seeded(seed * trees + number) for number in range(trees)]
        self._chunks = [1] * trees
        """By tree: the playouts between two looks at the clock."""
        self._playout_s = [0.0] * trees
        """By tree: seconds that another playout may take, as the last ones or a part of what one before them took."""

    @property
    def visits(self) -> int:
        """The playouts that went through the root, those of an earlier move included."""
        return sum(int(tree.visits[0]) for tree in self._trees)

    @property
    def without_goal(self) -> int:
        """The leaves and random games at whose ends a role had no goal, or several."""
        return sum(int(tree.without_goal[0]) for tree in self._trees)

    def search(self, clock: Clock, playouts: int | None = None) -> int:
        """Run playouts until the clock is over or `playouts` are done; their number. Raises GameError."""
        trees = len(self._trees)
        if trees == 1:
            return self._grow(0, clock, playouts)
        shares = [None if playouts is None else (playouts + at) // trees for at in range(trees)]
        grown = [in_thread(partial(self._grow, at, clock, share)) for at, share in enumerate(shares)]
        return sum(done.result() for done in grown)

    def _grow(self, at: int, clock: Clock, playouts: int | None) -> int:
        """Search one tree; no playout is begun that may not end in time."""
        done = 0
        while not clock.over and (playouts is None or done < playouts):
            if playouts is None and clock.left_s < self._playout_s[at]:
                break
            games = self._chunks[at] if playouts is None else min(self._chunks[at], playouts - done)
            begun = monotonic()
            grown = self._run(at, games)
            done += grown
            self._playout_s[at] = max((monotonic() - begun) / max(grown, 1), _FADING * self._playout_s[at])
            if monotonic() - begun < _CHUNK_S:
                self._chunks[at] = min(2 * self._chunks[at], self._largest_chunk)
            elif games > 1 and monotonic() - begun > 4 * _CHUNK_S:
                self._chunks[at] //= 2
        if not done:
            self._playout_s[at] *= _FADING
        return done

    @abstractmethod
    def _run(self, at: int, games: int) -> int:
        """Run `games` playouts in one tree, fewer where a relation was full; return their number."""

    @abstractmethod
    def advance(self, moves: Sequence[Term], state: State) -> None:
        """Go on from the state after a joint move, with what is known of it."""

    @abstractmethod
    def _move(self, role: int, option: int) -> Term:
        """The move that an option of the root is."""

    def best(self, role: int) -> Term:
        """The move of a role that was tried most often; of those the one with the best goals, then the first."""
        figures: defaultdict[int, list[float]] = defaultdict(lambda: [0, 0.0])
        for tree in self._trees:
            for edge in _edges(tree, role):
                figure = figures[int(tree.moves[edge])]
                figure[0] += int(tree.counts[edge])
                figure[1] += float(tree.totals[edge])
        moves = {self._move(role, option): figure for option, figure in figures.items()}
        if not moves:  # not searched, or a role without a choice
            return self._machine.legal_moves(self._state, self._machine.roles[role])[0]
        return max(sorted(moves, key=str), key=lambda move: moves[move])

    def _child(self, tree: Nodes, moves: Sequence[Term]) -> int:
        """The node of the root's child after a joint move; -1 when it has none."""
        number = 0
        for role, move in enumerate(moves):
            options = [self._move(role, int(tree.moves[edge])) for edge in _edges(tree, role)]
            if options:
                if move not in options:
                    return -1
                number = number * len(options) + options.index(move)
        return int(uct.child_of(tree, 0, number)) if tree.first[0] >= 0 else -1


def _edges(tree: Nodes, role: int) -> range:
    if tree.first[0] < 0:
        return range(0)
    begin = int(tree.first[0]) + int(tree.widths[0][:role].sum())
    return range(begin, begin + int(tree.widths[0][role]))


class NumbaSearch(Search):
    """UCT inside numba. The same seed and number of trees give the same choices when playouts are counted."""

    def __init__(self, machine: StateMachine, state: State, seed: int, trees: int) -> None:
        """Leaves are evaluated by 64 games at once where the order of moves does not matter. Raises EngineError for a
        machine that offers numba no game."""
        super().__init__(machine, state, trees, seed, _NODES)
        self._growing = Lock()
        self._stand(state)
        self._run(0, 0)  # numba compiles now

    def advance(self, moves: Sequence[Term], state: State) -> None:
        """As `Search.advance`."""
        children = [self._child(tree, moves) for tree in self._trees]
        numbers = self._starts[0].numbers
        self._stand(state)
        same = numbers is self._starts[0].numbers
        for tree, child in zip(self._trees, children, strict=True):
            uct.keep(tree, child if same else -1)

    def _stand(self, state: State) -> None:
        """Have all playouts begin in a state."""
        start = self._machine.start(state)
        if start is None:
            raise EngineError(f"{self._machine.reasoner}: no game for numba in this state")
        self._state, self._starts = state, [start] * len(self._trees)
        self._games = [start.game.copy() for _ in self._trees]
        self._leaves = [start.leaf(int(random[0] >> np.uint64(2))) for random in self._random]

    def _run(self, at: int, games: int) -> int:
        tree, random, game = self._trees[at], self._random[at], self._games[at]
        leaf, before = self._leaves[at], int(tree.visits[0])
        expanded_at, exploration = (
            (EXPANDED_AT, EXPLORATION) if leaf is None else (_BATCH_EXPANDED_AT, EXPLORATION * _BATCH_EXPLORATION)
        )
        start = self._starts[at].game
        wrong = uct.search(
            tree, start, *game.arrays, leaf, random, games, LONGEST, exploration, expanded_at, *self._ways[at]
        )
        if wrong == OVERFLOW:
            with self._growing:
                assert self._starts[0].with_room is not None
                self._starts[at] = self._starts[0].with_room(game)
                self._games[at] = self._starts[at].game.copy()
        elif wrong < 0:
            raise GameError(_WRONG[wrong])
        return int(tree.visits[0]) - before

    def _move(self, role: int, option: int) -> Term:
        return self._starts[0].move(role, option)


class _Position(NamedTuple):
    """What a node of a tree stands for: a state, the moves of each role, and the goals of a terminal state."""

    state: State
    moves: tuple[tuple[Term, ...], ...]
    goals: tuple[float, ...] | None


class MachineSearch(Search):
    """UCT on any state machine: the tree is searched by compiled code, states and their moves are kept in Python."""

    may_be_late = True
    _largest_chunk = 1

    def __init__(self, machine: StateMachine, state: State, seed: int) -> None:
        super().__init__(machine, state, 1, seed, _STATES)
        self._draw = random.Random(seed)
        self._games, self._steps = 1, 0
        """Random games that were played from leaves, and their steps."""
        self._positions: list[_Position] = []
        self._enter(state)

    def advance(self, moves: Sequence[Term], state: State) -> None:
        """As `Search.advance`."""
        self._state = state
        child = self._child(self._trees[0], moves)
        if child < 0 or self._positions[child].state != state:
            uct.keep(self._trees[0], -1)
            self._positions.clear()
            self._enter(state)
        else:
            kept = uct.keep(self._trees[0], child) >= 0
            self._positions = list(compress(self._positions, kept.tolist()))

    def _enter(self, state: State) -> _Position:
        """What is known of the newest node, which is expanded where there is room."""
        over = self._machine.is_terminal(state)
        moves = () if over else tuple(self._machine.legal_moves(state, role) for role in self._machine.roles)
        self._positions.append(_Position(state, moves, self._ended(state) if over else None))
        if moves and all(moves):
            counts = np.array([len(options) for options in moves], np.int64)
            uct.expand(self._trees[0], len(self._positions) - 1, None, None, None, counts, self._random[0])
        return self._positions[-1]

    def _run(self, at: int, games: int) -> int:
        tree, way = self._trees[0], self._ways[0]
        joint, nodes, edges = way
        depth = uct.search(tree, None, None, None, None, None, None, 1, 0, EXPLORATION, 0, *way)
        if (node := int(nodes[depth])) >= 0:
            position = self._positions[node]
            for role, options in zip(self._machine.roles, position.moves, strict=False):
                if not options:
                    raise no_legal_move(role)
        else:
            before = self._positions[nodes[depth - 1]]
            moves = [options[i] for options, i in zip(before.moves, joint.tolist(), strict=True)]
            state = self._machine.next_state(before.state, moves)
            nodes[depth] = uct.add(tree, nodes[depth - 1], -1 - node)
            position = self._enter(state) if nodes[depth] >= 0 else _Position(state, (), None)
        steps, goals = (0, position.goals) if position.goals is not None else self._played(position.state)
        uct.backup(tree, nodes, edges, depth, HASTE ** (depth + steps) / 100, np.array(goals))
        return 1

    def _played(self, state: State) -> tuple[int, tuple[float, ...]]:
        """Steps and goals of a random game; the mean number of steps where it lacks one goal for each role."""
        try:
            played = self._machine.playouts(1, self._draw.getrandbits(32), start=state)
        except GoalError as error:
            if error.state is None:
                raise
            return self._steps // self._games, self._ended(error.state)
        steps = played.steps or 0
        self._games, self._steps = self._games + 1, self._steps + steps
        return steps, tuple(map(float, played.goals))

    def _ended(self, state: State) -> tuple[float, ...]:
        """The goals of a terminal state, from 0 to 100: the mean of several counts, `NO_GOAL_COUNTS` for none."""
        goals = []
        for role in self._machine.roles:
            try:
                goals.append(self._machine.goals(state, role))
            except GoalError:  # what is no number
                goals.append(())
        self._trees[0].without_goal[0] += any(len(values) != 1 for values in goals)
        return tuple(fmean(values or (NO_GOAL_COUNTS,)) for values in goals)

    def _move(self, role: int, option: int) -> Term:
        return self._positions[0].moves[role][option]
