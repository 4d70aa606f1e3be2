"""A Monte Carlo search of one position: threads that share a tree until the budget is spent."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.games.game import RED
from hexlogic.games.game_state import GameState
from hexlogic.players.geometry import BLUE_SIGN, RED_SIGN, padded_cells
from hexlogic.players.search.uct import ASKED, BRIDGES, LOST, OPEN, UNIFORM, WON, Settings, Tree, new_tree, search
from hexlogic.players.strategy import Budget
from hexlogic.process.threads import in_thread

_CHUNK: Final = 64
"""Playouts of a thread between two looks at the clock."""
_NODES: Final = 3_000_000


PLAIN: Final = Settings(UNIFORM, explore=0.7, rave=0.0, expand_at=2, prior=0)
"""UCT with uniform playouts."""
RAVE: Final = Settings(BRIDGES, explore=0.15, rave=0.0005, expand_at=6, prior=8)
"""RAVE, playouts that save bridges, and first counts from patterns."""


class MonteCarlo:
    """The search of one position. Moves may be closed before `run`."""

    def __init__(self, state: GameState, settings: Settings, seed: int) -> None:
        self.state, self.settings, self.seed = state.copy(), settings, seed
        self.width = state.board.columns + 2
        self.root = padded_cells(state)
        self.mover = RED_SIGN if state.to_move == RED else BLUE_SIGN
        cells = len(state.cells)
        self.tree: Tree = new_tree(min(_NODES, 40_000 * cells))
        self.playouts = 0
        self._looked = 0
        self.last = 0
        """The padded cell of the last stone."""
        if state.last_cell is not None:
            row, column = divmod(state.last_cell - 1, self.width - 2)
            self.last = (row + 1) * self.width + column + 1
        # One playout expands the root, so that moves can be closed before the others.
        self._run_chunk(2 + settings.expand_at, self._random(63))

    def cell(self, node: int) -> int:
        """The cell number of a node's move."""
        row, column = divmod(int(self.tree.cell[node]), self.width)
        return (row - 1) * (self.width - 2) + column

    def children(self, node: int = 0) -> range:
        """The nodes of the moves from a node."""
        first = int(self.tree.first[node])
        return range(first, first + int(self.tree.width[node])) if first else range(0)

    def close(self, node: int, keep: set[int]) -> None:
        """Take every move from a node as lost but those on the cells to keep."""
        for child in self.children(node):
            if self.cell(child) not in keep:
                self.tree.known[child] = LOST

    def set_priors(self, node: int, log_odds: NDArray[np.float32], weight: float) -> None:
        """Give the moves from a node a bonus, `weight` times their probability by a policy; `log_odds[cells]`."""
        nodes = list(self.children(node))
        if nodes:
            values = log_odds[[self.cell(child) - 1 for child in nodes]]
            shares = np.exp(values - values.max())
            self.tree.prior[nodes] = weight * shares / shares.sum()

    def has_priors(self, node: int) -> bool:
        """Whether `set_priors` was called for a node with moves."""
        return bool(self.tree.prior[self.tree.first[node]]) if self.tree.first[node] else False

    def set_known(self, node: int, wins: bool) -> None:
        """Write down that the move to a node wins, or loses, for who makes it."""
        self.tree.known[node] = WON if wins else LOST

    def run(self, budget: Budget, look: Callable[[int], None] | None = None) -> None:
        """Search until the budget is spent or the position is known. `look` is called for each node that has visits
        enough, in the thread of the caller: beside the others when there are several, else in turn with playouts, for
        about half of the time; without a time for every such node, so that the search repeats exactly."""
        until = budget.deadline()
        stop = threading.Event()
        lock = threading.Lock()

        def work(number: int) -> None:
            random = self._random(number)
            looking = playing = 0.0
            while not stop.is_set():
                begin = budget.now()
                with lock:
                    left = _CHUNK if budget.playouts is None else budget.playouts - self.playouts
                    chunk = min(_CHUNK, left)
                    self.playouts += max(0, chunk)
                if chunk <= 0:
                    return
                if self._run_chunk(chunk, random) < chunk or (until is not None and begin >= until):
                    stop.set()
                playing += budget.now() - begin
                if look is not None and budget.threads <= 1:
                    begin = budget.now()
                    while not stop.is_set() and (until is None or (looking <= playing and begin < until)):
                        if not self._look_at_next(look):
                            break
                        now = budget.now()
                        looking, begin = looking + now - begin, now

        if budget.threads <= 1:
            work(0)
            return
        threads = [in_thread(partial(work, number)) for number in range(budget.threads)]
        while look is not None and not all(thread.done() for thread in threads):
            if not self._look_at_next(look):
                wait(threads[:1], 0.002)
        for thread in threads:
            thread.result()

    def _look_at_next(self, look: Callable[[int], None]) -> bool:
        """Look at the next node that is wanted and not known yet; False when there is none."""
        while self._looked < min(int(self.tree.counters[ASKED]), len(self.tree.wanted)):
            node = int(self.tree.wanted[self._looked])
            self._looked += 1
            if all(self.tree.known[above] == OPEN for above in self._way_up(node)):  # else it is of no use
                look(node)
                return True
        return False

    def _way_up(self, node: int) -> Iterator[int]:
        """A node and those above it, without the root."""
        while node:
            yield node
            node = int(self.tree.parent[node])

    def _random(self, number: int) -> NDArray[np.uint64]:
        """The state of a thread's random numbers."""
        return np.array([(self.seed * 64 + number + 1) * 0x9E3779B97F4A7C15 % 2**64], np.uint64)

    def nodes_to(self, node: int) -> list[int]:
        """The nodes from the first move to a node."""
        return list(self._way_up(node))[::-1]

    def path(self, node: int) -> list[int]:
        """The cells of the moves from the root to a node."""
        return [self.cell(above) for above in self.nodes_to(node)]

    def best(self) -> tuple[int, float]:
        """The cell of the move with most visits (of those that are not lost, where there are any), and the share of its
        playouts that the mover won."""
        tree = self.tree
        won = [child for child in self.children() if tree.known[child] == WON]
        if won:
            return self.cell(won[0]), 1.0
        moves = [child for child in self.children() if tree.known[child] != LOST] or list(self.children())
        node = max(moves, key=lambda child: (int(tree.visits[child]), -child))
        lost = tree.known[node] == LOST
        return self.cell(node), 0.0 if lost else int(tree.wins[node]) / max(1, int(tree.visits[node]))

    def _run_chunk(self, playouts: int, random: NDArray[np.uint64]) -> int:
        return int(search(self.tree, self.root, self.width, self.mover, self.last, playouts, self.settings, random))
