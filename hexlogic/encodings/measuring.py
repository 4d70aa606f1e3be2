"""What clingo has to do for a program, whether two have the same answer sets, how many instances rewritten rules have.

Each program runs in a child process of its own under limits, as clingo cannot be interrupted. Instances of the bodies
of rewritten rules are atoms of predicates that are added for that:

Rewritten:  t(X) :- e(X,Y), e(Y,Z).
Added:      _hexlogic_instances(X,Y,Z) :- e(X,Y), e(Y,Z).

As for an estimate, a body is its literals: aggregates and conditional literals beside them are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from hexlogic.encodings.clingo_jobs import PLAIN, Call, ClingoCost, Run, compare, measure, race
from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.rewriting import Rewritten
from hexlogic.encodings.source import ASPRIN_PARTS
from hexlogic.encodings.statements import BASE
from hexlogic.errors import EngineError
from hexlogic.language import Atom, Predicate, Rule
from hexlogic.language.names import RESERVED, fresh_names
from hexlogic.language.walk import variables
from hexlogic.process.call import Result, Stopped, call_isolated
from hexlogic.process.limits import Limits

_MEMORY_BYTES = 4 << 30
_PATIENCE = 15.0
"""Wall seconds for each CPU second of a limit."""
_START_S = 1.0
"""CPU seconds to start a process and to import clingo."""
_LONGEST = 200
"""The longest reason, in characters."""


Counts: TypeAlias = tuple[tuple[int | None, int] | None, ...]
"""For each rewriting the instances before, None where there are too many to count, and after; None in a part with
parameters."""


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """Why there is no measurement; `is_slow` where the limit of time or memory was the reason."""

    reason: str
    is_slow: bool = False


def measure_text(text: str, limit_s: float, run: Run = PLAIN) -> ClingoCost | Unmeasured:
    """Run a program within `limit_s` CPU seconds and 4 GiB of memory."""
    return _isolated(measure, {"text": text, "run": run}, limit_s)


def race_texts(texts: Sequence[str], limit_s: float, run: Run = PLAIN) -> list[list[tuple[float, float]]] | Unmeasured:
    """CPU seconds of grounding and of solving of each text in each turn, all in one process.

    `limit_s` holds for all turns together.
    """
    return _isolated(race, {"texts": texts, "run": run}, limit_s)


def same_answer_sets(
    left: str, right: str, predicates: Iterable[Predicate], limit_s: float, run: Run = PLAIN, *, shown: bool = False
) -> bool | Unmeasured:
    """Whether two programs have the same answer sets over some predicates, and with `shown` also show the same atoms;
    why not known when it is not."""
    signatures = [(each.name.lstrip("-"), each.arity, not each.name.startswith("-")) for each in sorted(predicates)]
    task = {"left": left, "right": right, "run": run, "predicates": signatures, "shown": shown}
    same = _isolated(compare, task | {"random": True}, limit_s)
    if isinstance(same, Unmeasured) and same.is_slow:
        same = _isolated(compare, task | {"random": False}, limit_s)
    return same


def _isolated(function: Callable[..., Result], task: Mapping[str, object], limit_s: float) -> Result | Unmeasured:
    """The result of a function of `clingo_jobs`, in a child process.

    The limit is one of CPU seconds, so that a busy machine does not look like a slow program; starting has its own.
    """
    wall_s = _PATIENCE * (limit_s + _START_S)
    try:
        limits = Limits(cpu_s=limit_s + _START_S, wall_s=wall_s, memory_bytes=_MEMORY_BYTES)
        return call_isolated(function, task, limits)
    except Stopped as stopped:
        reasons = {
            "memory-limit": f"more than {_MEMORY_BYTES >> 30} GiB",
            "cpu-limit": f"more than {limit_s:.3g} CPU s",
        }
        return Unmeasured(reasons.get(stopped.termination, f"more than {wall_s:.3g} s"), True)
    except EngineError as error:
        return Unmeasured(_one_line(str(error)))


def _one_line(text: str) -> str:
    """The text in one line; of a traceback the last line, which says what was wrong."""
    begin, traceback, rest = text.partition("Traceback (most recent call last):")
    last = rest.strip().splitlines()[-1:] if traceback else []
    return " ".join([*begin.split(), *" ".join(last).split()])[:_LONGEST]


def count_instances(
    new: Rewritten, used: Collection[str], measured: Callable[[str], ClingoCost | Unmeasured]
) -> Counts:
    """The instances of each rewriting, counted in the given text, to which auxiliary predicates are added; where that
    takes too long, those after in the new text; nothing where that takes too long as well.

    `used` are names that the program has, and `measured` runs a text with its instance.
    """
    heads = {rule.head.name for rewriting in new.rewritings for rule in rewriting.rules if rule.head is not None}
    auxiliary = [rule for rewriting in new.rewritings if rewriting.block.part == BASE for rule in rewriting.rules[:-1]]
    for text, is_new in ((new.encoding.text, False), (new.text, True)):
        names = iter(fresh_names(f"{RESERVED}instances", {*used, *heads}))
        added: list[Rule] = [] if is_new else list(dict.fromkeys(auxiliary))

        def counting(rules: Iterable[Rule]) -> list[Rule]:
            made = [Rule(Atom(next(names), tuple(sorted(variables(*rule.body), key=str))), rule.body) for rule in rules]  # noqa: B023
            added.extend(made)  # noqa: B023
            return made

        sides = [
            ([] if is_new else counting([rewriting.before]), counting(rewriting.rules))
            if rewriting.block.part == BASE
            else None
            for rewriting in new.rewritings
        ]
        cost = measured(text + "\n".join(["", f"#program {BASE}.", *map(str, added), ""]))
        if isinstance(cost, ClingoCost):
            sizes = {relation.name: relation.size for relation in cost.relations}
            totals = [None if pair is None else [_total(side, sizes) for side in pair] for pair in sides]
            return tuple(None if pair is None else (None if is_new else pair[0], pair[1]) for pair in totals)
    return ()


def _total(rules: Iterable[Rule], sizes: Mapping[str, int]) -> int:
    return sum(sizes.get(rule.head.name, 0) for rule in rules if rule.head is not None)


_INCMODE: Final = re.compile(rb'^[^%"\n]*#include\s*<incmode>', re.MULTILINE)
_QUERY: Final = "\n#program check(t).\n#external query(t).\n"
_STEPS: Final = 3


@dataclass(frozen=True)
class Parts:
    """The calls that ground the parts beside `base`, and the parts of which each instance is known to be ground once.

    `#include <incmode>.` says how clingo grounds `step(t)` and `check(t)`: once for each t. What a host program does
    with other parts is not in the text. So they are measured as if each were ground for t of 1, 2, ... (with several
    parameters once for equal values and once for different ones, so that a comparison tells them apart), and only what
    holds however often a part is ground is done to them, unless the user says how far t goes.
    """

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
