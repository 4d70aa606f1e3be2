"""`bridge`: the bridge builder (Middag 2015). An intruded bridge is filled; else the shortest path of bridges is
continued; when the path is complete, it is connected.

What the report names as flaws is mended: the path takes steps to neighbours where no bridge path is left, any board
will do, and longer connections to the side (the template of the third line) end a path.
"""

from __future__ import annotations

from hexlogic.games.game import opponent
from hexlogic.games.game_state import Action, GameState
from hexlogic.players.search.bridge_path import BridgePaths
from hexlogic.players.strategy import Budget, Strategy


class BridgeStrategy(Strategy):
    """The bridge builder."""

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The answer to an intrusion, or the cell of the path that lengthens the opponent's path most."""
        me, other = state.to_move, opponent(state.to_move)
        paths = BridgePaths(state)
        if (answer := paths.answer(me, state.last_cell)) is not None:
            self.note = "an intruded connection"
            return answer
        mine = paths.shortest(me)
        if mine is None:
            self.note = "no path is left"
            return state.empty[0]
        if not mine.missing:
            self.note = "the path is complete"
            return mine.gaps[0]  # connects more of it
        yours = paths.shortest(other)
        candidates = list(mine.missing)
        if yours is not None:
            candidates += [cell for cell in (*yours.missing, *yours.gaps) if cell not in candidates]

        def worth(cell: int) -> tuple[int, int, float]:
            after = paths.with_stone(me, cell)
            left, theirs = after.length(me), after.length(other)
            return theirs - left, -left, -paths.from_middle(cell)

        few = len(mine.missing)
        self.note = "one stone is missing" if few == 1 else f"{few} stones are missing"
        return max(candidates, key=worth)


STRATEGY = BridgeStrategy
