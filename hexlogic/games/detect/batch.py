"""Many positions at once: who has won, by the ground rules of any rule set, 64 positions to a word.

>>> import numpy as np
>>> boards = np.zeros((2, 9), dtype=np.uint8)
>>> boards[0, [3, 4, 5]] = 1
>>> Batch("follow-line-tabled", size=3).winners(boards)
array([1, 0], dtype=uint8)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import PLAYERS, Hex
from hexlogic.games.detect.atoms import AtomBatch
from hexlogic.games.rulesets import win_query


class Batch(AtomBatch):
    """Who has won by one rule set on one board, ground once, for any number of positions.

    Raises UnknownNameError for the rule set, SizeError for the board, and EngineError when it cannot be ground.
    """

    def __init__(self, rules: str = "follow-line-tabled", *, size: int = 11) -> None:
        super().__init__(rules, Hex.square(size), [win_query(player) for player in PLAYERS])

    def winners(self, boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Of each row of `boards` (positions x cells; 0 empty, 1 red, 2 blue) who has won: 0 nobody, 1 red, 2 blue, and
        3 where both have, which no game can reach. Raises as `truths` does."""
        return self.codes(boards)

    def won(self, packed: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Of packed boards where red has won, and where blue has: uint64[blocks, 2, B / 64]. Raises as `words` does."""
        return self.words(packed)
