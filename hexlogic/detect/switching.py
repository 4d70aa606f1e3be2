"""Following the blanks instead of the opponent: the switch that section 3 of the paper proposes.

By the Hex theorem q has won exactly when p's stones and the blanks together no longer join p's sides. So once there are
fewer blanks than stones of q, q's clusters are dropped, and p's stones plus blanks are followed: a set that only
shrinks, by one cell for each further stone of q.
"""

from __future__ import annotations

import functools

from hexlogic.engines.machine.machine import Machine, build_machine
from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Hex, Player, opponent
from hexlogic.logic.parser import parse_atom
from hexlogic.passes import Pipeline
from hexlogic.rulesets import load_rule_set, win_query

__all__ = ["BLANKS", "Switching"]

BLANKS = "maker-breaker"
"""The rule set that follows the blanks."""


class Switching:
    """The machines of one game: p's clusters throughout, q's until the switch, p's stones plus blanks afterwards.

    Inputs are numbered as in a machine for both players: red's cells, then blue's. `set` and `undo` answer with a bit
    for each player who has won, red lowest.
    """

    def __init__(self, rules: str, game: Hex, *, player: Player = "red") -> None:
        if not load_rule_set(rules).complete:
            raise EngineError(f"{rules} may miss wins, so the blanks would not say the same")
        self.game = game
        self.player = player
        self.opponent = opponent(player)
        self._cells = len(game.cells)
        self._own = _machine(rules, game, player)
        self._other = _machine(rules, game, self.opponent)
        self._blanks: Machine | None = None
        self._history: list[int] = []
        self._switched_at: int | None = None
        """The number of stones on the board when the blanks took over."""
        self._count = dict.fromkeys(PLAYERS, 0)
        self._won = dict.fromkeys(PLAYERS, False)

    @property
    def switched(self) -> bool:
        """Whether the blanks are followed now."""
        return self._blanks is not None

    @property
    def facts(self) -> int:
        """How many facts are held for q: of its clusters, or of p's stones plus blanks."""
        return len((self._blanks or self._other).true_atoms())

    def set(self, number: int) -> int:
        """Put a stone; who has won."""
        player = PLAYERS[number // self._cells]
        cell = number % self._cells
        self._history.append(number)
        self._count[player] += 1
        if player == self.player:
            self._won[player] = bool(self._own.set(cell))
        elif self._blanks is None:
            self._won[player] = bool(self._other.set(cell))
        else:
            self._won[player] = bool(self._blanks.set(cell))
        blank = self._cells - len(self._history)
        if self._blanks is None and blank < self._count[self.opponent]:
            self._switch()
        return self._bits()

    def undo(self) -> int:
        """Take the last stone back; who has won."""
        number = self._history.pop()
        player = PLAYERS[number // self._cells]
        self._count[player] -= 1
        if player == self.player:
            self._won[player] = bool(self._own.undo())
        elif self._switched_at is not None and len(self._history) >= self._switched_at:
            assert self._blanks is not None
            self._won[player] = bool(self._blanks.undo())
        else:
            self._won[player] = bool(self._other.undo())
        if self._switched_at is not None and len(self._history) < self._switched_at:
            # q's clusters have waited as they were.
            self._blanks = self._switched_at = None
        return self._bits()

    def copy(self) -> Switching:
        """Another one in the same state."""
        other = Switching.__new__(Switching)
        other.__dict__.update(self.__dict__)
        other._own, other._other = self._own.copy(), self._other.copy()
        other._blanks = None if self._blanks is None else self._blanks.copy()
        other._history = self._history.copy()
        other._count, other._won = dict(self._count), dict(self._won)
        return other

    def _switch(self) -> None:
        """Begin to follow p's stones plus blanks, which are all cells without a stone of q."""
        self._blanks = _machine(BLANKS, self.game, self.opponent)
        for number in self._history:
            if PLAYERS[number // self._cells] == self.opponent:
                self._won[self.opponent] = bool(self._blanks.set(number % self._cells))
        self._switched_at = len(self._history)

    def _bits(self) -> int:
        return sum(1 << place for place, player in enumerate(PLAYERS) if self._won[player])


def _machine(rules: str, game: Hex, player: Player) -> Machine:
    """The machine that tells whether one player has won, over that player's stones, while there are none."""
    return _pristine(rules, game, player).copy()


@functools.lru_cache(maxsize=16)
def _pristine(rules: str, game: Hex, player: Player) -> Machine:
    program = Pipeline.parse("ground").apply(load_rule_set(rules).instantiate(game))
    return build_machine(program, [parse_atom(f"owns({player},{cell})") for cell in game.cells], [win_query(player)])
