"""Many positions at once: who has won, by the ground rules of any rule set, 64 positions to a word.

>>> import numpy as np
>>> boards = np.zeros((2, 9), dtype=np.uint8)
>>> boards[0, [3, 4, 5]] = 1
>>> Batch("follow-line-tabled", size=3).winners(boards)
array([1, 0], dtype=uint8)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexlogic.games import PLAYERS, Hex
from hexlogic.rulesets import win_query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Batch"]


class Batch:
    """One rule set on one board, ground once, for any number of positions.

    Raises UnknownNameError for the rule set, SizeError for the board, and EngineError when it cannot be ground.
    """

    def __init__(self, rules: str = "follow-line-tabled", *, size: int = 11) -> None:
        from hexlogic.detect.atoms import AtomBatch

        self.game = Hex.square(size)
        self._wins = AtomBatch(rules, self.game, [win_query(player) for player in PLAYERS])

    def winners(self, boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Of each row of `boards` (positions x cells; 0 empty, 1 red, 2 blue) who has won: 0 nobody, 1 red, 2 blue, and
        3 where both have, which no game can reach.

        Raises PositionError for an array of another shape or with other entries.
        """
        return self._wins.codes(boards)

    def pack(self, boards: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """The boards of `winners` as words for `won`; `hexlogic.detect.atoms` says how they lie. Raises as `winners`
        does."""
        return self._wins.pack(boards)

    def won(self, packed: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Of packed boards where red has won, and where blue has: uint64[blocks, 2, B / 64], B = 512. Raises
        PositionError for an array of another shape."""
        return self._wins.words(packed)
