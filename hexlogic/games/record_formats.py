"""Read and write whole games: a table of formats, with a reader, a writer and a pattern that recognises each.

`htp` is a game as commands of the Hex Text Protocol: `boardsize 11 11`, then `play black c4` and so on. `hexworld` are
links to the board of hexworld.org, `#11c1,c2:sa3:rw`: a size, options, moves in turn. There `:s` swaps the pieces, `:p`
passes, `:rb` and `:rw` resign for black (who moves first) and white, `:fb` and `:fw` forfeit; what follows a second
comma are moves that the viewer has not shown yet. Both name cells as in `field.py`. `moves` is this library's
move list, `9x9` and then `red f6, blue e5`, with cells in our own convention.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hexlogic.errors import MoveError, PositionError, UnknownNameError
from hexlogic.games import field
from hexlogic.games.game import RED
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, SWAP_SIDES, Action, GameRecord, GameState, in_turn
from hexlogic.games.kinds.hex import Hex, as_hex
from hexlogic.games.notation import leading_size, move_tokens, moves_in
from hexlogic.games.source import SourceText, shown

_ADDRESS: Final = "https://hexworld.org/board/"
_LINK = re.compile(r"\s*(?:\S*?#)?(\d{1,3})((?:n|r\d+|c\d+|[a-z]\d*)*)(?:,(\S*?))?\s*")
_LINK_MOVE = re.compile(r"[a-z]+\d+|:s|:p|:[rf][bw]|,")
_LINK_OPTIONS: Final = "c1"
"""Red and blue stones instead of black and white ones."""


def _read_htp(source: SourceText) -> tuple[GameRecord, ...]:
    """The game that the commands play; other commands are passed over."""
    state: GameState | None = None
    for offset, line in source.lines():
        words = line.split()
        if words[0].isdigit():
            words = words[1:]
        with source.errors_at(offset):
            match [word.lower() for word in words]:
                case ["boardsize", *sides] if 1 <= len(sides) <= 2:
                    state = GameState(field.field_board(_number(sides[0]), _number(sides[-1])))
                case ["play", colour, move]:
                    if state is None:
                        raise MoveError("a move before boardsize", hint="begin with boardsize 11 11")
                    if colour not in field.COLOURS:
                        raise MoveError(f"unknown colour {shown(colour)}", hint="black or white")
                    field.play_in_field(state, field.COLOURS[colour], field.read_move(state.board, move))
                case ["play" | "boardsize", *_]:
                    raise MoveError(f"{words[0]} has {len(words) - 1} arguments", hint="play black c4, boardsize 11 11")
    if state is None:
        raise source.error("there is no boardsize command", 0, "begin with boardsize 11 11")
    return (GameRecord(state.board, tuple(state.turns)),)


def _number(word: str) -> int:
    if not word.isdigit() or len(word) > 4:
        raise MoveError(f"{shown(word)} is not a size", hint="such as boardsize 11 11")
    return int(word)


def _write_htp(record: GameRecord) -> str:
    columns, rows = field.field_size(record.board)
    moves = (
        f"play {field.colour_of(turn.player)} {field.move_word(record.board, turn.action)}\n" for turn in record.turns
    )
    return f"boardsize {columns} {rows}\n{''.join(moves)}"


def _read_links(source: SourceText) -> tuple[GameRecord, ...]:
    """The game of each link, or of the part after its `#`."""
    links = [SourceText(link, source.file) for link in source.text.split()]
    if not links:
        raise PositionError("there is no link here", file=source.file, hint="such as #11c1,a3b4:s")
    return tuple(map(_read_link, links))


def _read_link(source: SourceText) -> GameRecord:
    match = _LINK.fullmatch(source.text)
    if match is None:
        raise source.error("this is no link to a HexWorld board", 0, "such as #11c1,a3b4:s")
    with source.errors_at(match.start(1)):
        state = GameState(field.field_board(int(match[1]), int(match[1])))
    at, moves = 0, match[3] or ""
    while at < len(moves):
        token = _LINK_MOVE.match(moves, at)
        place = match.start(3) + at
        if token is None:
            raise source.error(f"{shown(moves[at:])} is no move", place, "a cell such as c4, :s, :p, :rb or :rw")
        with source.errors_at(place):
            match token[0]:
                case ",":
                    pass
                case ":s":
                    field.play_in_field(state, state.to_move, SWAP_PIECES)
                case ":p":
                    field.play_in_field(state, state.to_move, PASS)
                case ":rb" | ":rw" | ":fb" | ":fw" as word:
                    field.play_in_field(state, field.COLOURS[word[2]], RESIGN)
                case cell:
                    field.play_in_field(state, state.to_move, field.own_cell(state.board, cell))
        at = token.end()
    return GameRecord(state.board, tuple(state.turns))


def _write_link(record: GameRecord) -> str:
    """The link to the game. Raises PositionError for another board than a square one, players who do not alternate, and
    sides that were exchanged: no link says these."""
    board = record.board
    if board.rows != board.columns:
        raise PositionError(f"a HexWorld link needs a square board, not {board.size_text}")
    if not in_turn(record.turns):
        raise PositionError("a HexWorld link needs players who alternate, red first")
    words = ""
    for turn in record.turns:
        actions: dict[Action, str] = {SWAP_PIECES: ":s", PASS: ":p", RESIGN: ":rb" if turn.player == RED else ":rw"}
        if turn.action == SWAP_SIDES:
            raise PositionError(f"a HexWorld link has no word for {turn.action}")
        words += field.field_name(board, turn.action) if isinstance(turn.action, int) else actions[turn.action]
    return f"{_ADDRESS}#{board.rows}{_LINK_OPTIONS}{',' if words else ''}{words}\n"


def _read_moves(source: SourceText) -> tuple[GameRecord, ...]:
    """The game of a move list that begins with its size; moves without colours alternate, red first."""
    tokens = move_tokens(source.lines())
    if not tokens:
        raise source.error("the game needs its size first", 0, "such as 9x9, or size 9")
    game, moves = leading_size(source, tokens, Hex, None)
    state = GameState(as_hex(game))
    for player, word, offset, *_ in moves_in(source, moves, field.WORDS):
        with source.errors_at(offset):
            state.play(player or state.to_move, field.WORDS.get(word.lower()) or state.board.parse_cell(word))
    return (GameRecord(state.board, tuple(state.turns)),)


def _write_moves(record: GameRecord) -> str:
    name = record.board.cell_name
    actions = ((turn.player, turn.action) for turn in record.turns)
    words = [f"{player} {name(action) if isinstance(action, int) else action}" for player, action in actions]
    return f"{record.board.size_text}\n" + (", ".join(words) + "\n" if words else "")


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """A format: its reader, its writer of one game, and what the beginning of a text in it matches."""

    read: Callable[[SourceText], tuple[GameRecord, ...]]
    write: Callable[[GameRecord], str]
    looks_like: re.Pattern[str]
    holds_many: bool = True


_FORMATS: Final = {
    "sgf": RecordFormat(field.read_sgf, field.write_sgf, re.compile(r"\s*\(\s*;(?s:.*)GM\[")),
    "little-golem": RecordFormat(field.read_little_golem, field.write_little_golem, re.compile(r"(?s:.*)\(\s*;")),
    "hexworld": RecordFormat(_read_links, _write_link, re.compile(r"\s*(\S*hexworld\S*|#\d)")),
    "htp": RecordFormat(_read_htp, _write_htp, re.compile(r"\s*(\d+\s+)?boardsize\s", re.I), holds_many=False),
    "moves": RecordFormat(_read_moves, _write_moves, re.compile(r"\s*(size|\d)", re.I), holds_many=False),
}


def format_names() -> tuple[str, ...]:
    """The names of all formats.

    >>> format_names()
    ('sgf', 'little-golem', 'hexworld', 'htp', 'moves')
    """
    return tuple(_FORMATS)


def _of_name(name: str) -> RecordFormat:
    if name not in _FORMATS:
        raise UnknownNameError.among("format", name, list(_FORMATS))
    return _FORMATS[name]


def guess_format(text: str) -> str | None:
    """The format a text seems to be in; None when it looks like none.

    >>> guess_format("(;GM[11]SZ[5])"), guess_format("#11c1,a3"), guess_format("hello")
    ('sgf', 'hexworld', None)
    """
    return next((name for name, form in _FORMATS.items() if form.looks_like.match(text.removeprefix("\ufeff"))), None)


def read_games(text: str, name: str | None = None, *, file: str | None = None) -> tuple[GameRecord, ...]:
    """The games of a text in the format of that name, or in the one it seems to be in. Raises UnknownNameError, and
    PositionError with its place.

    >>> (game,) = read_games("https://hexworld.org/board/#5c1,c2:sa1:rw")
    >>> [turn.action for turn in game.turns], game.winner
    ([12, 'swap-pieces', 1, 'resign'], 'red')
    """
    name = name or guess_format(text)
    if name is None:
        raise PositionError("this is in no known format", file=file, hint=f"give one: {', '.join(format_names())}")
    return _of_name(name).read(SourceText.of(text, file))


def write_games(records: tuple[GameRecord, ...], name: str) -> str:
    """The games as text in the format of that name. Raises UnknownNameError, and PositionError where the format has
    no words for a game or holds one game only.

    >>> from hexlogic.games.game_state import Turn
    >>> game = GameRecord(Hex(5, 5), (Turn("red", 12), Turn("blue", "swap-pieces")))
    >>> for name in ("hexworld", "htp", "moves"):
    ...     print(write_games((game,), name), end="")
    https://hexworld.org/board/#5c1,c2:s
    boardsize 5 5
    play black c2
    play white swap-pieces
    5x5
    red b3, blue swap-pieces
    """
    form = _of_name(name)
    if len(records) > 1 and not form.holds_many:
        raise PositionError(f"the format {name} holds one game, not {len(records)}")
    return "".join(map(form.write, records))
