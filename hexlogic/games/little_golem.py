"""Games as littlegolem.net dumps them: SGF without `GM`, cells as two letters (column, row), `swap` for swap-pieces.

The dumps are not well formed: closing parentheses and escapes are missing, and either colour may begin. The colour
of the first move is the one that joins top with bottom, as black does in `field_convention`.
"""

from __future__ import annotations

import re

from hexlogic.errors import PositionError
from hexlogic.games.field_convention import field_board, field_cell
from hexlogic.games.field_play import play_in_field
from hexlogic.games.game_record import GameRecord
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, Action, GameState, Turn
from hexlogic.games.kinds.hex.board import Hex
from hexlogic.games.players import BLUE, RED, Player
from hexlogic.games.sgf_tree import Node, Value, escape, main_lines
from hexlogic.games.source import SourceText, shown

_DEFAULT_SIZE = 13
"""The board of the site's games when a dump leaves the size out."""
_MOST = 26
_WORDS: dict[str, Action] = {"swap": SWAP_PIECES, "resign": RESIGN, "pass": PASS}


def read_little_golem(text: str, *, file: str | None = None) -> tuple[GameRecord, ...]:
    """The games of a dump. Raises PositionError with its place.

    >>> (game,) = read_little_golem("(;FF[4]PB[eve]PW[bob]SZ[13];W[ab];B[swap];W[cc];B[resign]")
    >>> [turn.action for turn in game.turns], game.red_name, game.winner
    ([2, 'swap-pieces', 29, 'resign'], 'bob', 'red')
    """
    source = SourceText.of(text, file)
    return tuple(_game(source, nodes) for nodes in main_lines(source, lenient=True))


def write_little_golem(record: GameRecord) -> str:
    """The game in that form, black first. Raises PositionError for boards that the form cannot name."""
    board = record.board
    if board.rows != board.columns or board.rows > _MOST:
        raise PositionError(f"a Little Golem dump needs a square board of at most {_MOST}, not {board.size_text}")
    names = (("EV", record.event), ("PB", record.red_name), ("PW", record.blue_name))
    header = "(;FF[4]" + "".join(f"{name}[{escape(text)}]" for name, text in names if text) + f"SZ[{board.rows}]"
    if record.winner is not None:
        header += f"RE[{'B' if record.winner == RED else 'W'}]"
    return header + "".join(_move(board, turn) for turn in record.turns) + ")\n"


def _move(board: Hex, turn: Turn) -> str:
    colour = "B" if turn.player == RED else "W"
    if isinstance(turn.action, int):
        return f";{colour}[{''.join(chr(ord('a') + place - 1) for place in field_cell(board, turn.action))}]"
    for word, action in _WORDS.items():
        if action == turn.action:
            return f";{colour}[{word}]"
    raise PositionError(f"a Little Golem dump has no word for {turn.action}")


def _game(source: SourceText, nodes: list[Node]) -> GameRecord:
    root = nodes[0]
    moves = [(name, value) for node in nodes for name in "BW" for value in node.properties.get(name, ())]
    size = root.text("SZ").strip() or str(_DEFAULT_SIZE)
    if not size.isdigit() or len(size) > 3:
        raise source.error(f"{shown(size)} is not a size", root.properties["SZ"][0].offset, "such as SZ[13]")
    with source.told_at(root.offset):
        state = GameState(field_board(int(size), int(size)))
    first = moves[0][0] if moves else "B"
    players: dict[str, Player] = {first: RED, "W" if first == "B" else "B": BLUE}
    for name, value in moves:
        action = _action(source, value, state.board)
        with source.told_at(value.offset):
            play_in_field(state, players[name], action)
    people = {players[colour]: root.text(f"P{colour}") for colour in "BW"}
    return GameRecord(
        state.board,
        tuple(state.turns),
        red_name=people[RED],
        blue_name=people[BLUE],
        event=root.text("EV"),
        comment=root.text("GC").strip(),
        winner=players.get(root.text("RE").strip()[:1].upper()),
    )


def _action(source: SourceText, value: Value, board: Hex) -> Action:
    word = value.text.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    if not re.fullmatch("[a-z]{2}", word):
        raise source.error(f"{shown(value.text)} is no move", value.offset, "two letters, swap or resign")
    try:
        # Column and row there are row and column here.
        return board.cell(ord(word[0]) - ord("a") + 1, ord(word[1]) - ord("a") + 1)
    except PositionError:
        raise source.error(f"{word} is off the {board.size_text} board", value.offset) from None
