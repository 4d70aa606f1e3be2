"""Read a position from board text, a move list or JSON; the text itself shows which it is.

    # board text: spaces are free       size 9                      {"game": "hex", "size": 3,
    R R .                               red f6, blue e5              "red": ["a1", "b1"],
     . B R                              red d4                       "blue": ["b2"]}

Lines that start with `#` or `%` are comments in board text and move lists. Text of another game than Hex begins with
its name: `y 5, red a1 blue a2`, or a line `y` above the rows of its board.
"""

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from hexlogic.errors import UnknownNameError
from hexlogic.games.game import BLUE, PLAYERS, RED, Game, Kind, Player, column_name
from hexlogic.games.kinds import game_names, load_game
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.position import Position
from hexlogic.games.source import SourceText, Stones, shown

Path: TypeAlias = tuple[str | int, ...]

_TOKEN = re.compile(r"[^\s,;]+")
_MOVE_WORD = re.compile(r"[a-z]+[0-9]+|[0-9]+x[0-9]*|size|red|blue", re.IGNORECASE)
_ROW_NUMBER = re.compile(r"^\s*[0-9]+|[0-9]+\s*$")
_LABEL = re.compile(r"^\s*[a-z]+[0-9]+(?=\s)|(?<=\s)[a-z]+[0-9]+\s*$", re.IGNORECASE)
_DRAWN = re.compile(r"\s*[a-z]+[0-9]+(\s+[RB.])+\s+[a-z]+[0-9]+\s*", re.IGNORECASE)
_NO_STONE = re.compile(r"[^RrBb.\s]")
_JSON_KEYS = ("game", "size", "rows", "columns", "red", "blue", "moves", "name", "idea", "winner")
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
# No index into a list is negative, so these cannot be mistaken for the path of a value.
_KEY, _AGAIN = -1, -2
_SHAPE = 'such as {"game": "hex", "size": 9, "red": ["f6"], "blue": ["e5"]}'
OUR_COLOURS: Final[dict[str, Player]] = {"red": RED, "r": RED, "blue": BLUE, "b": BLUE}
"""The players by the words of a move list, in lower case."""


def parse_position(
    text: str, *, file: str | None = None, size: int | tuple[int, int] | Game | None = None, game: str = Hex.name
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
    kind = type(size) if isinstance(size, Game) else load_game(game)
    expected = kind.of_size(*(size if isinstance(size, tuple) else (size,))) if isinstance(size, int | tuple) else size
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
        return _json(source, kind, expected)
    has_moves = "." not in first and any(_MOVE_WORD.fullmatch(token) for token in _TOKEN.findall(first))
    if kind is not Hex:
        has_moves = not _DRAWN.fullmatch(first) and (has_moves or first.split()[0].isdigit())
    return (_moves if has_moves else _board_text)(source, lines, kind, expected)


def _leading_game(lines: list[tuple[int, str]], kind: Kind) -> tuple[Kind, list[tuple[int, str]]]:
    """The game that the first word names, and the lines without that word; without one, `kind` and all lines."""
    word = _TOKEN.search(lines[0][1]) if lines else None
    if word is None or word[0].lower() not in game_names():
        return kind, lines
    (offset, line), rest = lines[0], lines[1:]
    left = line[word.end() :]
    named = [(offset + word.end(), left)] if _TOKEN.search(left) else []
    return load_game(word[0].lower()), [*named, *rest]


def _board_text(source: SourceText, lines: list[tuple[int, str]], kind: Kind, expected: Game | None) -> Position:
    """A sign for each cell, line by line. Labels become spaces, so that the places of what is left stay true: cell
    names at both ends of a line and, of Hex, row numbers there where column letters stand above (and below)."""
    labels, header = None if kind is Hex else _LABEL, lines[0][1].lower().split()
    if kind is Hex and header == [column_name(i) for i in range(1, len(header) + 1)]:
        labels = _ROW_NUMBER
        lines = [(offset, line) for offset, line in lines if line.lower().split() != header] or lines
    if labels is not None:
        lines = [(offset, labels.sub(lambda match: " " * len(match[0]), line)) for offset, line in lines]
    for offset, line in lines:
        if sign := _NO_STONE.search(line):
            raise source.error(f"{sign[0]!r} is no stone", offset + sign.start(), "use R, B or . for an empty cell")
    rows = ["".join(line.split()).upper() for _, line in lines]
    # The length most rows of Hex have is the one meant, so that a mistake in the first row is reported there.
    lengths = list(map(len, rows))
    columns = Counter(lengths).most_common(1)[0][0] if kind is Hex else max(lengths)
    offset, line = lines[0]
    at = offset + len(line) - len(line.lstrip()) if rows[0] and kind is Hex else offset
    if not columns:
        raise source.error("there are labels here and no cells", at, "a row is R, B and ., one for each cell")
    game = expected if kind is not Hex and type(expected) is kind else None
    with source.errors_at(at):
        game = game or kind.of_extent(len(rows), columns)
    wanted = game.lines_of_text
    if len(rows) != len(wanted):
        raise source.error(f"{len(rows)} rows, but {game} has {len(wanted)}", at)
    for number, (row, (offset, line), cells) in enumerate(zip(rows, lines, wanted, strict=True), start=1):
        if len(row) != len(cells):
            places = [place for place, sign in enumerate(line, offset) if not sign.isspace()]
            others = "other rows have" if kind is Hex else f"on {game} it has"
            raise source.error(
                f"row {number} has {len(row)} cells, {others} {len(cells)}",
                (*places, places[-1] + 1 if places else offset)[min(len(row), len(cells))],
                "every row needs the same number of cells" if kind is Hex else None,
            )
    signs = "".join(rows)
    red, blue = (frozenset(cell for cell, sign in enumerate(signs, 1) if sign == letter) for letter in "RB")
    return Position(source.agree(game, expected, at), red, blue)


def move_tokens(lines: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """The words of a move list, each with its offset."""
    return [(at + match.start(), match[0]) for at, line in lines for match in _TOKEN.finditer(line)]


def moves_in(
    source: SourceText, tokens: Iterable[tuple[int, str]], actions: Container[str] = ()
) -> Iterator[tuple[Player | None, str, int, int, str]]:
    """Of each move its player, if it has one, the word of its cell or of one of the `actions`, the offset of that word,
    and where the move begins with which word."""
    words = iter(tokens)
    for start, first in words:
        offset, word = start, first
        player = OUR_COLOURS.get(first.lower())
        if player is None and first.isalpha() and first.lower() not in actions:
            raise source.error(f"unknown colour {shown(first)}", start, "a move is red or blue and a cell: red f6")
        if player is not None:
            offset, word = next(words, (start, ""))
            if not word:
                raise source.error(f"the move has no cell after {first!r}", start + len(first), "such as red f6")
        yield player, word, offset, start, first


def _moves(source: SourceText, lines: list[tuple[int, str]], kind: Kind, expected: Game | None) -> Position:
    game, tokens = leading_size(source, move_tokens(lines), kind, expected)
    stones = Stones(source, game)
    for move in moves_in(source, tokens):
        stones.move(*move)
    return stones.position()


def leading_size(
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
    with source.errors_at(offset):
        game = kind.of_text(word)
    return source.agree(game, expected, offset), rest


def _json(source: SourceText, kind: Kind, expected: Game | None) -> Position:
    """The position in a JSON object with `size` (or `rows` and `columns`), `red` and `blue` (lists of cell names or
    numbers) or `moves` (`"f6"` alternating, or `"red f6"`). It is of the game `kind` unless `game` names another."""
    try:
        data = json.loads(source.text)
    except json.JSONDecodeError as error:
        raise source.error(f"broken JSON: {error.msg}", error.pos, _SHAPE) from None
    except (ValueError, RecursionError):
        # A number of thousands of digits, or brackets thousands deep: nothing that a position holds.
        raise source.error("broken JSON: a value too large to read", 0, _SHAPE) from None
    if not isinstance(data, dict):
        raise source.error("the JSON is not an object", len(source.text) - len(source.text.lstrip()), _SHAPE)
    places = _places(source.text)
    if (_AGAIN,) in places:
        raise source.error("a key is given twice", places[_AGAIN,], "the stones of a player go into one list")
    for key in data:
        if key not in _JSON_KEYS:
            hint = UnknownNameError.among("key", key, list(_JSON_KEYS)).hint
            raise source.error(f"unknown key {shown(key)}", places[_KEY, key], hint)
    name = data.get("game", kind.name)
    if name not in game_names():
        known = f"known: {', '.join(game_names())}"
        raise source.error(f"unknown game {shown(str(name))}", places["game",], known)
    game = _game(source, data, places, load_game(name), expected)
    stones = Stones(source, game)
    for player in PLAYERS:
        for i, cell in enumerate(_list(source, data, places, player)):
            stones.put(player, _cell(source, game, cell, places[player, i]), places[player, i])
    for i, move in enumerate(_list(source, data, places, "moves")):
        _move(source, game, stones, move, places["moves", i])
    name = data.get("name")
    return stones.position(name if isinstance(name, str) else None)


def _game(
    source: SourceText, data: Mapping[str, object], places: Mapping[Path, int], kind: Kind, expected: Game | None
) -> Game:
    lengths: dict[str, int] = {}
    for key in ("size", "rows", "columns"):
        value = data.get(key)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool):
            raise source.error(f"{key} must be a whole number, not {shown(str(value))}", places[key,], _SHAPE)
        lengths[key] = value
    rows = lengths.get("rows", lengths.get("size"))
    columns = lengths.get("columns", lengths.get("size"))
    if rows is None or columns is None:
        if expected is not None and expected.name == kind.name and not lengths:
            return expected
        missing = "rows" if rows is None and lengths else "columns" if lengths else "size"
        raise source.error(f"the key {missing!r} is missing", places[()], _SHAPE)
    at = next(places[key,] for key in lengths)
    if "size" in lengths and (rows, columns) != (lengths["size"], lengths["size"]):
        raise source.error("size and rows or columns disagree", places["size",], "give one or the other")
    with source.errors_at(at):
        board = kind.of_size(rows) if "size" in lengths else kind.of_extent(rows, columns)
    return source.agree(board, expected, at)


def _list(source: SourceText, data: Mapping[str, object], places: Mapping[Path, int], key: str) -> list[object]:
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise source.error(f"{key} must be a list, not {shown(json.dumps(value))}", places[key,], _SHAPE)
    return value


def _cell(source: SourceText, game: Game, cell: object, at: int) -> str:
    """The name of a cell that is given by name or by number."""
    if isinstance(cell, int) and not isinstance(cell, bool):
        if cell not in game.cells:
            hint = f"cells are numbered 1 to {len(game.cells)}"
            raise source.error(f"cell {shown(str(cell))} is off the {str(game).removesuffix(' Hex')} board", at, hint)
        return game.cell_name(cell)
    if not isinstance(cell, str):
        raise source.error(f"{shown(json.dumps(cell))} is not a cell", at, "a cell is a name, such as f6")
    return cell


def _move(source: SourceText, game: Game, stones: Stones, move: object, at: int) -> None:
    words = move.split() if isinstance(move, str) else [move]
    if not 1 <= len(words) <= 2:
        raise source.error(f"{shown(json.dumps(move))} is not a move", at, 'such as "f6" or "red f6"')
    player: Player | None = None
    if len(words) == 2:
        player = next((player for player in PLAYERS if player == str(words[0]).lower()), None)
        if player is None:
            raise source.error(f"unknown colour {shown(str(words[0]))}", at, "a move is red or blue and a cell")
    stones.move(player, _cell(source, game, words[-1], at), at, at, json.dumps(move))


def _places(text: str) -> dict[Path, int]:
    """The offset of the values in a JSON object by their path, `("red", 0)` for the first red cell, at most two deep,
    and of every top-level key as `(_KEY, name)`; `(_AGAIN,)` is the first key that comes a second time. The standard
    decoder keeps no places, and of repeated keys only the last, hence this walk."""
    places: dict[Path, int] = {}
    depth, key, index, before = 0, "", 0, ""
    for token in _JSON_TOKEN.finditer(text):
        sign, at = token[0], token.start()
        if depth == 1 and before in ("{", ",") and sign != "}":
            key, index = str(json.loads(sign)), 0
            if (_KEY, key) in places:
                places.setdefault((_AGAIN,), at)
            places[_KEY, key] = at
        elif sign not in "}],:" and depth <= 2:
            places[((), (key,), (key, index))[depth]] = at
        depth += (sign in "{[") - (sign in "}]")
        index += depth == 2 and sign == ","
        before = sign
    return places
