"""A game as commands of the Hex Text Protocol: `boardsize 11 11`, then `play black c4` and so on."""

from __future__ import annotations

from hexlogic.errors import MoveError
from hexlogic.games.field_convention import COLOURS, colour_of, field_board, field_name, field_size, own_cell
from hexlogic.games.field_play import play_in_field
from hexlogic.games.game_record import GameRecord
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, SWAP_SIDES, Action, GameState
from hexlogic.games.kinds.hex.board import Hex
from hexlogic.games.source import SourceText, shown

WORDS: dict[str, Action] = {
    "swap-pieces": SWAP_PIECES,
    "swap": SWAP_PIECES,
    "swap-sides": SWAP_SIDES,
    "resign": RESIGN,
    "pass": PASS,
}
"""What a player may do beside a move to a cell, by the words of the protocol and of SGF."""


def read_move(board: Hex, word: str) -> Action:
    """The action that a word of the protocol means, in any case of letters. Raises PositionError.

    >>> read_move(Hex(9, 9), "C4"), read_move(Hex(9, 9), "swap-pieces")
    (22, 'swap-pieces')
    """
    return WORDS.get(word.lower()) or own_cell(board, word)


def move_word(board: Hex, action: Action) -> str:
    """The word of the protocol for an action."""
    return field_name(board, action) if isinstance(action, int) else action


def read_htp(text: str, *, file: str | None = None) -> GameRecord:
    """The game that the commands play; other commands are passed over. Raises PositionError with its place."""
    source = SourceText.of(text, file)
    state: GameState | None = None
    for offset, line in source.lines():
        words = line.split()
        if words[0].isdigit():
            words = words[1:]
        with source.told_at(offset):
            match [word.lower() for word in words]:
                case ["boardsize", columns]:
                    state = GameState(field_board(_number(columns), _number(columns)))
                case ["boardsize", columns, rows]:
                    state = GameState(field_board(_number(columns), _number(rows)))
                case ["play", colour, move]:
                    if state is None:
                        raise MoveError("a move before boardsize", hint="begin with boardsize 11 11")
                    if colour not in COLOURS:
                        raise MoveError(f"unknown colour {shown(colour)}", hint="black or white")
                    play_in_field(state, COLOURS[colour], read_move(state.board, move))
                case ["play" | "boardsize", *_]:
                    raise MoveError(f"{words[0]} has {len(words) - 1} arguments", hint="play black c4, boardsize 11 11")
    if state is None:
        raise source.error("there is no boardsize command", 0, "begin with boardsize 11 11")
    return GameRecord(state.board, tuple(state.turns), winner=state.winner)


def write_htp(record: GameRecord) -> str:
    """The commands that play the game.

    >>> print(write_htp(GameRecord(Hex(3, 2), ())), end="")
    boardsize 3 2
    """
    columns, rows = field_size(record.board)
    lines = [f"boardsize {columns} {rows}"]
    lines += [f"play {colour_of(turn.player)} {move_word(record.board, turn.action)}" for turn in record.turns]
    return "\n".join(lines) + "\n"


def _number(word: str) -> int:
    if not word.isdigit() or len(word) > 4:
        raise MoveError(f"{shown(word)} is not a size", hint="such as boardsize 11 11")
    return int(word)
