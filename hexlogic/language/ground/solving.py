"""Ground and solve by clingo, here or in a child process with a time limit: clingo cannot be interrupted.

`least_model` is the reference semantics of a stratified program.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexlogic.errors import EngineError, StratificationError
from hexlogic.language.analysis.checks import needs_union_find
from hexlogic.language.analysis.dependence import growing_predicates, rules_below, strata
from hexlogic.language.constants import LARGEST
from hexlogic.language.syntax import Atom, Function, Integer, Predicate, Program, Symbol, Term
from hexlogic.language.walk import rule_terms, term_key

if TYPE_CHECKING:
    import clingo


def grounded(
    text: str, *options: str, observer: object | None = None, context: object | None = None
) -> tuple[clingo.Control, list[str]]:
    """A control that has ground a text, and clingo's warnings. clingo calls the `observer` for each ground rule, and
    the `context` for each `@name(...)` of the text.

    Raises EngineError with clingo's own words for a text that clingo refuses.
    """
    control, messages = parsed(text, *options)
    if observer is not None:
        control.register_observer(observer)  # type: ignore[arg-type]
    with refused(messages):
        control.ground([("base", [])], context)
    return control, messages


def parsed(text: str, *options: str) -> tuple[clingo.Control, list[str]]:
    """A control that has read a text, and the list of clingo's messages, which grows. Raises EngineError."""
    import clingo

    messages: list[str] = []
    control = clingo.Control(options or ("--warn=none",), lambda _, line: messages.append(" ".join(line.split())))
    with refused(messages):
        control.add("base", [], text)
    return control, messages


@contextlib.contextmanager
def refused(messages: Sequence[str]) -> Iterator[None]:
    """Raise EngineError with clingo's own words, which are in the messages, when clingo gives up."""
    try:
        yield
    except RuntimeError as error:
        raise EngineError(f"clingo: {'; '.join(messages) or error}") from None


def cannot_ground(program: Program) -> str | None:
    """Refuses equivalences, unstratified programs, function terms that grow and integers beyond 32 bits; None when
    grounding ends.

    The test for growing terms is syntactic and sufficient for the endless grounding it names, so it also refuses
    programs that would end for another reason. A sum that leaves 32 bits at run time wraps around unnoticed.
    """
    if reason := needs_union_find(program):
        return reason
    try:
        strata(program)
    except StratificationError as error:
        return str(error)
    integers = (part.value for rule in program.rules for part in rule_terms(rule) if isinstance(part, Integer))
    if (large := next((value for value in integers if abs(value) > LARGEST), None)) is not None:
        return f"the integer {large} does not fit into clingo's 32 bits"
    growing = min(growing_predicates(program), default=None)
    return f"function terms grow under recursion in {growing}, so grounding does not end" if growing else None


@dataclass(frozen=True, slots=True)
class Solved:
    """Whether there is a stable model, `rules` and `atoms` of the ground program, the shown atoms of the last model."""

    satisfiable: bool
    rules: int
    atoms: int
    shown: list[str]


def solve_isolated(text: str, limit_s: float) -> Solved | None:
    """What clingo finds; None after `limit_s` wall seconds. Raises EngineError for a text that clingo refuses."""
    # Imported late: whoever grounds in this process does without.
    from hexlogic.process.call import Stopped, call_isolated
    from hexlogic.process.limits import Limits

    limits = Limits(cpu_s=limit_s + 10, wall_s=limit_s, memory_bytes=sys.maxsize)
    try:
        return call_isolated(solve, {"text": text}, limits)
    except Stopped:
        return None


def ground_size(program: Program, facts: Sequence[Atom], limit_s: float) -> Solved | None:
    """As `solve_isolated`, for the rules and atoms of a program with input facts, without its constraints."""
    return solve_isolated(str(program.without_constraints()) + "".join(f"{fact}.\n" for fact in facts), limit_s)


def solve(text: str) -> Solved:
    """As `solve_isolated`, in this process.

    >>> solve("a. b :- a, not c. {c}. :- not c. #show c/0.")
    Solved(satisfiable=True, rules=3, atoms=2, shown=['c'])
    """
    shown: list[str] = []
    control, _ = grounded(text, "--warn=none", "--stats")
    result = control.solve(on_model=lambda model: shown.extend(map(str, model.symbols(shown=True))))
    size = control.statistics["problem"]["lp"]
    return Solved(bool(result.satisfiable), int(size["rules"]), int(size["atoms"]), shown)


def has_stable_model(text: str, until: float | None = None) -> bool | None:
    """Whether there is one; None when clingo has not found that out at the time `until` of the monotonic clock.

    Grounding is not interrupted. Raises EngineError with clingo's own words for a text that clingo refuses.

    >>> has_stable_model("{a}. :- not a."), has_stable_model("a. :- a.")
    (True, False)
    """
    control, _ = grounded(text)
    with control.solve(async_=True) as handle:
        if handle.wait(None if until is None else max(until - time.monotonic(), 0.01)):
            return bool(handle.get().satisfiable)
        handle.cancel()
        return None


def least_model(
    program: Program, facts: Iterable[Atom] = (), *, only: Iterable[Predicate] | None = None
) -> frozenset[Atom]:
    """All true atoms of `program` with the input `facts` added (restricted to the predicates `only`).

    Raises EngineError when clingo refuses the text. Integrity constraints are not enforced: they declare what the
    inputs promise and derive nothing.

    >>> from hexlogic.language.parser import parse
    >>> print(*sorted(map(str, least_model(parse("p(1..2). q(X) :- p(X), not r(X). r(1).")))))
    p(1) p(2) q(2) r(1)
    """
    control, _ = grounded(f"{program.without_constraints()}{''.join(f'{fact}.' for fact in facts)}")
    wanted = None if only is None else {(predicate.name, predicate.arity) for predicate in only}
    # A stratified program has one model, and the grounder finds all of it: every atom left is a fact.
    return frozenset(
        Atom(name, tuple(map(to_term, entry.symbol.arguments)))
        for name, arity, positive in control.symbolic_atoms.signatures
        if wanted is None or (name, arity) in wanted
        for entry in control.symbolic_atoms.by_signature(name, arity, positive)
        if entry.is_fact
    )


def facts_of(program: Program, chosen: Iterable[Predicate]) -> dict[Predicate, list[Atom]]:
    """The facts of predicates that depend on no input and do not grow, sorted."""
    facts: dict[Predicate, list[Atom]] = {predicate: [] for predicate in chosen}
    model = least_model(rules_below(program, facts), only=facts)
    for atom in sorted(model, key=lambda atom: tuple(map(term_key, atom.arguments))):
        facts[atom.predicate].append(atom)
    return facts


def holds(program: Program, query: Atom, facts: Iterable[Atom] = ()) -> bool:
    """Whether the ground atom `query` is true in the least model."""
    return query in least_model(program, facts, only=(query.predicate,))


@functools.lru_cache(maxsize=10_000)
def to_term(symbol: clingo.Symbol) -> Term:
    """The term that a clingo symbol stands for. Raises EngineError for a string, `#inf`, `#sup` and `-name`."""
    import clingo

    match symbol.type:
        case clingo.SymbolType.Number:
            return Integer(symbol.number)
        case clingo.SymbolType.Function if symbol.positive:
            arguments = symbol.arguments
            return Function(symbol.name, tuple(map(to_term, arguments))) if arguments else Symbol(symbol.name)
    raise EngineError(f"clingo returned {symbol}, which is not a term of the rule language")
