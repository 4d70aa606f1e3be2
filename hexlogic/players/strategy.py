"""The interface of strategies, which choose moves, and the limits on a move."""

import random
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from hexlogic.errors import HexlogicError
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex

Clock: TypeAlias = Literal["wall", "cpu"]
CLOCKS: Final[tuple[Clock, ...]] = ("wall", "cpu")


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for one move: seconds, playouts, or both. A strategy that needs neither ignores them.

    `threads` is how many a strategy may run at once. `clock` says which seconds count: those on the wall, or the
    processor time of this process, which makes budgets equal on a busy machine (threads share it).

    >>> Budget(playouts=10).deadline() is None
    True
    """

    seconds: float | None = None
    playouts: int | None = None
    threads: int = 1
    clock: Clock = "wall"

    def now(self) -> float:
        """Seconds on the clock that counts."""
        return time.monotonic() if self.clock == "wall" else time.process_time()

    def deadline(self) -> float | None:
        """The time on the clock at which a move that begins now must end; None for no limit."""
        return None if self.seconds is None else self.now() + self.seconds

    def since(self, begin: float) -> "Budget":
        """The budget that is left for a move that began at a time of the clock.

        >>> budget = Budget(seconds=1.0)
        >>> budget.since(budget.now() - 60).seconds, Budget(playouts=10).since(0.0)
        (0.0, Budget(seconds=None, playouts=10, threads=1, clock='wall'))
        """
        return self if self.seconds is None else replace(self, seconds=max(0.0, self.seconds - (self.now() - begin)))


class Strategy(ABC):
    """Chooses moves for either player. `option` is what stands behind the colon of its name, `seed` fixes its draws.
    One strategy plays one game at a time; `reset` begins another."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        """Raises HexlogicError for an option that the strategy does not have."""
        if option is not None:
            raise HexlogicError(f"it takes no option, such as {option!r}")
        self.draw = random.Random(seed)
        self.note = ""
        """A remark on the last choice, for logs."""

    def prepare(self, board: Hex) -> None:
        """Do what takes time before the first move on this board, such as compiling."""
        return

    def reset(self, seed: int) -> None:
        """Forget the last game."""
        self.draw = random.Random(seed)

    @abstractmethod
    def choose(self, state: GameState, budget: Budget) -> Action:
        """A move for the player whose turn it is: an empty cell, or `resign`. The game is not over, and `state` stays
        as it is."""

    def swaps(self, state: GameState, budget: Budget) -> bool:
        """Whether to take the first player's opening where the swap rule allows it."""
        cell = state.last_cell
        return cell is not None and is_strong_opening(state.board, cell)

    def close(self) -> None:
        """Give back processes and threads; the strategy is not used again."""
        return


def positive_number(option: str | None, default: int, what: str, most: int = 10**9) -> int:
    """The number that an option gives. Raises HexlogicError.

    >>> positive_number(None, 2, "depth"), positive_number("3", 2, "depth")
    (2, 3)
    """
    if option is None:
        return default
    if not option.isdigit() or len(option) > 10 or not 1 <= int(option) <= most:
        raise HexlogicError(f"{option!r} is no {what}", hint=f"a number from 1 to {most}")
    return int(option)


def is_strong_opening(board: Hex, cell: int) -> bool:
    """Whether red's first stone on `cell` is likely to win, so that blue should swap.

    On every solved board (up to 9x9) the losing openings lie along the two sides of the first player and near the acute
    corners, while the middle wins. The estimate is that shape, scaled to the size of the board.

    >>> board = Hex(11, 11)
    >>> [is_strong_opening(board, board.parse_cell(name)) for name in ("f6", "a1", "a5", "c2")]
    [True, False, False, False]
    """
    row, column = board.row(cell) - 1, board.column(cell) - 1
    n, m = board.rows, board.columns
    if max(n, m) <= 2:
        return True
    if n * m <= 9:
        return 0 < column < m - 1 or (row + column == (n + m - 2) // 2 and n == m)
    # Red joins left and right: the first two columns on either side lose but for the short diagonal.
    near_side = min(column, m - 1 - column)
    near_top = min(row, n - 1 - row)
    on_diagonal = abs(row * (m - 1) + column * (n - 1) - (n - 1) * (m - 1)) <= max(n, m) - 1
    if near_top == 0 or near_side == 0:
        return on_diagonal and min(n, m) <= 9
    if near_side == 1 or near_top == 1:
        return on_diagonal or (near_side >= 3 and min(n, m) <= 7)
    return True
