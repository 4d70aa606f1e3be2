"""What a sheet says of all states: its roles, how a game begins, which facts and moves can come up, and whether terms
grow from state to state."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Function, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.dependence import growing_predicates, reachable, rules_below
from hexlogic.language.ground.solving import grounded, least_model, to_term
from hexlogic.language.walk import variables

DEEPEST = 150
"""Compound terms inside each other, in a fact of a state."""
_ROLE, _INIT = Predicate("role", 1), Predicate("init", 1)
_SPREAD: Mapping[str, tuple[str, ...]] = {"true": ("init", "next"), "does": ("legal",)}
_DECLARED: Mapping[str, tuple[str, ...]] = {"true": ("base",), "does": ("input",)}


def initial_facts(sheet: Program) -> frozenset[Term]:
    """What is true when a game begins. Raises EngineError for a sheet whose terms grow."""
    return frozenset(atom.arguments[0] for atom in _facts(sheet, _INIT)[1])


def roles_of(sheet: Program) -> tuple[Term, ...]:
    """The roles: those that are facts in the order of the text, then those that rules derive, sorted by their text.

    >>> from hexlogic.ggp.language.reading import read_kif
    >>> print(*roles_of(read_kif("(role red) (<= (role ?x) (color ?x)) (color blue) (role black)")))
    red black blue
    """
    rules, roles = _facts(sheet, _ROLE)
    named = [rule.head for rule in rules if rule.is_fact and rule.head is not None and rule.head in roles]
    return tuple(atom.arguments[0] for atom in dict.fromkeys([*named, *sorted(roles, key=str)]))


def _facts(sheet: Program, predicate: Predicate) -> tuple[tuple[Rule, ...], frozenset[Atom]]:
    """The rules below a predicate that no state changes, and what they derive of it. Raises EngineError."""
    if growing := min(growing_predicates(sheet) & reachable(sheet, [predicate]), default=None):
        raise EngineError(f"{predicate} has no end: terms grow under recursion in {growing}")
    needed = rules_below(sheet, [predicate])
    return needed.rules, least_model(needed, only=[predicate])


def possible_inputs(sheet: Program) -> tuple[Atom, ...] | None:
    """Atoms `true(F)` and `does(R,M)`, sorted by their texts: what can come up in a game.

    They are the closure of what begins a game, what may be done and what comes next, whatever is true besides. Where
    terms could grow in it without end, they are what `base` and `input` declare, which need not be everything; None
    when those grow as well, or there are none.

    >>> from hexlogic.ggp.language.reading import read_kif
    >>> text = "(role r) (init (n 1)) (legal r go) (succ 1 2) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))"
    >>> print(*possible_inputs(read_kif(text)))
    does(r,go) true(n(1)) true(n(2))
    """
    return _possible(sheet)[0]


def closed_inputs(sheet: Program) -> tuple[Atom, ...] | None:
    """The same where they are certainly everything that can come up; None otherwise."""
    inputs, is_closed = _possible(sheet)
    return inputs if is_closed else None


@functools.lru_cache(maxsize=16)
def _possible(sheet: Program) -> tuple[tuple[Atom, ...] | None, bool]:
    for origins in (_SPREAD, _DECLARED):
        if not growing_predicates(sheet + _rules(origins)):
            inputs, is_closed = _choices(sheet, origins)
            return inputs or None, is_closed
    return None, False


def _rules(origins: Mapping[str, tuple[str, ...]]) -> Program:
    """`true(X) :- next(X).` and the like."""
    terms = {"true": (Variable("X"),), "does": (Variable("X"), Variable("Y"))}
    return Program(
        tuple(
            Rule(Atom(name, terms[name]), (Literal(Atom(origin, terms[name])),))
            for name, names in origins.items()
            for origin in names
        )
    )


def _choices(sheet: Program, origins: Mapping[str, tuple[str, ...]]) -> tuple[tuple[Atom, ...], bool]:
    """The inputs that clingo finds possible when each may be true or not, and whether nothing else can follow from
    them. Raises EngineError."""
    choices = [f"{{ {rule.head} }} :- {', '.join(map(str, rule.body))}." for rule in _rules(origins).rules]
    control, _ = grounded(str(sheet.without_constraints()) + "\n".join(choices))

    def arguments(name: str, arity: int) -> set[tuple[Term, ...]]:
        entries = control.symbolic_atoms.by_signature(name, arity)
        return {tuple(map(to_term, entry.symbol.arguments)) for entry in entries}

    facts, moves = arguments("true", 1), arguments("does", 2)
    is_closed = arguments("init", 1) | arguments("next", 1) <= facts and arguments("legal", 2) <= moves
    inputs = [Atom(name, terms) for name, those in (("true", facts), ("does", moves)) for terms in those]
    return tuple(sorted(inputs, key=str)), is_closed


@functools.lru_cache(maxsize=16)
def growing_rule(sheet: Program) -> Rule | None:
    """The first rule that may build ever deeper terms, from state to state too; None where none can.

    >>> from hexlogic.ggp.language.reading import read_kif
    >>> print(growing_rule(read_kif("(init (n z)) (<= (next (n (s ?x))) (true (n ?x)))")))
    next(n(s(X))) :- true(n(X)).
    """
    growing = growing_predicates(sheet + _rules({"true": ("next",)}))
    rules = [rule for rule in sheet.rules if rule.head is not None and rule.head.predicate in growing and rule.body]
    for rule in rules:
        if any(isinstance(term, Function) and variables(term) for term in rule.conclusion.arguments):
            return rule
    return rules[0] if rules else None


def too_deep(terms: Iterable[Term]) -> bool:
    """Whether a term has more compound terms inside each other than `DEEPEST`."""
    waiting = [(term, 0) for term in terms]
    while waiting:
        term, depth = waiting.pop()
        if isinstance(term, Function):
            if depth == DEEPEST:
                return True
            waiting += [(part, depth + 1) for part in term.arguments]
    return False
