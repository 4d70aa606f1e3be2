"""`solver[:EMPTY]`: plays perfectly where a virtual connection or the solver names the winner; else `policy-vc`.

The solver is asked when at most so many cells are empty (62 unless a number is given, which is all of 7x7, and 9x9
after 19 stones), for a part of the time of a move or a number of positions. What it finds is remembered for the rest of
the game.
"""

from typing import Final

from hexlogic.games.game_state import RESIGN, Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.evaluation.policy import Policy
from hexlogic.players.solver.solver import MOST_CELLS, Solution, Solver
from hexlogic.players.strategies.policy_vc import PolicyVcStrategy
from hexlogic.players.strategy import Budget, Strategy, positive_number

_STEP: Final = 5  # Positions between two looks at the clock
_WITHOUT_CLOCK: Final = 60  # Positions for a move that has no time
_SHARE: Final = 0.4
_ROWS: Final = 1 << 18  # Positions that a player remembers: 47 MB at most, for several may play at once


class SolverStrategy(Strategy):
    """The solver, with a search to fall back on."""

    def __init__(self, option: str | None = None, seed: int = 0, policy: Policy | None = None) -> None:
        super().__init__(None, seed)
        self.most_empty = positive_number(option, MOST_CELLS, "number of empty cells")
        self._fallback = PolicyVcStrategy(None, seed)
        self._fallback.policy = policy
        self._solver: Solver | None = None
        self.resigns = False
        """Whether it gives up when the opponent's virtual connection wins; else it plays on."""

    def prepare(self, board: Hex) -> None:
        """Compile the solver and the search."""
        self._fallback.prepare(board)
        Solver(Hex(3, 3)).solve(GameState(Hex(3, 3)).position)

    def reset(self, seed: int) -> None:
        """Forget the last game; what was solved stays true."""
        super().reset(seed)
        self._fallback.reset(seed)

    def choose(self, state: GameState, budget: Budget) -> Action:
        """A winning move, or what the search likes best."""
        begin = budget.now()
        decided = self._fallback.tracker.decided(state)
        if isinstance(decided, int) or (decided is not None and self.resigns):
            self.note = f"{'the opponent ' if decided == RESIGN else ''}wins by a virtual connection"
            return decided
        solution = self.solution(state, budget)
        if solution is not None and solution.move is not None and solution.winner == state.to_move:
            self.note = f"solved: wins, {solution.positions} positions"
            return solution.move
        move = self._fallback.choose(state, budget.since(begin))
        self.note = self._fallback.note if solution is None else "solved: every move loses"
        return move

    def solution(self, state: GameState, budget: Budget) -> Solution | None:
        """The solution that the solver finds within its part of the budget, or None."""
        if len(state.empty) > self.most_empty:
            return None
        if self._solver is None or not self._solver.knows(state.position):
            played = state.position if len(state.cells) > MOST_CELLS else None
            self._solver = Solver(state.board, _ROWS, played)
        until = None if budget.seconds is None else budget.now() + _SHARE * budget.seconds
        for _ in range(_WITHOUT_CLOCK // _STEP if until is None else 10**9):
            solution = self._solver.solve(state.position, state.to_move, most=_STEP)
            if solution is not None:
                return solution
            if self._solver.is_full:
                self._solver = None  # its memory is given back; the next move begins anew
                break
            if until is not None and budget.now() >= until:
                break
        return None


STRATEGY = SolverStrategy
