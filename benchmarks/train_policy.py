"""Make the policy again: `python benchmarks/train_policy.py FOLDER`, with PyTorch, in some hours on one core.

Examples of each kind go into the folder, one file each; a second call makes only what is missing. The network is
trained on all of them, then by games with itself (`policy_games`), and written to the folder as `second.npz`; from
there on by searches (`policy_searches`), and written as `weights.npz`. The same seed gives the same weights.

The loss of a position is the cross entropy of each known move, and minus the log of the probability that the policy
gives to the winning moves together, or to the move that a strong player chose.
"""

from __future__ import annotations

import io
import pickle
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from policy_examples import Example, examples
from policy_games import improve
from policy_searches import learn_from_searches
from torch import Tensor
from torch.nn import functional

from hexlogic.games import Hex
from hexlogic.players.evaluation.policy import DIRECTIONS, PLANES, STEPS, planes_of

CHANNELS: Final = 32
_BATCH: Final = 64
_RATE: Final = 2e-3


class Weights:
    """The weights of `evaluation.policy.Network` as tensors that learn: of each layer `[out, in, 3, 3]`, of which the
    two corners that touch no neighbour stay zero, and a bias; and the output `[CHANNELS]`."""

    def __init__(self, layers: int) -> None:
        sizes = [PLANES, *[CHANNELS] * layers]
        mask = torch.zeros(3, 3)
        for row, column in DIRECTIONS:
            mask[row + 1, column + 1] = 1
        self.mask = mask
        self.kernels = [
            (torch.randn(after, before, 3, 3) * (0.5 if before == after else 1.4) / (7 * before) ** 0.5)
            for before, after in pairwise(sizes)
        ]
        self.biases = [torch.zeros(size) for size in sizes[1:]]
        self.output = torch.randn(CHANNELS) * 0.1
        for tensor in self.tensors():
            tensor.requires_grad_()

    def tensors(self) -> list[Tensor]:
        """All that learns."""
        return [*self.kernels, *self.biases, self.output]

    def evaluate(self, planes: Tensor) -> Tensor:
        """Log-odds `[batch, rows, columns]` of planes `[batch, PLANES, rows + 2, columns + 2]`."""
        shown = planes
        for step, kernel, bias in zip(STEPS[: len(self.biases)], self.kernels, self.biases, strict=True):
            summed = functional.conv2d(shown, kernel * self.mask, bias, padding=step, dilation=step)
            shown = torch.relu(summed + shown if shown.shape == summed.shape else summed)
        return torch.einsum("bcij,c->bij", shown, self.output)[:, 1:-1, 1:-1]

    def arrays(self) -> dict[str, NDArray[np.float16]]:
        """The weights as `evaluation.policy.network_of` reads them."""
        stored = {"output": self.output}
        for number, (kernel, bias) in enumerate(zip(self.kernels, self.biases, strict=True)):
            taps = [kernel[:, :, row + 1, column + 1] for row, column in DIRECTIONS]
            stored |= {f"weights{number}": torch.cat(taps, dim=1), f"bias{number}": bias}
        return {name: tensor.detach().numpy().astype(np.float16) for name, tensor in stored.items()}

    def stored(self) -> bytes:
        """A file of weights."""
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, **self.arrays())
        return file.getvalue()

    def load(self, file: Path) -> None:
        """Take the weights of a file. Layers that it does not have change nothing at first."""
        with np.load(file) as arrays, torch.no_grad():
            read = {name: torch.from_numpy(arrays[name].astype(np.float32)) for name in arrays.files}
            self.output.copy_(read["output"])
            for number, (kernel, bias) in enumerate(zip(self.kernels, self.biases, strict=True)):
                kernel.zero_()
                bias.zero_()
                if f"bias{number}" not in read:
                    continue
                bias.copy_(read[f"bias{number}"])
                for (row, column), tap in zip(
                    DIRECTIONS, read[f"weights{number}"].chunk(len(DIRECTIONS), 1), strict=True
                ):
                    kernel[:, :, row + 1, column + 1] = tap


def _loss(logits: Tensor, wins: Tensor, chosen: Tensor, empty: Tensor) -> Tensor:
    """The mean loss of a batch, all `[batch, cells]` but `chosen` `[batch]`."""
    known = wins >= 0
    entropy = functional.binary_cross_entropy_with_logits(logits, (wins > 0).float(), reduction="none")
    each = (entropy * known).sum(1) / known.sum(1).clamp(min=1)
    shares = functional.log_softmax(logits.masked_fill(~empty, -1e9), dim=1)
    winning = wins > 0
    asked = winning.any(1) & (empty & ~winning).any(1)
    together = torch.logsumexp(shares.masked_fill(~winning, -1e9), dim=1)
    named = (chosen >= 0) & ~winning.any(1)
    picked = shares.gather(1, chosen.clamp(min=0)[:, None])[:, 0]
    return (each - asked * together - 0.5 * named * picked).mean()


class Tables:
    """Examples as tensors, by the size of their board."""

    def __init__(self, shown: Sequence[Example]) -> None:
        by_size: dict[tuple[int, int], list[Example]] = defaultdict(list)
        for example in shown:
            by_size[example.rows, example.columns].append(example)
        self.tables = [_tensors(group) for group in by_size.values()]
        self.counts = np.array([len(group) for group in by_size.values()])

    def plan(self, numbers: np.random.Generator) -> list[tuple[int, NDArray[np.int64]]]:
        """Batches of an epoch: the number of a table and rows there."""
        plan = []
        for number, count in enumerate(self.counts):
            order = numbers.permutation(count)
            plan += [(number, order[begin : begin + _BATCH]) for begin in range(0, count, _BATCH)]
        return [plan[place] for place in numbers.permutation(len(plan))]

    def loss(self, weights: Weights, number: int, rows: NDArray[np.int64], numbers: np.random.Generator) -> Tensor:
        """The loss of rows of a table, shown as they are or turned by half."""
        planes, wins, chosen = (table[torch.from_numpy(rows)] for table in self.tables[number])
        if numbers.random() < 0.5:
            planes, wins = planes.flip(2, 3), wins.flip(1)
            chosen = torch.where(chosen >= 0, wins.shape[1] - 1 - chosen, chosen)
        empty = (planes[:, 2] - planes[:, 0] - planes[:, 1] > 0.5)[:, 1:-1, 1:-1].flatten(1)
        return _loss(weights.evaluate(planes).flatten(1), wins, chosen, empty)

    def drawn(self, weights: Weights, numbers: np.random.Generator) -> Tensor:
        """The loss of a drawn batch."""
        number = int(numbers.choice(len(self.counts), p=self.counts / self.counts.sum()))
        return self.loss(weights, number, numbers.integers(0, self.counts[number], _BATCH), numbers)


def train(
    tables: Tables, epochs: int, seed: int, report: Callable[[int, float], None] = lambda epoch, loss: None
) -> Weights:
    """Weights trained on examples. `report` hears the mean loss of epochs."""
    torch.manual_seed(seed)
    numbers = np.random.default_rng(seed)
    weights = Weights(FIRST_LAYERS)
    batches = len(tables.plan(np.random.default_rng(seed)))
    optimiser = torch.optim.AdamW(weights.tensors(), lr=_RATE, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, epochs * batches)
    for epoch in range(epochs):
        losses = []
        for number, rows in tables.plan(numbers):
            loss = tables.loss(weights, number, rows, numbers)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights.tensors(), 1.0)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        report(epoch + 1, float(np.mean(losses)))
    return weights


def _tensors(group: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor]:
    planes = planes_of(group[0].rows, group[0].columns, np.stack([example.cells for example in group]))
    wins = np.stack([example.wins for example in group])
    chosen = np.array([example.chosen for example in group])
    return torch.from_numpy(planes.transpose(0, 3, 1, 2).copy()), torch.from_numpy(wins), torch.from_numpy(chosen)


SEED: Final = 1
EPOCHS: Final = 20
STEPS_OF_PLAY: Final = 20_000
FIRST_LAYERS: Final = 8
SEARCHES: Final = ((8, 20, 3, False), (8, 14, 4, True), (12, 26, 5, True), (12, 24, 6, False), (12, 10, 7, True))
"""Layers, rounds, seed, and whether the rate falls at their end."""


class Kind(NamedTuple):
    """Examples of one board. Of `random` positions and those that a player `played` the solver knows all moves;
    of `large` ones connections know some, and the player chose one."""

    kind: str
    rows: int
    columns: int
    wanted: int
    player: str = ""


KINDS: Final = (
    Kind("random", 5, 5, 4000),
    Kind("random", 6, 6, 15000),
    Kind("random", 7, 7, 12000),
    Kind("random", 7, 8, 2000),
    Kind("played", 6, 6, 3000, "mcts-vc:60"),
    Kind("played", 7, 7, 8000, "mcts-vc:100"),
    Kind("large", 9, 9, 4000, "mcts-vc:800"),
    Kind("large", 11, 11, 3000, "mcts-vc:1000"),
    Kind("large", 13, 13, 1000, "mcts-vc:1000"),
)


def make(kind: Kind, number: int) -> list[Example]:
    """The examples of a kind, by its place in the list."""
    draw, board = random.Random(SEED * 1000 + number), Hex(kind.rows, kind.columns)
    return list(islice(examples(kind.kind, board, kind.player, draw), kind.wanted))


def main(folder: Path) -> None:
    """Make what is missing, and train."""
    folder.mkdir(parents=True, exist_ok=True)
    gathered: list[Example] = []
    for number, kind in enumerate(KINDS):
        path = folder / f"{kind.kind}-{kind.rows}x{kind.columns}.pickle"
        if not path.exists():
            path.write_bytes(pickle.dumps(make(kind, number)))
        gathered += pickle.loads(path.read_bytes())
        print(f"{path}: {len(gathered)} examples so far", file=sys.stderr)
    second = folder / "second.npz"
    if not second.exists():
        second.write_bytes(_second(gathered).stored())
    last = second
    for layers, rounds, seed, falls in SEARCHES:
        weights = Weights(layers)
        weights.load(last)
        learn_from_searches(weights.evaluate, weights.tensors(), weights.stored, rounds, seed, _told_round, falls=falls)
        last = folder / "weights.npz"
        last.write_bytes(weights.stored())


def _told_round(number: int, positions: int, loss: float) -> None:
    print(f"round {number}: {positions} positions, {loss:.4f}", file=sys.stderr)


def _second(gathered: Sequence[Example]) -> Weights:
    """The network after examples and games with itself."""
    tables = Tables(gathered)
    weights = train(tables, EPOCHS, SEED, lambda epoch, loss: print(f"{epoch}: {loss:.4f}", file=sys.stderr))
    improve(
        weights.evaluate,
        weights.tensors(),
        lambda numbers: tables.drawn(weights, numbers),
        STEPS_OF_PLAY,
        SEED,
        lambda step, losses: print(f"{step}: {losses}", file=sys.stderr),
    )
    return weights


if __name__ == "__main__":
    main(Path(sys.argv[1]))
