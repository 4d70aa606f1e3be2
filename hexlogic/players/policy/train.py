"""Train the policy from examples, with PyTorch (the extra `train`): the same examples and seed give the same weights.

The loss of a position is the cross entropy of each known move, and minus the log of the probability that the policy
gives to the winning moves together, or to the move that a strong player chose.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from hexlogic.players.evaluation.policy import DIRECTIONS, PLANES, STEPS, planes_of
from hexlogic.players.policy.examples import Example

CHANNELS: Final = 32
_BATCH: Final = 64
_RATE: Final = 2e-3


class Weights:
    """The weights of `evaluation.policy.Network` as tensors that learn: of each layer `[out, in, 3, 3]`, of which the
    two corners that touch no neighbour stay zero, and a bias; and the output `[CHANNELS]`."""

    def __init__(self) -> None:
        sizes = [PLANES, *[CHANNELS] * len(STEPS)]
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
        for step, kernel, bias in zip(STEPS, self.kernels, self.biases, strict=True):
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


def train(
    examples: Sequence[Example], epochs: int, seed: int, report: Callable[[int, float], None] = lambda epoch, loss: None
) -> Weights:
    """Weights trained on examples, each shown as it is or turned by half. `report` hears the mean loss of epochs."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    by_size: dict[tuple[int, int], list[Example]] = defaultdict(list)
    for example in examples:
        by_size[example.rows, example.columns].append(example)
    tables = {size: _tensors(group) for size, group in by_size.items()}
    weights = Weights()
    batches = sum(-(-len(group) // _BATCH) for group in by_size.values())
    optimiser = torch.optim.AdamW(weights.tensors(), lr=_RATE, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, epochs * batches)
    for epoch in range(epochs):
        plan = []
        for size, group in by_size.items():
            order = random.permutation(len(group))
            plan += [(size, order[begin : begin + _BATCH]) for begin in range(0, len(order), _BATCH)]
        losses = []
        for place in random.permutation(len(plan)):
            size, rows = plan[place]
            planes, wins, chosen = (table[torch.from_numpy(rows)] for table in tables[size])
            if random.random() < 0.5:
                planes, wins = planes.flip(2, 3), wins.flip(1)
                chosen = torch.where(chosen >= 0, wins.shape[1] - 1 - chosen, chosen)
            empty = (planes[:, 2] - planes[:, 0] - planes[:, 1] > 0.5)[:, 1:-1, 1:-1].flatten(1)
            loss = _loss(weights.evaluate(planes).flatten(1), wins, chosen, empty)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights.tensors(), 1.0)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        report(epoch + 1, float(np.mean(losses)))
    return weights


def _tensors(group: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor]:
    planes = np.stack([planes_of(example.rows, example.columns, example.cells) for example in group])
    wins = np.stack([example.wins for example in group])
    chosen = np.array([example.chosen for example in group])
    return torch.from_numpy(planes), torch.from_numpy(wins), torch.from_numpy(chosen)
