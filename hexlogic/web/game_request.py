"""Games as the page sends them, a size and the words of the moves; boards, states and errors as it gets them."""

import random
import re
import time
from collections.abc import Sequence
from typing import Final, TypeAlias

from hexlogic.errors import HexlogicError, MoveError, PositionError, SizeError
from hexlogic.games import Game, Hex, game_names, load_game, winning_chain
from hexlogic.games.game import opponent
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, Action, GameRecord, GameState, PlainGame, in_turn
from hexlogic.games.record_formats import read_games, write_games

Moves: TypeAlias = Sequence[str]
Fields: TypeAlias = dict[str, object]
"""The fields of an answer, as JSON has them."""

MOST_SIDE: Final = 19
"""The longest side of a board in the page."""
_WORDS: Final[dict[str, Action]] = {SWAP_PIECES: SWAP_PIECES, PASS: PASS, RESIGN: RESIGN}


def played(size: str, moves: Sequence[str], game: str = "hex") -> PlainGame:
    """The state after the moves in turn, red first: cell names and words. The size is `11`, or `9x11` for rows x
    columns. Raises SizeError, PositionError and MoveError."""
    board = board_of(size, game)
    if len(moves) > 2 * len(board.cells):
        raise MoveError(f"{len(moves)} moves are too many for a board of {board}")
    state = GameState(board) if isinstance(board, Hex) else PlainGame(board)
    for word in moves:
        state.play(state.to_move, _WORDS[word] if word in _WORDS else board.parse_cell(word))
    return state


def played_hex(size: str, moves: Sequence[str], game: str = "hex") -> GameState:
    """The state of a game of Hex. Raises as `played` does, and MoveError for other games."""
    state = played(size, moves, game)
    if not isinstance(state, GameState):
        raise MoveError(f"this is for Hex only, not for {state.board.title}")
    return state


def board_of(size: str, game: str = "hex") -> Game:
    """The board of a size as text. Raises SizeError, and UnknownNameError for the game.

    >>> board_of("3x5"), str(board_of("4", "y"))
    (Hex(rows=3, columns=5), 'size 4 Y')
    """
    kind = load_game(game)
    if any(int(side) > MOST_SIDE for side in re.findall(r"[0-9]+", size[:20])):
        raise SizeError(f"{size[:20]!r} is too large", hint=f"{kind.size_hint}, each side at most {MOST_SIDE}")
    return kind.of_text(size)


def word_of(board: Game, action: Action) -> str:
    """An action as the page writes it: a cell name, `swap-pieces`, `pass` or `resign`."""
    return board.cell_name(action) if isinstance(action, int) else action


def describe_board(size: str, game: str = "hex") -> Fields:
    """The cells of a board with their names and centres, in units of a cell's width, and the labels at its rim; the
    games that there are."""
    board = board_of(size, game)
    centres = [(cell, *board.centre(cell)) for cell in board.cells]
    cells = [{"name": board.cell_name(cell), "x": round(x, 4), "y": round(y, 4)} for cell, x, y in centres]
    return {
        "games": list(game_names()),
        "game": board.name,
        "title": str(board),
        "size": board.size_text,
        "rows": board.rows,
        "columns": board.columns,
        "sides": board.cell_sides,
        "aim": board.aim,
        "cells": cells,
        "lines": [[board.cell_name(line[0]), board.cell_name(line[-1])] for line in board.lines_of_text],
    }


def state_of(size: str, moves: Moves = (), game: str = "hex") -> Fields:
    """The state after the moves: stones, turn, last move, and the winner with the stones that win (none after a
    resignation). Raises as `played` does."""
    state = played(size, moves, game)
    board, position = state.board, state.position
    last = state.turns[-1].action if state.turns else None
    if last == SWAP_PIECES:  # a swapped stone is the only one, wherever it lies
        last = min(position.blue)
    return {
        "red": board.cell_names(position.red),
        "blue": board.cell_names(position.blue),
        "to_move": state.to_move,
        "winner": state.winner,
        "drawn": state.winner is None and not position.empty,
        "chain": list(map(board.cell_name, winning_cells(state))),
        "last": None if last is None else word_of(board, last),
        "can_swap": state.can_swap and state.swap_action == SWAP_PIECES,
    }


def write_game(size: str, moves: Moves = (), game: str = "hex", format: str = "sgf") -> Fields:
    """A game of Hex as the text of a format. Raises as `played_hex` does."""
    state = played_hex(size, moves, game)
    return {"text": write_games((GameRecord(state.board, tuple(state.turns)),), format)}


def read_game(text: str) -> Fields:
    """Size and moves of the first game in a text. Raises PositionError where there is none, and as `from_record`."""
    records = read_games(text, file="game")
    if not records:
        raise PositionError("there is no game in this text")
    return from_record(records[0])


def choose_by_playouts(game: PlainGame, seed: int, seconds: float) -> tuple[int, str]:
    """The empty cell that wins most when the board is filled at random many times, and a note for the log.

    A filled board says who wins the game where stones never harm their owner; where both players have won on it, as
    the order of the moves would decide, or neither, it counts half. Every cell that the mover got shares the result.
    """
    draw, until = random.Random(seed), time.monotonic() + seconds
    player, empty = game.to_move, game.empty
    other = opponent(player)
    won, tried, games = dict.fromkeys(empty, 0.0), dict.fromkeys(empty, 0), 0
    while games == 0 or time.monotonic() < until:
        draw.shuffle(empty)
        half = (len(empty) + 1) // 2
        mine = game.position.stones(player).union(empty[:half])
        yours = game.position.stones(other).union(empty[half:])
        results = [game.board.has_won(stones, who) for stones, who in ((mine, player), (yours, other))]
        games += 1
        for cell in empty[:half]:
            won[cell] += (1 + results[0] - results[1]) / 2
            tried[cell] += 1
    best = max(sorted(empty), key=lambda cell: won[cell] / tried[cell] if tried[cell] else -1)
    return best, f"{games:,} playouts"


def winning_cells(state: PlainGame) -> tuple[int, ...]:
    """The stones that win, in Hex in the order of the chain; none while nobody has joined or after a resignation."""
    if state.winner is None:
        return ()
    if isinstance(state, GameState):
        return tuple(winning_chain(state.position, state.winner) or ())
    return state.board.winning_stones(state.position.stones(state.winner), state.winner) or ()


def from_record(record: GameRecord) -> Fields:
    """The size and the moves of a game record as the page plays it. Raises PositionError for players out of turn and
    exchanged sides."""
    if not in_turn(record.turns):
        raise PositionError("the page needs players who alternate, red first")
    for turn in record.turns:
        if not isinstance(turn.action, int) and turn.action not in _WORDS:
            raise PositionError(f"the page cannot play {turn.action}")
    board_of(record.board.size_text)  # raises SizeError for a board that the page does not draw
    return {"size": record.board.size_text, "moves": [word_of(record.board, turn.action) for turn in record.turns]}


def problem_of(error: HexlogicError, file: str) -> Fields:
    """An error as the page shows it; a place in another file, such as the board's, is left out."""
    return problem(str(error), *((error.line, error.column) if error.file == file else ()))


def problem(message: str, line: int | None = None, column: int | None = None) -> Fields:
    """An error message in the place of an answer."""
    return {"problem": {"message": message, "line": line, "column": column}}
