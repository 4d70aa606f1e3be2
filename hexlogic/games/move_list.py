"""A game as this library's move list, `9x9` and then `red f6, blue e5`, with cells in our own convention."""

from __future__ import annotations

import re

from hexlogic.games.game_record import GameRecord
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, SWAP_SIDES, Action, GameState
from hexlogic.games.kinds.hex.board import Hex, as_hex
from hexlogic.games.players import BLUE, RED, Player
from hexlogic.games.source import SourceText, shown

_TOKEN = re.compile(r"[^\s,;]+")
_SIZE = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?", re.IGNORECASE)
_COLOURS: dict[str, Player] = {"red": RED, "r": RED, "blue": BLUE, "b": BLUE}
_WORDS: tuple[Action, ...] = (SWAP_PIECES, SWAP_SIDES, PASS, RESIGN)


def read_move_list(text: str, *, file: str | None = None) -> GameRecord:
    """The game of a move list that begins with its size; moves without colours alternate, red first. Raises
    PositionError with its place.

    >>> read_move_list("2x2 red a1, blue swap-pieces").turns[1].action
    'swap-pieces'
    """
    source = SourceText.of(text, file)
    tokens = [(at + match.start(), match[0]) for at, line in source.lines() for match in _TOKEN.finditer(line)]
    if tokens and tokens[0][1].lower() == "size":
        tokens = tokens[1:]
    if not tokens or (size := _SIZE.fullmatch(tokens[0][1])) is None:
        raise source.error("the game needs its size first", 0, "such as 9x9, or size 9")
    state = GameState(as_hex(source.board(Hex, [int(side) for side in size.groups() if side], tokens[0][0])))
    player: Player | None = None
    for offset, word in tokens[1:]:
        if word.lower() in _COLOURS and player is None:
            player = _COLOURS[word.lower()]
            continue
        named: Action | None = next((each for each in _WORDS if each == word.lower()), None)
        with source.told_at(offset):
            state.play(player or state.to_move, named or state.board.parse_cell(word))
        player = None
    if player is not None:
        raise source.error(f"the move has no cell after {shown(tokens[-1][1])}", tokens[-1][0], "such as red f6")
    return GameRecord(state.board, tuple(state.turns), winner=state.winner)


def write_move_list(record: GameRecord) -> str:
    """The size in one line and the moves in the next.

    >>> print(write_move_list(read_move_list("2x3 a1 b2")), end="")
    2x3
    red a1, blue b2
    """
    board = record.board
    words = [
        f"{turn.player} {board.cell_name(turn.action) if isinstance(turn.action, int) else turn.action}"
        for turn in record.turns
    ]
    return f"{board.size_text}\n" + (", ".join(words) + "\n" if words else "")
