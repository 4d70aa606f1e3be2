"""Read a position from board text, a move list or JSON; the text itself shows which it is.

    # board text: spaces are free       size 9                      {"game": "hex", "size": 3,
    R R .                               red f6, blue e5              "red": ["a1", "b1"],
     . B R                              red d4                       "blue": ["b2"]}

Lines that start with `#` or `%` are comments in board text and move lists. Text of another game than Hex begins with
its name: `y 5, red a1 blue a2`, or a line `y` above the rows of its board.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from hexlogic.games.game import BLUE, RED, Game, Kind, Player, column_name
from hexlogic.games.json_notation import parse_json
from hexlogic.games.kinds import game_names, load_game
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.position import Position
from hexlogic.games.source import SourceText, Stones, shown

_TOKEN = re.compile(r"[^\s,;]+")
_MOVE_WORD = re.compile(r"[a-z]+[0-9]+|[0-9]+x[0-9]*|size|red|blue", re.IGNORECASE)
_SIZE = re.compile(r"([0-9]{1,6})(?:x([0-9]{1,6}))?", re.IGNORECASE)
_LABEL = re.compile(r"^\s*[a-z]+[0-9]+(?=\s)|(?<=\s)[a-z]+[0-9]+\s*$", re.IGNORECASE)
_DRAWN = re.compile(r"\s*[a-z]+[0-9]+(\s+[RB.])+\s+[a-z]+[0-9]+\s*", re.IGNORECASE)
OUR_COLOURS: Final[dict[str, Player]] = {"red": RED, "r": RED, "blue": BLUE, "b": BLUE}
"""The players by the words of a move list, in lower case."""


def parse_position(
    text: str,
    *,
    file: str | None = None,
    size: int | tuple[int, int] | Game | None = None,
    game: str = Hex.name,
) -> Position:
    """The position that `text` describes, of the game called `game` unless the text names another.

    `size` is the side of a square board, (rows, columns) or a board. A move list needs it unless it begins with
    `size 9` or `9x11` (rows x columns); where the text has a size of its own, both must agree. Moves without
    colours alternate, red first. Raises `PositionError` with file (`<text>` when unknown), line and column, and
    `SizeError` for a `size` argument that no board has.

    >>> parse_position("R R .\\n . B R").game
    Hex(rows=2, columns=3)
    >>> parse_position("red f6, blue e5", size=9) == parse_position("size 9\\nf6 e5")
    True
    >>> parse_position("R R\\nR X")
    Traceback (most recent call last):
    hexlogic.errors.PositionError: <text>:2:3: 'X' is no stone (use R, B or . for an empty cell)
    """
    kind = load_game(game) if isinstance(size, (int, tuple)) or size is None else type(size)
    expected = _board(kind, size)
    source = SourceText.of(text, file)
    kind, lines = _leading_game(list(source.lines()), kind)
    if not lines:
        raise source.error(
            "this is empty: there is no position here",
            0,
            "expected rows of R, B and ., a move list such as 'size 9, red f6', or JSON",
        )
    first = lines[0][1]
    if first.lstrip()[0] in "{[":
        return parse_json(source, kind, expected)
    if kind is not Hex and _DRAWN.fullmatch(first):
        return _lines(source, lines, kind, expected)
    if kind is not Hex and first.split()[0].isdigit():
        return _moves(source, lines, kind, expected)
    if "." not in first and any(_MOVE_WORD.fullmatch(token) for token in _TOKEN.findall(first)):
        return _moves(source, lines, kind, expected)
    return _rows(source, lines, expected) if kind is Hex else _lines(source, lines, kind, expected)


def _board(kind: Kind, size: int | tuple[int, int] | Game | None) -> Game | None:
    match size:
        case None:
            return None
        case int():
            return kind.of_size(size)
        case tuple():
            return kind.of_size(*size)
        case board:
            return board


def _leading_game(lines: list[tuple[int, str]], kind: Kind) -> tuple[Kind, list[tuple[int, str]]]:
    """The game that the first word names, and the lines without that word; without one, `kind` and all lines."""
    word = _TOKEN.search(lines[0][1]) if lines else None
    if word is None or word[0].lower() not in game_names():
        return kind, lines
    (offset, line), rest = lines[0], lines[1:]
    left = line[word.end() :]
    named = [(offset + word.end(), left)] if left.strip(" \t,;") else []
    return load_game(word[0].lower()), [*named, *rest]


def _lines(source: SourceText, lines: list[tuple[int, str]], kind: Kind, expected: Game | None) -> Position:
    """Board text of any game: a sign for each cell, line by line. Cell names at both ends, as drawings have them, are
    passed over."""
    rows = [
        [(offset + i, sign) for i, sign in enumerate(_LABEL.sub(_blank, line)) if not sign.isspace()]
        for offset, line in lines
    ]
    _check_signs(source, rows)
    at = lines[0][0]
    game = expected if expected is not None and type(expected) is kind else None
    game = game or source.extent(kind, len(rows), max(map(len, rows)), at)
    wanted = game.lines_of_text
    if len(rows) != len(wanted):
        raise source.error(f"{len(rows)} rows, but {game} has {len(wanted)}", at)
    for number, (row, cells) in enumerate(zip(rows, wanted, strict=True), start=1):
        if len(row) != len(cells):
            offset = row[len(cells)][0] if len(row) > len(cells) else lines[number - 1][0]
            raise source.error(f"row {number} has {len(row)} cells, on {game} it has {len(cells)}", offset)
    return _position(source.agree(game, expected, at), rows)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _check_signs(source: SourceText, rows: list[list[tuple[int, str]]]) -> None:
    for row in rows:
        for offset, sign in row:
            if sign not in "RrBb.":
                raise source.error(f"{sign!r} is no stone", offset, "use R, B or . for an empty cell")


def _rows(source: SourceText, lines: list[tuple[int, str]], expected: Game | None) -> Position:
    header = lines[0][1].lower().split()
    if header == [column_name(i) for i in range(1, len(header) + 1)]:
        # A drawing with column letters above (and below) and row numbers at the sides. Labels become spaces, so that
        # the places of what is left stay true.
        kept = [(offset, line) for offset, line in lines if line.lower().split() != header]
        lines = [(offset, re.sub(r"^\s*[0-9]+|[0-9]+\s*$", _blank, line)) for offset, line in kept] or lines
    rows = [[(offset + i, sign) for i, sign in enumerate(line) if not sign.isspace()] for offset, line in lines]
    _check_signs(source, rows)
    # The length most rows have is the one meant, so that a mistake in the first row is reported there.
    columns = Counter(map(len, rows)).most_common(1)[0][0]
    if not columns:
        raise source.error("there are labels here and no cells", lines[0][0], "a row is R, B and ., one for each cell")
    for number, row in enumerate(rows, start=1):
        if len(row) != columns:
            end = row[-1][0] + 1 if row else lines[number - 1][0]
            offset = row[columns][0] if len(row) > columns else end
            raise source.error(
                f"row {number} has {len(row)} cells, other rows have {columns}",
                offset,
                "every row needs the same number of cells",
            )
    at = rows[0][0][0]
    return _position(source.agree(source.board(Hex, (len(rows), columns), at), expected, at), rows)


def _position(game: Game, rows: list[list[tuple[int, str]]]) -> Position:
    signs = [sign.upper() for row in rows for _, sign in row]
    red, blue = (frozenset(c for c in game.cells if signs[c - 1] == letter) for letter in "RB")
    return Position(game, red, blue)


def move_tokens(lines: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """The words of a move list, each with its offset."""
    return [(at + match.start(), match[0]) for at, line in lines for match in _TOKEN.finditer(line)]


def _moves(source: SourceText, lines: list[tuple[int, str]], kind: Kind, expected: Game | None) -> Position:
    game, tokens = _leading_size(source, move_tokens(lines), kind, expected)
    stones = Stones(source, game)
    words = iter(tokens)
    for start, first in words:
        offset, word = start, first
        colour = OUR_COLOURS.get(first.lower())
        if colour is None and first.isalpha():
            raise source.error(f"unknown colour {shown(first)}", start, "a move is red or blue and a cell: red f6")
        if colour is not None:
            offset, word = next(words, (start, ""))
            if not word:
                raise source.error(f"the move has no cell after {first!r}", start + len(first), "such as red f6")
        stones.move(colour, word, offset, start, first)
    return stones.position()


def _leading_size(
    source: SourceText, tokens: list[tuple[int, str]], kind: Kind, expected: Game | None
) -> tuple[Game, list[tuple[int, str]]]:
    """The board that a move list is played on, and the tokens after its size."""
    offset, word = tokens[0]
    rest = tokens
    if word.lower() == "size":
        if len(tokens) == 1:
            raise source.error("the number after 'size' is missing", offset + len(word), "such as size 9")
        (offset, word), rest = tokens[1], tokens[2:]
    elif word[0].isdigit():
        rest = tokens[1:]
    elif expected is None:
        raise source.error("a move list needs the size of its board", offset, "begin with 'size 9' or '9x11'")
    elif type(expected) is kind:
        return expected, tokens
    else:
        raise source.error(f"the game asked for is {expected.name}, not {kind.name}", offset)
    match = _SIZE.fullmatch(word)
    if match is None:
        raise source.error(f"{shown(word)} is not a size", offset, kind.size_hint)
    game = source.board(kind, [int(side) for side in match.groups() if side], offset)
    return source.agree(game, expected, offset), rest
