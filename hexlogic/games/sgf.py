"""Games in SGF as the field's programs write them: `GM[11]`, `SZ[columns:rows]`, `B[c4]`, `swap-pieces`, `resign`.

Black is our red and joins top with bottom there, see `field_convention`. Columns after z are aa, ab and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hexlogic.games.field_convention import COLOURS, field_board, field_size, own_cell
from hexlogic.games.field_play import play_in_field
from hexlogic.games.game_record import GameRecord
from hexlogic.games.game_state import PASS, RESIGN, Action, GameState, Turn
from hexlogic.games.htp_moves import WORDS, move_word
from hexlogic.games.kinds.hex.board import Hex
from hexlogic.games.players import BLUE, RED, Player
from hexlogic.games.sgf_tree import Node, Value, escape, main_lines
from hexlogic.games.source import SourceText, shown

_SIZE = re.compile(r"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?")
_WORDS: dict[str, Action] = {**WORDS, "": PASS}


def read_sgf(text: str, *, file: str | None = None) -> tuple[GameRecord, ...]:
    """The games of a collection, the main line of each. Raises PositionError with its place.

    >>> (game,) = read_sgf("(;GM[11]SZ[5];B[c2];W[swap-pieces];B[a1])")
    >>> [game.board.cell_name(turn.action) for turn in game.turns[::2]]
    ['b3', 'a1']
    """
    source = SourceText.of(text, file)
    return tuple(_game(source, nodes) for nodes in main_lines(source))


def write_sgf(record: GameRecord) -> str:
    """The game as SGF text, one line for the header and one for ten moves; ends with a line end.

    >>> print(write_sgf(GameRecord(Hex(3, 5), (Turn("red", 2), Turn("blue", 1)))), end="")
    (;FF[4]CA[UTF-8]AP[hexlogic]GM[11]SZ[3:5]
    ;B[a2];W[a1])
    """
    columns, rows = field_size(record.board)
    size = f"{columns}" if columns == rows else f"{columns}:{rows}"
    names = (("EV", record.event), ("PB", record.red_name), ("PW", record.blue_name), ("GC", record.comment))
    header = f"(;FF[4]CA[UTF-8]AP[hexlogic]GM[11]SZ[{size}]"
    header += "".join(f"{name}[{escape(text)}]" for name, text in names if text)
    if record.winner is not None:
        resigned = bool(record.turns) and record.turns[-1].action == RESIGN
        header += f"RE[{_letter(record.winner)}+{'Resign' if resigned else ''}]"
    words = [f";{_letter(turn.player)}[{move_word(record.board, turn.action)}]" for turn in record.turns]
    lines = ["".join(words[begin : begin + 10]) for begin in range(0, len(words), 10)]
    return "\n".join([header, *lines]) + ")\n"


def _letter(player: Player) -> str:
    return "B" if player == RED else "W"


def _game(source: SourceText, nodes: list[Node]) -> GameRecord:
    root = nodes[0]
    kind = root.properties.get("GM")
    if kind and kind[0].text.strip() != "11":
        raise source.error(f"game number {shown(kind[0].text)} is not Hex", kind[0].offset, "Hex is GM[11]")
    board = _board(source, root)
    state = GameState(board)
    for node in nodes:
        for turn, value in _turns(source, node, board):
            with source.told_at(value.offset):
                play_in_field(state, turn.player, turn.action)
    winner = COLOURS.get(root.text("RE").partition("+")[0].strip().lower())
    return GameRecord(
        board,
        tuple(state.turns),
        red_name=root.text("PB"),
        blue_name=root.text("PW"),
        event=root.text("EV"),
        comment=root.text("GC"),
        winner=winner,
    )


def _board(source: SourceText, root: Node) -> Hex:
    values = root.properties.get("SZ")
    if not values:
        raise source.error("the game has no size", root.offset, "such as SZ[11] or SZ[9:11]")
    match = _SIZE.fullmatch(values[0].text)
    if match is None:
        raise source.error(f"{shown(values[0].text)} is not a size", values[0].offset, "such as 11, or 9:11")
    with source.told_at(values[0].offset):
        return field_board(int(match[1]), int(match[2] or match[1]))


def _turns(source: SourceText, node: Node, board: Hex) -> Iterator[tuple[Turn, Value]]:
    """The stones and moves of a node: stones that are set up count as placed out of turn."""
    placed: Iterable[tuple[str, Player]] = (("AB", RED), ("AW", BLUE), ("B", RED), ("W", BLUE))
    for name, player in placed:
        for value in node.properties.get(name, ()):
            yield Turn(player, _action(source, value, board)), value


def _action(source: SourceText, value: Value, board: Hex) -> Action:
    word = value.text.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    with source.told_at(value.offset):
        return own_cell(board, word)
