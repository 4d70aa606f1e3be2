"""Read SGF text (FF[4]) as sequences of nodes, and write property values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hexlogic.games.source import SourceText, shown

_SPACE = re.compile(r"[^(;)\[\]A-Za-z]*")
_IDENT = re.compile(r"[A-Za-z]+")
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Value:
    """The text of a property value, and where it begins in the source."""

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Node:
    """The properties of a node in the order of the text; `offset` is where the node begins."""

    offset: int
    properties: dict[str, list[Value]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """The first value of a property, or an empty text."""
        values = self.properties.get(name)
        return values[0].text if values else ""


def escape(text: str) -> str:
    r"""A text as it stands inside the brackets of a value.

    >>> print(escape("a]b\\"))
    a\]b\\
    """
    return text.replace("\\", "\\\\").replace("]", "\\]")


def main_lines(source: SourceText, *, lenient: bool = False) -> list[list[Node]]:
    """The main line of every game in a collection: of variations, the first one. Raises PositionError.

    `lenient` accepts what old dumps leave out: the last parentheses of a game, and text around the games.

    >>> [[list(node.properties) for node in game] for game in main_lines(SourceText("(;A[1];B[2](;C[])(;D[]))", "x"))]
    [[['A'], ['B'], ['C']]]
    """
    return _Reader(source, lenient).games()


class _Reader:
    def __init__(self, source: SourceText, lenient: bool) -> None:
        self._source, self._text, self._lenient = source, source.text, lenient
        self._at = 0

    def games(self) -> list[list[Node]]:
        games: list[list[Node]] = []
        while (begin := self._text.find("(", self._at)) >= 0:
            if self._text[begin + 1 :].lstrip()[:1] != ";":
                if not self._lenient:
                    raise self._source.error("a game needs a node after its parenthesis", begin, "such as (;GM[11]...)")
                self._at = begin + 1
                continue
            self._at = begin
            games.append(self._game())
        if not games:
            raise self._source.error("there is no game here", 0, "SGF begins with (;")
        return games

    def _game(self) -> list[Node]:
        """From the opening parenthesis on. The line that is kept is the first at every fork."""
        nodes: list[Node] = []
        begin, depth, closed = self._at, 0, False
        # A variation after another one at the same depth is passed over: nothing is kept once a ")" was seen.
        while True:
            match = _SPACE.match(self._text, self._at)
            assert match is not None
            self._at = match.end()
            sign = self._text[self._at : self._at + 1]
            if sign == "" or (self._lenient and sign == "(" and self._starts_new_game(nodes)):
                if self._lenient:
                    return nodes
                raise self._source.error("the game has no end", begin, "its closing parenthesis is missing")
            if sign == "(":
                depth += 1
                self._at += 1
            elif sign == ")":
                depth -= 1
                closed = True
                self._at += 1
                if depth == 0:
                    return nodes
            elif sign == ";":
                node = Node(self._at)
                self._at += 1
                self._properties(node)
                if not closed:
                    nodes.append(node)
            else:
                raise self._source.error(f"{sign!r} is out of place", self._at, "expected (, ) or ;")

    def _starts_new_game(self, nodes: list[Node]) -> bool:
        """Whether this parenthesis begins another game though the last one was never closed."""
        return bool(nodes) and re.match(r"\(\s*;\s*(FF|GM|EV)\[", self._text[self._at :]) is not None

    def _properties(self, node: Node) -> None:
        while True:
            match = _SPACE.match(self._text, self._at)
            assert match is not None
            name = _IDENT.match(self._text, match.end())
            if name is None:
                self._at = match.end()
                return
            self._at = name.end()
            values = node.properties.setdefault("".join(sign for sign in name[0] if sign.isupper()), [])
            before = len(values)
            while (space := re.compile(r"\s*").match(self._text, self._at)) and (
                value := _VALUE.match(self._text, space.end())
            ):
                values.append(Value(re.sub(r"\\(.)", r"\1", value[1], flags=re.DOTALL), value.start(1)))
                self._at = value.end()
            if len(values) == before:
                what = "has no end" if self._text[self._at : self._at + 1] == "[" else "has no value"
                raise self._source.error(f"the property {shown(name[0])} {what}", name.start(), "such as SZ[11]")
