"""`openspiel[:SIMULATIONS]`: the MCTS bot of OpenSpiel as a peer: UCT with c = 1.4, random rollouts.

It does 1,000 simulations unless a number is given, and needs `open_spiel`. There the first player joins top with
bottom, see `hexlogic.games.field`.
"""

from itertools import chain, zip_longest

from hexlogic.errors import EngineError, MoveError
from hexlogic.games.field import field_size
from hexlogic.games.game import BLUE, PLAYERS, RED, opponent
from hexlogic.games.game_state import Action, GameState
from hexlogic.players.strategy import Budget, Strategy, positive_number


class OpenSpielStrategy(Strategy):
    """The bot, made anew for each move: it keeps no tree."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__(None, seed)
        self.simulations = positive_number(option, 1000, "number of simulations")
        try:
            import pyspiel
        except ImportError:
            raise EngineError("OpenSpiel is not installed", hint="pip install open_spiel") from None
        self._pyspiel = pyspiel

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The bot's move. Whoever has more stones, or moves with as many, is the first player there; when that is blue,
        as after a swap, the board is mirrored so that blue joins top with bottom."""
        if min(state.board.rows, state.board.columns) < 2:
            # Its rollouts crash the process there.
            raise MoveError(f"OpenSpiel plays no {state.board.size_text} Hex", hint="two rows and columns at least")
        stones = {player: sorted(state.stones(player)) for player in PLAYERS}
        mover, other = state.to_move, opponent(state.to_move)
        if len(stones[other]) - len(stones[mover]) not in (0, 1):
            raise MoveError("OpenSpiel takes only positions that alternate play gives")
        first = mover if len(stones[other]) == len(stones[mover]) else other
        board = state.board
        columns, rows = field_size(board) if first == RED else field_size(board)[::-1]
        game = self._pyspiel.load_game(f"hex(num_cols={columns},num_rows={rows})")
        there = game.new_initial_state()
        # It numbers the cells row by row of its own board.
        numbers = {
            cell: cell - 1 if first == BLUE else (board.column(cell) - 1) * columns + board.row(cell) - 1
            for cell in board.cells
        }
        in_turn = chain.from_iterable(zip_longest(stones[first], stones[opponent(first)]))
        for cell in filter(None, in_turn):
            there.apply_action(numbers[cell])
        bot = self._pyspiel.MCTSBot(
            game,
            self._pyspiel.RandomRolloutEvaluator(1, self.draw.getrandbits(31)),
            1.4,
            self.simulations,
            1000,
            True,
            self.draw.getrandbits(31),
            False,
        )
        chosen = int(bot.step(there))
        return next(cell for cell, number in numbers.items() if number == chosen)


STRATEGY = OpenSpielStrategy
