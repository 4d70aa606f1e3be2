"""What a set of positions gives away without any understanding of Hex.

In games that stop at the win the winner has made the last move, so that the parity of the stone count names the winner.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import PLAYERS
from hexlogic.predict.dataset import Dataset

__all__ = ["majority_winner", "parity_rule", "statistics"]


def majority_winner(winners: NDArray[np.uint8]) -> int:
    """The winner (1 red, 2 blue) of most positions; blue when there are as many."""
    return 1 if np.count_nonzero(winners == 1) * 2 > len(winners) else 2


def parity_rule(stones: NDArray[np.int64], winners: NDArray[np.uint8]) -> tuple[int, int]:
    """The winner of most positions with an even number of stones, and of those with an odd number."""
    even, odd = (majority_winner(winners[stones % 2 == parity]) for parity in (0, 1))
    return even, odd


def statistics(data: Dataset) -> dict[str, object]:
    """Plain figures of a set: winners, stones, empties, duplicates, and how often parity names the winner."""
    stones = data.stones
    if not len(data):
        return {"positions": 0}
    rule = np.array(parity_rule(stones, data.winners))
    _, first = np.unique(data.boards, axis=0, return_index=True)
    empties, counts = np.unique(data.boards.shape[1] - stones, return_counts=True)
    return {
        "positions": len(data),
        "games": len(np.unique(data.games)),
        "won": {player: round(float(np.mean(data.winners == sign)), 4) for sign, player in enumerate(PLAYERS, start=1)},
        "stones_mean": round(float(np.mean(stones)), 2),
        "empties": {str(number): int(count) for number, count in zip(empties, counts, strict=True)},
        "duplicates": len(data) - len(first),
        "parity_names_winner": round(float(np.mean(rule[stones % 2] == data.winners)), 4),
        "majority": round(float(np.mean(data.winners == majority_winner(data.winners))), 4),
    }
