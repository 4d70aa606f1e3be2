"""A file of a program, where the nodes of clingo's syntax tree stand in it, and statements that clingo does not read.

clingo gives a wrong place for a negated aggregate or theory atom in a body: from the aggregate to the first `not`.

asprin (Brewka, Delgrande, Romero and Schaub 2015) adds `#preference(p,subset){ a(X) : b(X) }.`, `#optimize(p).` and
parts such as `#program preference(less(weight)).` to clingo's language. The first two compare answer sets of the
program and derive nothing in it, and no rewriting changes a predicate of the given program: so they keep their meaning.
They stay as they are, byte for byte, and clingo sees blanks. Bodies in parts of such names are left alone.
"""

import random
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from clingo.ast import AST, ASTType, Sign

from hexlogic.language import Predicate
from hexlogic.language.clingo_reading import without_block_comments
from hexlogic.language.names import RESERVED

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

_PLAIN = rb'(?:-?(?:0|[1-9][0-9]*+)|(?!not\b)_*+[a-z][a-zA-Z0-9_]*+|"[^"\\\n]*+")'
_NAMED = rb"(?:(?!not\b)[a-z][a-zA-Z0-9_]*+)"
_PAIR = rb"(?:" + _NAMED + rb"?\(" + _PLAIN + rb"(?:,\s*+" + _PLAIN + rb")++\)|" + _PLAIN + rb")"
_VALUE = rb"(?:" + _NAMED + rb"?\(" + _PAIR + rb"(?:,\s*+" + _PAIR + rb")++\)|" + _PLAIN + rb")"
_FACT: Final = re.compile(
    rb"(?P<name>-?(?!not\b)(?!" + RESERVED.encode() + rb")_*+[a-z][a-zA-Z0-9_]*+)"
    rb"\((?P<values>" + _VALUE + rb"(?:,\s*+" + _VALUE + rb")*+)\)\s*+\.(?!\.)"
)
_QUICK_FACT: Final = re.compile(rb"([-\w]++)\(([^.]*)\)\s*+\.")
_RUN: Final = re.compile(
    _SKIPPED
    + rb"|(?:\A|(?<!\.)\.(?!\.))(?P<run>(?:\s++|%(?!\*)[^\n]*+|"
    + re.sub(rb"\?P<\w+>", b"?:", _FACT.pattern)
    + rb")++)",
    re.DOTALL,
)
_PROBE: Final = re.match(rb"(?:\s++|a[a-z]*+\.)++", b"a. ab")
TAKES_RUNS: Final = _PROBE is not None and _PROBE.end() == 3
"""Whether a possessive group ends with its last match. In CPython 3.11.2 it may not, and all facts get trees."""
_BLANK: Final = bytes(10 if byte == 10 else 32 for byte in range(256))
_MANY: Final = 2_000
"""Facts of a file from which on they are read without a syntax tree: 150,000 take 1 s, and 6 s with trees."""


@dataclass(frozen=True, eq=False)
class Source:
    """A file: its name and its bytes."""

    name: str
    data: bytes
    """In UTF-8."""
    charset: str = "utf-8"
    """The character set of the file itself."""
    starts: tuple[int, ...] = field(init=False, repr=False)
    """Where each line begins."""

    def __post_init__(self) -> None:
        starts = [0, *(line_end.end() for line_end in re.finditer(rb"\n", self.data))]
        object.__setattr__(self, "starts", tuple(starts))

    @cached_property
    def facts(self) -> tuple[tuple[int, int], ...]:
        """First byte and end of each run of plain facts, which are read without a syntax tree; none where there are
        few, or where parts or included files say what a fact means."""
        data = without_block_comments(self.data.decode("latin-1")).encode("latin-1")
        if not TAKES_RUNS or data.count(b").") < _MANY or b"#program" in data or b"#include" in data:
            return ()
        return tuple(match.span("run") for match in _RUN.finditer(data) if match["run"] and b")." in match["run"])

    @cached_property
    def fact_predicates(self) -> frozenset[Predicate]:
        """The predicates of these facts."""
        known = set[tuple[bytes, int]]()
        for begin, end in self.facts:
            run = self.data[begin:end]
            for name, values in (_FACT if b'"' in run or b"%" in run else _QUICK_FACT).findall(run):
                is_flat = b"(" not in values and b'"' not in values
                known.add((name, 1 + values.count(b",") if is_flat else len(re.findall(_VALUE, values))))
        return frozenset(Predicate(name.decode(), arity) for name, arity in known)

    def thinned(self, part: float, seed: int) -> bytes:
        """The text with blanks in the place of these facts, but for a random one in `part`."""
        generator = random.Random(seed)
        data = bytearray(self.data)
        for begin, end in self.facts:
            for fact in _FACT.finditer(self.data, begin, end):
                if generator.random() * part >= 1:
                    data[fact.start() : fact.end()] = b" " * len(fact[0])
        return bytes(data)

    def sample(self, part: float, seed: int) -> str:
        """A random one in `part` of these facts."""
        data = self.thinned(part, seed)
        return b"".join(data[begin:end] for begin, end in self.facts).decode("utf-8")

    @cached_property
    def statements(self) -> bytes:
        """The text with blanks in the place of these facts and of what clingo does not read."""
        data = bytearray(blanked(self.data))
        for begin, end in self.facts:
            data[begin:end] = data[begin:end].translate(_BLANK)
        return bytes(data)

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
    if not any(word in data for word in (b"#preference", b"#optimize", b"#program")):
        return
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
