"""The second round of `train_policy.py`: the network plays against itself and learns from how its games go on.

The target of a move is one minus the value of the next position for the opponent. That value mixes the network's
estimate of the best move there with the target of the move that was played, if that was the best one: Q(lambda) of
Watkins (1989), whose traces end at exploratory moves.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hexlogic.players.evaluation.kernels import joins
from hexlogic.players.evaluation.policy import planes_of
from hexlogic.players.geometry import geometry_of

_LAMBDA: Final = 0.9
_EXPLORE: Final = 0.12
"""The share of moves that are drawn by their probability; the others are the best."""
_TOGETHER: Final = 128
"""Games that are under way at a time."""
_REMEMBERED: Final = 150_000
"""Moves of the last games on a board."""
_SHARES: Final = {7: 0.1, 8: 0.1, 9: 0.25, 10: 0.1, 11: 0.35, 13: 0.1}
"""How often a board is drawn, by its side."""
_BATCH: Final = 256
_RATE: Final = 1e-3
_EXCHANGED: Final = np.array([0, 2, 1], np.uint8)


class Move(NamedTuple):
    """A move of a game: the cells `[side * side]` as the mover saw them, the cell that he chose, from 0, and the target
    of its probability of winning."""

    cells: NDArray[np.uint8]
    chosen: int
    worth: float


def planes_of_all(cells: NDArray[np.uint8], side: int) -> Tensor:
    """The input of the network for boards `[boards, side * side]`, channels first."""
    return torch.from_numpy(planes_of(side, side, cells)).permute(0, 3, 1, 2)


@dataclass
class _Game:
    """A game in progress: by move, the cells and the choice, the network's value of the best move, and whether the
    choice was another one."""

    cells: NDArray[np.uint8]
    moves: list[tuple[NDArray[np.uint8], int]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    explored: list[bool] = field(default_factory=list)

    def judged(self) -> list[Move]:
        """The moves of a game that its last mover has won, with their targets, the last one first."""
        worth, judged = 1.0, []
        for place in reversed(range(len(self.moves))):
            judged.append(Move(*self.moves[place], worth))
            value = self.values[place]
            kept = 0.0 if self.explored[place] else _LAMBDA
            worth = 1 - (kept * worth + (1 - kept) * value)
        return judged


def _begun(side: int, numbers: np.random.Generator) -> _Game:
    """A board with none to four random stones, the last one of the opponent, seen by the player to move."""
    cells = np.zeros(side * side, np.uint8)
    for stone, place in enumerate(numbers.permutation(side * side)[: numbers.integers(0, 5)]):
        cells[place] = 2 - stone % 2
    return _Game(cells)


def games(
    evaluate: Callable[[Tensor], Tensor], side: int, together: int, numbers: np.random.Generator
) -> Iterator[list[Move]]:
    """Games of the network with itself without end, each as its moves; so many are under way at a time."""
    running = [_begun(side, numbers) for _ in range(together)]
    neighbours = geometry_of(side, side).neighbours
    while True:
        boards = np.stack([game.cells for game in running])
        with torch.no_grad():
            logits = evaluate(planes_of_all(boards, side)).flatten(1).numpy()
        logits = np.where(boards == 0, logits, -np.inf)
        best = logits.argmax(1)
        drawn = (logits + numbers.gumbel(size=logits.shape)).argmax(1)
        explores = numbers.random(together) < _EXPLORE
        for number, game in enumerate(running):
            chosen = int(drawn[number] if explores[number] else best[number])
            game.moves.append((game.cells, chosen))
            game.values.append(float(1 / (1 + np.exp(-logits[number, best[number]]))))
            game.explored.append(chosen != best[number])
            after = game.cells.copy()
            after[chosen] = 1
            if joins(after, neighbours, chosen):  # who moves is seen as red
                yield game.judged()
                running[number] = _begun(side, numbers)
            else:
                game.cells = np.ascontiguousarray(_EXCHANGED[after].reshape(side, side).T).reshape(-1)


class Memory:
    """The moves of the last games on one board, as arrays."""

    def __init__(self, side: int, most: int) -> None:
        self.side = side
        self.moves: deque[Move] = deque(maxlen=most)

    def batch(self, size: int, numbers: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Planes of drawn positions, the cells that were chosen and what that was worth."""
        moves = [self.moves[place] for place in numbers.integers(0, len(self.moves), size)]
        cells = np.stack([move.cells for move in moves])
        chosen = np.array([move.chosen for move in moves])
        turned = numbers.random(size) < 0.5
        cells[turned] = cells[turned, ::-1]
        chosen[turned] = self.side**2 - 1 - chosen[turned]
        worth = torch.tensor([move.worth for move in moves], dtype=torch.float32)
        return planes_of_all(cells, self.side), torch.from_numpy(chosen), worth


def loss_of(logits: Tensor, chosen: Tensor, worth: Tensor) -> Tensor:
    """The mean cross entropy of the chosen moves; `logits[batch, cells]`."""
    picked = logits.gather(1, chosen[:, None])[:, 0]
    return torch.nn.functional.binary_cross_entropy_with_logits(picked, worth)


def improve(
    evaluate: Callable[[Tensor], Tensor],
    tensors: Sequence[Tensor],
    exact_loss: Callable[[np.random.Generator], Tensor],
    steps: int,
    seed: int,
    report: Callable[[int, dict[int, float]], None],
) -> None:
    """Play and learn. A step learns from as many positions as were played for it; every other one also from positions
    whose moves are known, by `exact_loss`. `report` hears each 200 steps the mean loss by side."""
    numbers = np.random.default_rng(seed)
    played = {side: games(evaluate, side, _TOGETHER, numbers) for side in _SHARES}
    memories = {side: Memory(side, _REMEMBERED) for side in _SHARES}
    optimiser = torch.optim.AdamW(tensors, lr=_RATE, weight_decay=1e-5)
    losses: dict[int, list[float]] = defaultdict(list)
    for step in range(steps):
        left = 1 - step / steps
        for group in optimiser.param_groups:
            group["lr"] = _RATE * min(1.0, (step + 1) / 200, 0.03 + 2 * left)
        side = int(numbers.choice(list(_SHARES), p=list(_SHARES.values())))
        begin = len(memories[side].moves)
        new = 0
        while new < _BATCH or begin + new < 8 * _BATCH:
            moves = next(played[side])
            memories[side].moves.extend(moves)
            new += len(moves)
        planes, chosen, worth = memories[side].batch(_BATCH, numbers)
        loss = loss_of(evaluate(planes).flatten(1), chosen, worth)
        losses[side].append(loss.item())
        if step % 2 == 0:
            loss = loss + 0.5 * exact_loss(numbers)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(tensors, 1.0)
        optimiser.step()
        if step % 200 == 199:
            report(step + 1, {each: float(np.mean(losses[each])) for each in sorted(losses)})
            losses.clear()
