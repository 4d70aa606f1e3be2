"""Read a position from JSON, with the place of every value for error messages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TypeAlias

from hexlogic.errors import UnknownNameError
from hexlogic.games.game import PLAYERS, Game, Kind, Player, check_player
from hexlogic.games.kinds import game_names, load_game
from hexlogic.games.position import Position
from hexlogic.games.source import SourceText, Stones, shown

Path: TypeAlias = tuple[str | int, ...]

_KEYS = ("game", "size", "rows", "columns", "red", "blue", "moves", "name", "idea", "winner")
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
# No index into a list is negative, so these cannot be mistaken for the path of a value.
_KEY, _AGAIN = -1, -2
_SHAPE = 'such as {"game": "hex", "size": 9, "red": ["f6"], "blue": ["e5"]}'


def parse_json(source: SourceText, kind: Kind, expected: Game | None = None) -> Position:
    """The position in a JSON object with `size` (or `rows` and `columns`), `red` and `blue` (lists of cell
    names or numbers) or `moves` (`"f6"` alternating, or `"red f6"`). It is of the game `kind` unless `game` names
    another. Raises `PositionError`.

    >>> from hexlogic.games import Hex
    >>> parse_json(SourceText('{"size": 3, "moves": ["a1", "b2"]}', "<text>"), Hex).to_moves()
    '3x3\\nred a1, blue b2\\n'
    """
    try:
        data = json.loads(source.text)
    except json.JSONDecodeError as error:
        raise source.error(f"broken JSON: {error.msg}", error.pos, _SHAPE) from None
    except (ValueError, RecursionError):
        # A number of thousands of digits, or brackets thousands deep: nothing that a position holds.
        raise source.error("broken JSON: a value too large to read", 0, _SHAPE) from None
    places = _places(source.text)
    if not isinstance(data, dict):
        raise source.error("the JSON is not an object", places[()], _SHAPE)
    if (_AGAIN,) in places:
        raise source.error("a key is given twice", places[_AGAIN,], "the stones of a player go into one list")
    for key in data:
        if key not in _KEYS:
            hint = UnknownNameError.among("key", key, list(_KEYS)).hint
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
    board = source.board(kind, (rows,), at) if "size" in lengths else source.extent(kind, rows, columns, at)
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
        try:
            player = check_player(str(words[0]).lower())
        except UnknownNameError:
            raise source.error(
                f"unknown colour {shown(str(words[0]))}", at, "a move is red or blue and a cell"
            ) from None
    stones.move(player, _cell(source, game, words[-1], at), at, at, json.dumps(move))


def _places(text: str) -> dict[Path, int]:
    """The offset of every value in valid JSON by its path from the root, `("red", 0)` for the first red cell,
    and of every top-level key as `(_KEY, name)`; `(_AGAIN,)` is the first key that comes a second time. The
    standard decoder keeps no places, and of repeated keys only the last, hence this walk."""
    tokens = list(_JSON_TOKEN.finditer(text))
    places: dict[Path, int] = {}
    path: list[str | int] = []
    expecting_key = False
    for i, token in enumerate(tokens):
        sign = token[0]
        if sign == ",":
            if isinstance(path[-1], int):
                path[-1] += 1
            else:
                expecting_key = True
        elif sign in "}]":
            path.pop()
            expecting_key = False
        elif sign == ":":
            expecting_key = False
        elif expecting_key:
            path[-1] = str(json.loads(sign))
            if len(path) == 1:
                if (_KEY, path[-1]) in places:
                    places.setdefault((_AGAIN,), token.start())
                places[_KEY, path[-1]] = token.start()
        else:
            places[tuple(path)] = token.start()
            if sign == "[":
                path.append(0)
            elif sign == "{":
                path.append("")
                expecting_key = tokens[i + 1][0] != "}"
    return places
