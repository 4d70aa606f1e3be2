"""A game of Hex as the page sends it, a size and the words of its moves, and what the page draws of it."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from hexlogic.errors import MoveError, PositionError, SizeError
from hexlogic.games import Hex, winning_chain
from hexlogic.games.game_record import GameRecord, in_turn
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, Action, GameState

__all__ = ["MOST_SIDE", "GameRequest", "board_of", "describe_board", "describe_state", "from_record", "word_of"]

MOST_SIDE: Final = 19
"""The longest side of a board in the page."""
_SIZE: Final = re.compile(r"(\d{1,3})(?:x(\d{1,3}))?")
_WORDS: Final[dict[str, Action]] = {SWAP_PIECES: SWAP_PIECES, PASS: PASS, RESIGN: RESIGN}


class GameRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A board, `11` or `9x11` for rows x columns, and the moves in turn, red first: cell names and words."""

    size: str
    moves: list[str] = []

    def state(self) -> GameState:
        """The state after the moves. Raises SizeError, PositionError and MoveError."""
        board = board_of(self.size)
        if len(self.moves) > 2 * len(board.cells):
            raise MoveError(f"{len(self.moves)} moves are too many for a {board.size_text} board")
        state = GameState(board)
        for word in self.moves:
            state.play(state.to_move, _WORDS[word] if word in _WORDS else board.parse_cell(word))
        return state


def board_of(size: str) -> Hex:
    """The board of a size as text. Raises SizeError.

    >>> board_of("3x5")
    Hex(rows=3, columns=5)
    """
    match = _SIZE.fullmatch(size)
    if match is None or max(int(side) for side in match.groups() if side) > MOST_SIDE:
        raise SizeError(
            f"{size[:20]!r} is no size of a board", hint=f"such as 11 or 9x11, each side at most {MOST_SIDE}"
        )
    return Hex.of_size(*(int(side) for side in match.groups() if side))


def word_of(board: Hex, action: Action) -> str:
    """An action as the page writes it: a cell name, `swap-pieces`, `pass` or `resign`."""
    return board.cell_name(action) if isinstance(action, int) else action


def describe_board(board: Hex) -> dict[str, Any]:
    """The cells of a board with their names and centres, in units of a cell's width."""
    cells = []
    for cell in board.cells:
        x, y = board.centre(cell)
        cells.append({"name": board.cell_name(cell), "x": round(x, 4), "y": round(y, 4)})
    return {"rows": board.rows, "columns": board.columns, "aim": board.aim, "cells": cells}


def describe_state(state: GameState) -> dict[str, Any]:
    """Stones, turn, last move, and the winner with the chain (empty after a resignation)."""
    board, position = state.board, state.position
    chain = winning_chain(position, state.winner) if state.winner else None
    last: str | None = None
    if state.turns:
        action = state.turns[-1].action
        # A swapped stone lies on the mirror cell, which is the only one.
        cell = min(position.blue) if action == SWAP_PIECES else action
        last = word_of(board, cell)
    return {
        "red": [board.cell_name(cell) for cell in sorted(position.red)],
        "blue": [board.cell_name(cell) for cell in sorted(position.blue)],
        "to_move": state.to_move,
        "winner": state.winner,
        "chain": [board.cell_name(cell) for cell in chain or ()],
        "last": last,
        "can_swap": state.can_swap and state.swap_action == SWAP_PIECES,
    }


def from_record(record: GameRecord) -> GameRequest:
    """A game record as the page plays it. Raises PositionError for players out of turn and exchanged sides."""
    if not in_turn(record.turns):
        raise PositionError("the page needs players who alternate, red first")
    words = [word_of(record.board, turn.action) for turn in record.turns]
    if unknown := [word for word, turn in zip(words, record.turns, strict=True) if _is_unknown(turn.action)]:
        raise PositionError(f"the page cannot play {unknown[0]}")
    board_of(record.board.size_text)  # raises SizeError for a board that the page does not draw
    return GameRequest(record.board.size_text, words)


def _is_unknown(action: Action) -> bool:
    return not isinstance(action, int) and action not in _WORDS
