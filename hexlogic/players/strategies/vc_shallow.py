"""`vc-shallow[:DEPTH[:CANDIDATES[:FULL]]]`: shallow search with virtual connections at every node.

4 moves deep with 6 candidates and 6 full connections for a pair of ends, unless other numbers are given. With seconds
for a move, the deepest search up to that depth that ends in time.
"""

from __future__ import annotations

from hexlogic.errors import HexlogicError
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.budget import Budget
from hexlogic.players.search.tracker import Tracker
from hexlogic.players.search.vc_search import VcSearch, VcSettings
from hexlogic.players.strategy import Strategy, positive_number


class ShallowSearch(Strategy):
    """Plays what connections prove; else what the search likes best."""

    def __init__(self, settings: VcSettings, seed: int, full_limit: int = 6, semi_limit: int = 16) -> None:
        super().__init__(None, seed)
        self.settings, self._limits = settings, (full_limit, semi_limit)
        self._tracker = Tracker(*self._limits)

    def prepare(self, board: Hex) -> None:
        """Compile the deduction."""
        state = GameState(Hex(3, 3))
        state.play("red", 5)
        self.choose(state, Budget(seconds=60.0))

    def reset(self, seed: int) -> None:
        """Forget the last game."""
        super().reset(seed)
        self._tracker = Tracker(*self._limits)

    def choose(self, state: GameState, budget: Budget) -> Action:
        """A winning move that is known, or the best candidate."""
        until = budget.deadline()
        tracker, mover = self._tracker, state.to_move
        tracker.follow(state)
        if (winning := tracker.winning_move(mover)) is not None:
            self.note = "wins by a virtual connection"
            return winning
        search = VcSearch(tracker, self.settings)
        chosen: tuple[int, float] | None = None
        reached = 0
        search.now = budget.now
        depths = range(1, self.settings.depth + 1) if until is not None else [self.settings.depth]
        for depth in depths:
            # The first search is finished in any case.
            move = search.best(state, depth, until if chosen is not None else None)
            if move is None:
                break
            chosen, reached = move, depth
        if chosen is None:
            return state.empty[0]
        self.note = f"value {chosen[1]:.2f} at depth {reached}, {search.positions} positions"
        return chosen[0]


class VcShallowStrategy(ShallowSearch):
    """Shallow search."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        parts = () if option is None else tuple(option.split(":"))
        if len(parts) > 3:
            raise HexlogicError(f"{option!r} is more than three numbers", hint="such as vc-shallow:4:6:6")
        given: list[str | None] = [*parts, *[None] * (3 - len(parts))]
        depth = positive_number(given[0], 4, "depth", 12)
        candidates = positive_number(given[1], 6, "number of candidates", 1000)
        full = positive_number(given[2], 6, "number of connections", 100)
        super().__init__(VcSettings(depth, candidates), seed, full_limit=full)


STRATEGY = VcShallowStrategy
