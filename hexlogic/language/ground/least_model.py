"""The reference semantics: the least model of a stratified program, computed by clingo."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hexlogic.errors import EngineError
from hexlogic.language.analysis.dependence import rules_below
from hexlogic.language.ground.solving import grounded
from hexlogic.language.syntax import Atom, Function, Integer, Predicate, Program, Symbol, Term
from hexlogic.language.walk import term_key

if TYPE_CHECKING:
    import clingo


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
