"""The third round of `train_policy.py`: the network learns from searches of its own games, as in expert iteration
(Anthony, Tian and Barber 2017).

Both sides of a game search with the network (`PolicyTree`), and virtual connections close moves and end the game. A
position teaches the worth and the share of the visits of each move that was searched, and that closed moves lose. The
worth of the move that was played also follows how the game went on, as in the second round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from policy_games import planes_of_all
from torch import Tensor
from torch.nn import functional

from hexlogic.games.game_state import GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.evaluation.policy import Network, network_of, seen_by_mover
from hexlogic.players.search.policy_tree import Node, PolicyTree
from hexlogic.players.search.tracker import Tracker
from hexlogic.players.strategy import Budget

_VISITS: Final = 40
_NOISE: Final = 0.2
"""The share of a Dirichlet distribution in the priors of a root."""
_OPENING: Final = 10
"""Moves that are drawn by visits; later ones are so only now and then."""
_EXPLORE: Final = 0.1
_LAMBDA: Final = 0.8
_GAMES: Final = 96
"""Games with the same weights."""
_SHARES: Final = {7: 0.03, 8: 0.05, 9: 0.15, 11: 0.67, 13: 0.1}
"""How often a board is drawn, by its side."""
_REMEMBERED: Final = 60_000
_USES: Final = 6
"""How often a position is learned from, on average."""
_BATCH: Final = 256
_RATE: Final = 5e-4
_FALLS: Final = 14
"""Rounds at the end of a call in which the rate falls, where it does."""
_APART: Final = 55
"""Rounds whose games a seed tells apart."""


@dataclass
class Searched:
    """A position of a game and what its search said of the moves; arrays `[side * side]` as the mover saw the board."""

    side: int
    cells: NDArray[np.uint8]
    visits: NDArray[np.float32]
    worth: NDArray[np.float32]
    """The probability that a move wins, where it was visited."""
    closed: NDArray[np.bool_]
    """Moves that are known to lose."""
    chosen: int
    value: float
    """The worth of the move with most visits."""
    explored: bool
    """Whether another move was chosen."""


def searched_game(network: Network, side: int, seed: int) -> list[Searched]:
    """A game of a network with itself, from none to four random stones on."""
    numbers = np.random.default_rng(seed)
    state = GameState(Hex(side, side))
    for place in numbers.permutation(side * side)[: numbers.integers(0, 5)]:
        state.play(state.to_move, int(place) + 1)
    tracker, tree = Tracker(6, 16), None
    positions: list[Searched] = []
    while (decided := tracker.decided(state)) is None:
        tree = PolicyTree(state, network, tree)
        root = tree.root
        if allowed := tracker.connections.must_play(state.to_move):
            tree.keep(root, allowed)
        noise = numbers.dirichlet(np.full(len(root.moves), 0.15)).astype(np.float32)
        root.prior = (1 - _NOISE) * root.prior + _NOISE * noise
        tree.run(Budget(playouts=_VISITS), lambda node: None, _VISITS**3)
        if root.known is not None:
            decided = root.known or "resign"
            break
        drawn = len(positions) < _OPENING or numbers.random() < _EXPLORE
        positions.append(_searched(state, root, numbers if drawn else None))
        state.play(state.to_move, int(_places(state)[positions[-1].chosen]) + 1)
    _judge(positions, float(decided != "resign"))
    return positions


def _places(state: GameState) -> NDArray[np.int64]:
    """The place on the board of each cell that the mover sees."""
    return seen_by_mover(state.board, np.zeros(len(state.cells), np.uint8), state.to_move)[3]


def _searched(state: GameState, root: Node, numbers: np.random.Generator | None) -> Searched:
    """What a search said; the move is drawn by visits, or the best without numbers."""
    lost = root.closed < 0
    counted = np.where(lost, 0, root.visits).astype(np.float32)
    best = int((counted + root.prior + root.closed).argmax())
    counted[best] = max(counted[best], 1)
    chosen = best if numbers is None else int(numbers.choice(len(counted), p=counted / counted.sum(dtype=np.float64)))
    visits, worth = (np.zeros(len(state.cells), np.float32) for _ in range(2))
    closed = np.zeros(len(state.cells), np.bool_)
    visits[root.moves], closed[root.moves] = counted, lost
    worth[root.moves] = root.worth / np.maximum(root.visits, 1)
    _, _, cells, places = seen_by_mover(state.board, np.frombuffer(bytes(state.cells), np.uint8), state.to_move)
    value = float(worth[root.moves[best]])
    return Searched(
        state.board.rows, cells, visits[places], worth[places], closed[places],
        int(np.flatnonzero(places == root.moves[chosen])[0]), value, chosen != best,
    )  # fmt: skip


def _judge(positions: Sequence[Searched], worth: float) -> None:
    """Set the worth of the moves that were played, from that of the last position for its mover."""
    for position in reversed(positions):
        worth = 1 - worth
        position.worth[position.chosen] = worth
        kept = 0.0 if position.explored else _LAMBDA
        worth = kept * worth + (1 - kept) * position.value


def loss_of(logits: Tensor, visits: Tensor, worth: Tensor, closed: Tensor) -> Tensor:
    """The mean loss of positions, all `[positions, cells]`: cross entropies of the worth of moves, by visits, of closed
    moves, and of the shares of visits."""
    shares = visits / visits.sum(1, keepdim=True)
    each = functional.binary_cross_entropy_with_logits(logits, worth, reduction="none")
    searched = (each * shares).sum(1)
    lost = (functional.softplus(logits) * closed).sum(1) / closed.sum(1).clamp(min=1)
    policy = functional.log_softmax(logits, dim=1)
    return (searched + 0.3 * lost - 0.3 * (shares * policy).sum(1)).mean()


@lru_cache(maxsize=2)
def _network(weights: bytes) -> Network:
    return network_of(weights, "weights of a round")


def _play(weights: bytes, side: int, seed: int) -> list[Searched]:
    return searched_game(_network(weights), side, seed)


class Memory:
    """The last searches on one board."""

    def __init__(self, side: int, most: int) -> None:
        self.side = side
        self.positions: deque[Searched] = deque(maxlen=most)

    def batch(self, size: int, numbers: np.random.Generator) -> list[Tensor]:
        """Planes, empty cells, visits, worth and closed moves of drawn positions, half of them turned."""
        drawn = [self.positions[place] for place in numbers.integers(0, len(self.positions), size)]
        arrays = [
            np.stack([getattr(position, name) for position in drawn]) for name in ("cells", "visits", "worth", "closed")
        ]
        turned = numbers.random(size) < 0.5
        for array in arrays:
            array[turned] = array[turned, ::-1]
        planes = planes_of_all(arrays[0], self.side)
        return [planes, torch.from_numpy(arrays[0] == 0), *(torch.from_numpy(array) for array in arrays[1:])]


def learn_from_searches(
    evaluate: Callable[[Tensor], Tensor],
    tensors: Sequence[Tensor],
    stored: Callable[[], bytes],
    rounds: int,
    seed: int,
    report: Callable[[int, int, float], None],
    *,
    falls: bool,
) -> None:
    """Play and learn; at the end the rate `falls`, or it stays. Games of a round are played by two processes while the
    network learns from those of the round before, with the weights that `stored` gave then. `report` hears for each
    round its positions and the mean loss."""
    numbers = np.random.default_rng(seed)
    memories = {side: Memory(side, int(_REMEMBERED * max(0.1, share))) for side, share in _SHARES.items()}
    optimiser = torch.optim.AdamW(tensors, lr=_RATE, weight_decay=1e-5)
    sides, shares = list(_SHARES), list(_SHARES.values())
    steps = 0
    with ProcessPoolExecutor(2, get_context("spawn")) as workers:

        def games(number: int) -> list[Future[list[Searched]]]:
            weights = stored()
            drawn = sorted((int(side) for side in numbers.choice(sides, _GAMES, p=shares)), reverse=True)
            return [
                workers.submit(_play, weights, side, (seed * _APART + number) * _GAMES + game)
                for game, side in enumerate(drawn)
            ]

        coming = games(0)
        for number in range(rounds):
            new = [position for game in coming for position in game.result()]
            coming = games(number + 1) if number + 1 < rounds else []
            for position in new:
                memories[position.side].positions.append(position)
            losses = []
            for _ in range(len(new) * _USES // _BATCH):
                steps += 1
                for group in optimiser.param_groups:
                    group["lr"] = _RATE * min(1.0, steps / 100, (rounds - number) / _FALLS if falls else 1.0)
                side = int(numbers.choice(sides, p=shares))
                if len(memories[side].positions) < _BATCH // 2:
                    side = 11
                planes, empty, *told = memories[side].batch(_BATCH, numbers)
                logits = evaluate(planes).flatten(1).masked_fill(~empty, -30)
                loss = loss_of(logits, *told)
                optimiser.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(tensors, 1.0)
                optimiser.step()
                losses.append(loss.item())
            report(number + 1, len(new), float(np.mean(losses)))
