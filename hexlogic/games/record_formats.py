"""The formats of whole games by name, and which one a text is in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hexlogic.errors import PositionError, UnknownNameError
from hexlogic.games.game_record import GameRecord
from hexlogic.games.hexworld import read_hexworld, write_hexworld
from hexlogic.games.htp_moves import read_htp, write_htp
from hexlogic.games.little_golem import read_little_golem, write_little_golem
from hexlogic.games.move_list import read_move_list, write_move_list
from hexlogic.games.sgf import read_sgf, write_sgf


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """A format: a game as text. `looks_like` matches the beginning of texts in it."""

    name: str
    read: Callable[[str, str | None], tuple[GameRecord, ...]]
    write: Callable[[GameRecord], str]
    looks_like: re.Pattern[str]


_FORMATS = (
    RecordFormat("sgf", lambda text, file: read_sgf(text, file=file), write_sgf, re.compile(r"\s*\(\s*;(?s:.*)GM\[")),
    RecordFormat(
        "little-golem",
        lambda text, file: read_little_golem(text, file=file),
        write_little_golem,
        re.compile(r"(?s:.*)\(\s*;"),
    ),
    RecordFormat(
        "hexworld",
        lambda text, file: tuple(read_hexworld(line, file=file) for line in text.split()) or (_nothing(file),),
        lambda record: write_hexworld(record) + "\n",
        re.compile(r"\s*(\S*hexworld\S*|#\d)"),
    ),
    RecordFormat(
        "htp", lambda text, file: (read_htp(text, file=file),), write_htp, re.compile(r"\s*(\d+\s+)?boardsize\s", re.I)
    ),
    RecordFormat(
        "moves",
        lambda text, file: (read_move_list(text, file=file),),
        write_move_list,
        re.compile(r"\s*(size|\d)", re.I),
    ),
)


def _nothing(file: str | None) -> GameRecord:
    raise PositionError("there is no link here", file=file, hint="such as #11c1,a3b4:s")


def format_names() -> tuple[str, ...]:
    """The names of all formats.

    >>> format_names()
    ('sgf', 'little-golem', 'hexworld', 'htp', 'moves')
    """
    return tuple(known.name for known in _FORMATS)


def guess_format(text: str) -> str | None:
    """The format a text seems to be in; None when it looks like none.

    >>> guess_format("(;GM[11]SZ[5])"), guess_format("#11c1,a3"), guess_format("hello")
    ('sgf', 'hexworld', None)
    """
    return next((known.name for known in _FORMATS if known.looks_like.match(text.removeprefix("\ufeff"))), None)


def read_games(text: str, name: str | None = None, *, file: str | None = None) -> tuple[GameRecord, ...]:
    """The games of a text in the format of that name, or in the one it seems to be in.

    Raises UnknownNameError, and PositionError with its place.
    """
    found = name or guess_format(text)
    if found is None:
        raise PositionError("this is in no known format", file=file, hint=f"give one: {', '.join(format_names())}")
    return _format(found).read(text, file)


def write_games(records: tuple[GameRecord, ...], name: str) -> str:
    """The games as text in the format of that name. Raises UnknownNameError, and PositionError where the format has
    no words for a game or holds one game only."""
    form = _format(name)
    if len(records) > 1 and name in ("htp", "moves"):
        raise PositionError(f"the format {name} holds one game, not {len(records)}")
    return "".join(form.write(record) for record in records)


def _format(name: str) -> RecordFormat:
    for known in _FORMATS:
        if known.name == name:
            return known
    raise UnknownNameError.among("format", name, list(format_names()))
