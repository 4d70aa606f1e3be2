"""Parts of a program beside `base`, and in which calls they are ground for a measurement and a comparison.

`#include <incmode>.` says how clingo grounds `step(t)` and `check(t)`: once for each t. What a host program does with
other parts is not in the text. So they are measured as if each were ground for t of 1, 2, ... (with several parameters
once for equal values and once for different ones, so that a comparison tells them apart), and only what holds however
often a part is ground is done to them, unless the user says how far t goes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hexlogic.encodings.clingo_jobs import Call
from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.source import ASPRIN_PARTS
from hexlogic.encodings.statements import BASE
from hexlogic.language import Predicate

_INCMODE: Final = re.compile(rb'^[^%"\n]*#include\s*<incmode>', re.MULTILINE)
_QUERY: Final = "\n#program check(t).\n#external query(t).\n"
_STEPS: Final = 3


@dataclass(frozen=True)
class Parts:
    """The calls, and the parts of which each instance is known to be ground once."""

    calls: tuple[Call, ...] = ()
    once: frozenset[str] = frozenset()
    added: str = ""
    """What clingo adds to the text."""

    @property
    def defined(self) -> frozenset[Predicate]:
        """The predicates of what clingo adds."""
        return frozenset([Predicate("query", 1)] if self.added else [])


def parts_of(encoding: Encoding, steps: int | None = None) -> Parts:
    """The parts of an encoding, with first parameters from 1 to `steps`, or 3.

    >>> from hexlogic.encodings.reading import read_encoding_text
    >>> parts_of(read_encoding_text("#program step(t). a(t)."), 2).calls
    ((('step', (1,)),), (('step', (2,)),))
    """
    parts = dict.fromkeys(
        (statement.node.name, len(statement.node.parameters))
        for statement in encoding.statements
        if statement.kind == "Program"
        if (statement.node.name != BASE or statement.node.parameters) and statement.node.name not in ASPRIN_PARTS
    )
    if not parts:
        return Parts()
    is_incremental = any(_INCMODE.search(source.data) for source in encoding.sources)
    if is_incremental:
        parts = {part: None for part in (("step", 1), ("check", 1)) if part in parts}
    calls = [
        tuple((name, values) for name, arity in parts if arity for values in _values(step, arity))
        for step in range(1, (steps or _STEPS) + 1)
    ]
    first = tuple((name, ()) for name, arity in parts if not arity)
    if is_incremental and ("check", 1) in parts:
        calls.insert(0, (("check", (0,)),))
    calls = [call for call in [calls[0] + first, *calls[1:]] if call]
    known = is_incremental or steps is not None
    return Parts(
        tuple(calls),
        frozenset(f"{name}/{arity}" for name, arity in parts if arity and known),
        _QUERY if is_incremental else "",
    )


def _values(step: int, arity: int) -> list[tuple[int, ...]]:
    """The values of parameters in one call: equal ones, and different ones where there are several.

    >>> _values(2, 2)
    [(2, 2), (2, 3)]
    """
    return [(step,) * arity, tuple(range(step, step + arity))][: 1 if arity == 1 else 2]
