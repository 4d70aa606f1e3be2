"""A file of a program, where the nodes of clingo's syntax tree stand in it, and statements that clingo does not read.

clingo gives a wrong place for a negated aggregate or theory atom in a body: from the aggregate to the first `not`.

asprin (Brewka, Delgrande, Romero and Schaub 2015) adds `#preference(p,subset){ a(X) : b(X) }.`, `#optimize(p).` and
parts such as `#program preference(less(weight)).` to clingo's language. The first two compare answer sets of the
program and derive nothing in it, and no rewriting changes a predicate of the given program: so they keep their meaning.
They stay as they are, byte for byte, and clingo sees blanks. Bodies in parts of such names are left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from clingo.ast import AST, ASTType, Sign

from hexlogic.language.clingo_reading import without_block_comments

_TOKEN: Final = re.compile(rb'%\*.*?\*%|%[^\n]*|"(?:[^"\\\n]|\\.)*"|\s+|\.\.+|[\w\'#&@]+|(?P<mark>.)', re.DOTALL)
_NOT: Final = b"not"
_OPENING: Final = b"([{"
_CLOSING: Final = b")]}"

ASPRIN_PARTS: Final = ("preference", "heuristic", "weak")
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


@dataclass(frozen=True, eq=False)
class Source:
    """A file: its name and its bytes."""

    name: str
    data: bytes
    starts: tuple[int, ...] = field(init=False, repr=False)
    """Where each line begins."""

    def __post_init__(self) -> None:
        starts = [0, *(line_end.end() for line_end in re.finditer(rb"\n", self.data))]
        object.__setattr__(self, "starts", tuple(starts))

    def span(self, node: AST) -> tuple[int, int]:
        """First byte and end of a node: clingo counts bytes of a line from 1."""
        begin, end = node.location.begin, node.location.end
        return self.starts[begin.line - 1] + begin.column - 1, self.starts[end.line - 1] + end.column - 1

    def place(self, index: int) -> tuple[int, int]:
        """Line and column of a byte, both from 1."""
        line = bisect_right(self.starts, index)
        return line, index - self.starts[line - 1] + 1

    def item_span(self, item: AST) -> tuple[int, int] | None:
        """First byte and end of a body item; None where it is not found."""
        first, last = self.span(item)
        if first < last or item.ast_type != ASTType.Literal or item.sign == Sign.NoSign:
            return first, last
        begin, end = last - len(_NOT), _end(self.data, first)
        return None if end is None or self.data[begin:last] != _NOT else (begin, end)


def _end(data: bytes, begin: int) -> int | None:
    """The end of an item that begins at a byte, without what is blank before the separator; None for no end."""
    depth, end = 0, begin
    for token in _TOKEN.finditer(data, begin):
        text = token[0]
        if token["mark"]:
            depth += (text in _OPENING) - (text in _CLOSING)
            if depth < 0 or (depth == 0 and text in b",;."):
                return end
        if not text.isspace() and text[:1] != b"%":
            end = token.end()
    return None


def blanked(data: bytes) -> bytes:
    """The text with spaces in place of asprin's statements; every other byte stays where it is.

    >>> blanked(b"a(1..2). #preference(p,subset){ a(1..2) }. b.")
    b'a(1..2).                                   b.'
    """
    for begin, end in _asprin_spans(data):
        data = data[:begin] + re.sub(rb"[^\n]", b" ", data[begin:end]) + data[end:]
    return data


def asprin_names(data: bytes) -> frozenset[str]:
    """All names in asprin's statements: no auxiliary predicate may be called so."""
    spans = _asprin_spans(data)
    return frozenset(name.decode("utf-8") for begin, end in spans for name in _NAME.findall(data[begin:end]))


def _asprin_spans(data: bytes) -> Iterator[tuple[int, int]]:
    """First byte and end of each statement of asprin that has a full stop, or of the parameters of a part."""
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
