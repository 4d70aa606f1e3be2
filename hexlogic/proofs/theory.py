"""Positive rules that are true in every least model of a program: what Sagiv's test may run on a frozen body.

A frozen body is a small database of new constants that stand for any cells. What positive rules derive from it holds
wherever the body holds. So nothing may be evaluated that depends on *which* cells they are:
- `not q(X)` becomes the uninterpreted atom `not__q(X)`: true only where a frozen body or a proved claim says so;
- `X < Y` becomes the uninterpreted atom `less__(X,Y)`, arithmetic an uninterpreted function.

    inversion      of  from_first(P,Y) :- first(P,X), same_cluster(P,X,Y).     (the only rule for from_first)
                   is  first(P,x(P,Y)) :- from_first(P,Y).  same_cluster(P,x(P,Y),Y) :- from_first(P,Y).
    impossibility      contradiction :- q(X), not__q(X).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hexlogic.ground.least_model import least_model
from hexlogic.logic import (
    Arithmetic,
    Atom,
    BodyLiteral,
    Comparison,
    Function,
    Literal,
    Program,
    Rule,
    Symbol,
    Term,
    Variable,
)
from hexlogic.logic.walk import map_terms, subterms, variables

__all__ = ["CONTRADICTION", "bounded", "chase", "existential", "impossible", "inversions", "positive"]

CONTRADICTION = Atom("contradiction")

_WORDS = {"<": "less__", "<=": "at_most__", "!=": "unequal__", "=": "equal__"}
_TURNED = {">": "<", ">=": "<="}
_OPERATORS = {"+": "plus__", "-": "minus__", "*": "times__", "/": "over__", "\\": "modulo__"}
_ROUNDS = 3


def positive(rule: Rule) -> Rule:
    """The rule with negation, comparisons and arithmetic uninterpreted.

    >>> from hexlogic.logic.parser import parse_rule
    >>> print(positive(parse_rule("p(X) :- q(X,Y), not r(Y), Y > X.")))
    p(X) :- q(X,Y), not__r(Y), less__(X,Y).
    """
    plain = map_terms(rule, _uninterpreted)
    return Rule(plain.head, tuple(Literal(_atom(item)) for item in plain.body), rule.place)


def _uninterpreted(term: Term) -> Term:
    return Function(_OPERATORS[term.operator], (term.left, term.right)) if isinstance(term, Arithmetic) else term


def _atom(item: BodyLiteral) -> Atom:
    if isinstance(item, Literal):
        return item.atom if item.positive else Atom(f"not__{item.atom.name}", item.atom.arguments)
    operator, left, right = item.operator, item.left, item.right
    if operator in _TURNED:
        return _atom(Comparison("<" if operator == ">" else "<=", right, left))
    if operator in ("!=", "=") and str(right) < str(left):
        left, right = right, left
    return Atom(_WORDS[operator], (left, right))


def bounded(rule: Rule) -> Rule:
    """The rule, held back from building terms without end: what it wraps in a function must be `known__`.

    >>> from hexlogic.logic.parser import parse_rule
    >>> print(bounded(parse_rule("number(next(X)) :- number(X).")))
    number(next(X)) :- number(X), known__(X).
    """
    assert rule.head is not None
    present = {part for item in rule.literals for term in item.atom.arguments for part in subterms(term)}
    built = {part for term in rule.head.arguments for part in subterms(term) if isinstance(part, Function)} - present
    wrapped = frozenset[Variable]().union(*(variables(part) for part in built))
    known = tuple(Literal(Atom("known__", (variable,))) for variable in sorted(wrapped, key=str))
    return rule.with_body(rule.body + known)


def existential(rule: Rule, label: str) -> Rule:
    """The rule with each head variable that its body does not bind replaced by a term of the variables it does.

    The body then also asks that those be `known__`, which bounds how deep such terms are nested.
    """
    assert rule.head is not None
    bound = frozenset().union(*(variables(item) for item in rule.body))
    return _with_terms([rule], sorted(bound & variables(rule.head), key=str), label)[0]


def _with_terms(rules: Sequence[Rule], frontier: Sequence[Variable], label: str) -> list[Rule]:
    def replace(term: Term) -> Term:
        if isinstance(term, Variable) and term not in bound:
            name = f"{term.name.lower()}__{label}"
            return Function(name, tuple(frontier)) if frontier else Symbol(name)
        return term

    changed = []
    for rule in rules:
        assert rule.head is not None
        bound = frozenset().union(*(variables(item) for item in rule.body))
        if variables(rule.head) <= bound:
            changed.append(rule)
            continue
        head = map_terms(Rule(rule.head), replace).head
        known = tuple(Literal(Atom("known__", (variable,))) for variable in frontier)
        changed.append(Rule(head, rule.body + known))
    return changed


def inversions(program: Program) -> Iterator[Rule]:
    """For every predicate with one rule: what follows from its head, since nothing else can have derived it.

    Leaves alone heads with a constant or a repeated variable.
    """
    heads = {rule.head.predicate for rule in program.rules if rule.head is not None}
    for number, predicate in enumerate(sorted(heads)):
        rules = program.defining(predicate)
        head = rules[0].head
        assert head is not None
        arguments = [term for term in head.arguments if isinstance(term, Variable)]
        if len(rules) == 1 and len(set(arguments)) == len(head.arguments) and rules[0].body:
            body = (Literal(head),)
            each = [Rule(item.atom, body) for item in positive(rules[0]).literals]
            yield from _with_terms(each, arguments, f"inverse_{number}")


def impossible(programs: Iterable[Rule]) -> Iterator[Rule]:
    """`contradiction :- q(X), not__q(X).` for every negated predicate."""
    negated = sorted({literal.atom.predicate for rule in programs for literal in rule.literals if not literal.positive})
    for predicate in negated:
        terms = tuple(Variable(f"X{number}") for number in range(predicate.arity))
        no = Atom(f"not__{predicate.name}", terms)
        yield Rule(CONTRADICTION, (Literal(Atom(predicate.name, terms)), Literal(no)))


def chase(rules: Iterable[Rule], facts: Iterable[Atom]) -> frozenset[Atom]:
    """What positive `rules` derive from ground `facts`, run by clingo, with terms nested a few levels deep."""
    program, start = Program(tuple(rules)), tuple(facts)
    known = {part for atom in start for term in atom.arguments for part in subterms(term)}
    while True:
        marks = [Atom("known__", (term,)) for term in sorted(known, key=str)]
        model = least_model(program, (*start, *marks))
        terms = {part for atom in model for term in atom.arguments for part in subterms(term)}
        fresh = {term for term in terms - known if _depth(term) < _ROUNDS}
        if not fresh:
            return model
        known |= fresh


def _depth(term: Term) -> int:
    return 1 + max(map(_depth, term.arguments), default=0) if isinstance(term, Function) else 0
