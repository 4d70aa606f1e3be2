"""Follow the blank cells instead of the opponent's stones: the switch that section 3 of the paper proposes.

By the Hex theorem q has won exactly when p's stones and the blanks together no longer join p's sides. So once there are
fewer blanks than stones of q, q's clusters are dropped, and p's stones plus blanks are followed: a set that only
shrinks, by one cell for each further stone of q.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Self

from hexlogic.errors import EngineError
from hexlogic.language import Atom
from hexlogic.language.engines import Follower

BLANKS: Final = "maker-breaker"
"""The rule set that follows the blanks."""

_OWN, _OTHER = 0, 1
"""p, the player who moves first in the order of the inputs, and q."""


class SwitchingFollower(Follower):
    """Three followers of one game: p's clusters throughout, q's until the switch, p's stones plus blanks afterwards.

    `inputs` are p's stones on every cell, then q's in the same order, and `queries` whether p has won, then q. The
    followers of p's and of q's clusters get one player's stones each; `blanks` makes the third one at the switch.
    """

    def __init__(
        self,
        inputs: Sequence[Atom],
        queries: Sequence[Atom],
        clusters: Follower,
        other_clusters: Follower,
        blanks: Callable[[], Follower],
    ) -> None:
        super().__init__(inputs, queries)
        self._cells = len(inputs) // 2
        self._clusters = (clusters, other_clusters)
        self._make_blanks = blanks
        self._blanks: Follower | None = None
        self._stones: list[int] = []
        self._switched_at: int | None = None
        """The number of stones on the board when the blanks took over."""

    def add(self, number: int) -> int:
        """Put a stone; who has won."""
        player, cell = divmod(number, self._cells)
        self._follower(player).add(cell)
        self._stones.append(number)
        blank = self._cells - len(self._stones)
        if self._blanks is None and blank < sum(stone >= self._cells for stone in self._stones):
            self._switch()
        return self.holds()

    def undo(self) -> int:
        """Take the last stone back; who has won."""
        if not self._stones:
            raise EngineError("there is no stone, so none can be taken back")
        if self._blanks is not None and len(self._stones) == self._switched_at:
            # q's clusters have waited as they were.
            self._blanks.close()
            self._blanks = self._switched_at = None
        self._follower(self._stones[-1] // self._cells).undo()
        self._stones.pop()
        return self.holds()

    def holds(self) -> int:
        """Who has won, p lowest."""
        return self._follower(_OWN).holds() | self._follower(_OTHER).holds() << 1

    def copy(self) -> Self:
        """An independent follower in the same state."""
        other = object.__new__(type(self))
        blanks = None if self._blanks is None else self._blanks.copy()
        own, clusters = self._clusters
        other.__dict__ |= self.__dict__ | {
            "_clusters": (own.copy(), clusters.copy()),
            "_blanks": blanks,
            "_stones": self._stones.copy(),
        }
        return other

    def close(self) -> None:
        """Release all three."""
        for follower in (*self._clusters, *([] if self._blanks is None else [self._blanks])):
            follower.close()

    def _follower(self, player: int) -> Follower:
        """The follower that decides about a player now."""
        return self._blanks if player == _OTHER and self._blanks is not None else self._clusters[player]

    def _switch(self) -> None:
        """Begin to follow p's stones plus blanks, which are all cells without a stone of q."""
        blanks = self._make_blanks()
        for number in self._stones:
            if number >= self._cells:
                blanks.add(number - self._cells)
        self._blanks, self._switched_at = blanks, len(self._stones)
