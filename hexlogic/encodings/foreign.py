"""Statements of systems that read more than clingo: they stay as they are, byte for byte, and clingo sees blanks.

asprin (Brewka, Delgrande, Romero and Schaub 2015) adds `#preference(p,subset){ a(X) : b(X) }.`, `#optimize(p).` and
parts such as `#program preference(less(weight)).` to clingo's language. The first two compare answer sets of the
program and derive nothing in it, and no rewriting changes a predicate of the given program: so they keep their meaning.
Bodies in parts of such names are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hexlogic.language.clingo_reading import without_block_comments

FOREIGN_PARTS: Final = ("preference", "heuristic", "weak")
"""Parts that asprin grounds, in a way of its own."""

_SKIPPED: Final = rb'%[^\n]*|"(?:[^"\\\n]|\\.)*"|#script\b.*?#end\b'
_BEGIN: Final = re.compile(
    _SKIPPED
    + rb"|(?P<statement>#(?:preference|optimize)(?![\w']))|"
    + rb"(?P<part>#program\s+(?:preference|heuristic|weak)\s*)\([^%.\"]*\)\s*\.",
    re.DOTALL,
)
_END: Final = re.compile(_SKIPPED + rb"|\.\.+|(?P<end>\.)", re.DOTALL)
_NAME: Final = re.compile(rb"[a-z_'][\w']*")


def blanked(data: bytes) -> bytes:
    """The text with spaces in place of foreign statements; every other byte stays where it is.

    >>> blanked(b"a(1..2). #preference(p,subset){ a(1..2) }. b.")
    b'a(1..2).                                   b.'
    """
    for begin, end in _spans(data):
        data = data[:begin] + re.sub(rb"[^\n]", b" ", data[begin:end]) + data[end:]
    return data


def foreign_names(data: bytes) -> frozenset[str]:
    """All names in the foreign statements: no auxiliary predicate may be called so."""
    return frozenset(name.decode("utf-8") for begin, end in _spans(data) for name in _NAME.findall(data[begin:end]))


def _spans(data: bytes) -> Iterator[tuple[int, int]]:
    """First byte and end of each foreign statement that has a full stop, or of the parameters of a part."""
    data = without_block_comments(data.decode("latin-1")).encode("latin-1")
    place = 0
    while match := _BEGIN.search(data, place):
        place = match.end()
        if match["part"]:
            yield match.end("part"), match.end() - 1
        elif match["statement"]:
            ends = (end.end() for end in _END.finditer(data, place) if end["end"])
            if end := next(ends, None):
                yield match.start(), end
                place = end
