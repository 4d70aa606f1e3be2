"""Convert between our convention and that of other Hex programs and sites ("the field").

There the first player is black and joins the top with the bottom; here the first player is red and joins left with
right. So black is our red and white our blue, and a cell there is our cell with row and column exchanged. A board of
C columns and R rows there is our board of C rows and R columns.
"""

from __future__ import annotations

from typing import Final

from hexlogic.errors import MoveError
from hexlogic.games.game import BLUE, PLAYERS, RED, Player
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, SWAP_SIDES, Action, GameState
from hexlogic.games.kinds.hex import Hex

COLOURS: Final[dict[str, Player]] = {"b": RED, "black": RED, "w": BLUE, "white": BLUE}
"""The player that each word for a colour means, in lower case."""
WORDS: Final[dict[str, Action]] = {
    "swap-pieces": SWAP_PIECES,
    "swap": SWAP_PIECES,
    "swap-sides": SWAP_SIDES,
    "resign": RESIGN,
    "pass": PASS,
}
"""What a player may do beside a move to a cell, by the words of the Hex Text Protocol and of SGF."""


def colour_of(player: Player) -> str:
    """The field's colour: `black` or `white`.

    >>> colour_of("red")
    'black'
    """
    return "black" if player == RED else "white"


def field_board(columns: int, rows: int) -> Hex:
    """Our board for one that has so many columns and rows in the field's convention. Raises SizeError.

    >>> field_board(columns=5, rows=3)
    Hex(rows=5, columns=3)
    """
    return Hex(columns, rows)


def field_size(board: Hex) -> tuple[int, int]:
    """Columns and rows of our board in the field's convention."""
    return board.rows, board.columns


def field_name(board: Hex, cell: int) -> str:
    """The name of our cell in the field's convention.

    >>> field_name(Hex(9, 9), Hex(9, 9).parse_cell("c4"))
    'd3'
    """
    return board.transposed.cell_name(board.transpose(cell))


def own_cell(board: Hex, name: str) -> int:
    """Our cell for a name in the field's convention. Raises PositionError.

    >>> Hex(9, 9).cell_name(own_cell(Hex(9, 9), "d3"))
    'c4'
    """
    mirror = board.transposed
    return mirror.transpose(mirror.parse_cell(name))


def read_move(board: Hex, word: str) -> Action:
    """The action that a word of the field means, in upper or lower case. Raises PositionError.

    >>> read_move(Hex(9, 9), "C4"), read_move(Hex(9, 9), "swap-pieces")
    (22, 'swap-pieces')
    """
    return WORDS.get(word.lower()) or own_cell(board, word)


def move_word(board: Hex, action: Action) -> str:
    """The word of the field for an action."""
    return field_name(board, action) if isinstance(action, int) else action


def play_in_field(state: GameState, player: Player, action: Action) -> None:
    """Carry out one turn. Raises MoveError with the field's names and colours.

    >>> state = GameState(Hex(3, 3))
    >>> play_in_field(state, "red", 2)
    >>> play_in_field(state, "blue", 2)
    Traceback (most recent call last):
    hexlogic.errors.MoveError: cell a2 is already black
    """
    if state.winner is not None:
        raise MoveError(f"the game is over: {colour_of(state.winner)} has won")
    if isinstance(action, int) and (sign := state.cells[action - 1]):
        owner = colour_of(PLAYERS[sign - 1])
        raise MoveError(f"cell {field_name(state.board, action)} is already {owner}")
    state.play(player, action)
