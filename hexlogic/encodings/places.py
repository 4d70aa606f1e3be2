"""Where body items stand. clingo's parser says a wrong place of a negated aggregate or theory atom: it begins with the
aggregate and ends with the first `not`."""

from __future__ import annotations

import re
from typing import Final

from clingo.ast import AST, ASTType, Sign

from hexlogic.encodings.reading import Source

_TOKEN: Final = re.compile(
    rb'(?P<skipped>%\*.*?\*%|%[^\n]*|"(?:[^"\\\n]|\\.)*"|\s+|\.\.+)|(?P<word>[\w\'#&@]+)|(?P<mark>.)', re.DOTALL
)
_OPENING: Final = b"([{"
_CLOSING: Final = b")]}"


def item_span(source: Source, item: AST, begin: int) -> tuple[int, int] | None:
    """First byte and end of an item of the body of a statement that begins at a byte; None where it is not found."""
    first, last = source.span(item)
    if first < last or item.ast_type != ASTType.Literal or item.sign == Sign.NoSign:
        return first, last
    words = [word for word in _words(source.data, begin, first) if word[2] == b"not"]
    wanted = 2 if item.sign == Sign.DoubleNegation else 1
    if len(words) < wanted or words[-wanted][1] != last:
        return None
    end = _end(source.data, first)
    return None if end is None else (words[-wanted][0], end)


def _words(data: bytes, begin: int, end: int) -> list[tuple[int, int, bytes]]:
    """First byte, end and text of each word in a range."""
    return [(*found.span(), found[0]) for found in _TOKEN.finditer(data, begin, end) if found["word"]]


def _end(data: bytes, begin: int) -> int | None:
    """The end of an item that begins at a byte, without what is blank before the separator; None for no end."""
    depth, end = 0, begin
    for found in _TOKEN.finditer(data, begin):
        text = found[0]
        if found["mark"]:
            depth += (text in _OPENING) - (text in _CLOSING)
            if depth < 0 or (depth == 0 and text in b",;."):
                return end
        if not text.isspace() and text[:1] != b"%":
            end = found.end()
    return None
