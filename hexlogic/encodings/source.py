"""A file of a program, and where the nodes of clingo's syntax tree stand in it.

clingo gives a wrong place for a negated aggregate or theory atom in a body: from the aggregate to the first `not`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from clingo.ast import AST, ASTType, Sign

_TOKEN: Final = re.compile(
    rb'(?P<skipped>%\*.*?\*%|%[^\n]*|"(?:[^"\\\n]|\\.)*"|\s+|\.\.+)|(?P<word>[\w\'#&@]+)|(?P<mark>.)', re.DOTALL
)
_OPENING: Final = b"([{"
_CLOSING: Final = b")]}"


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

    def item_span(self, item: AST, begin: int) -> tuple[int, int] | None:
        """First byte and end of a body item; None where it is not found. The statement begins at the byte `begin`."""
        first, last = self.span(item)
        if first < last or item.ast_type != ASTType.Literal or item.sign == Sign.NoSign:
            return first, last
        tokens = _TOKEN.finditer(self.data, begin, first)
        negations = [token.span() for token in tokens if token["word"] == b"not"]
        wanted = 2 if item.sign == Sign.DoubleNegation else 1
        if len(negations) < wanted or negations[-wanted][1] != last:
            return None
        end = _end(self.data, first)
        return None if end is None else (negations[-wanted][0], end)


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
