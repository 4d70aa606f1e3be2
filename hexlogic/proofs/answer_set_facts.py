"""Proofs of rewritings that rest on what holds in every answer set of the program around them.

- *values*: a predicate has at most one value for the other arguments in every answer set. So it has another value than
  a given one just when it has some value and not the given one; and two values of it never differ. For bodies of which
  only the truth in an answer set counts.
- *division*: the integers X that Y divides are the products of Y and the integers between the quotients of the least
  and the greatest X. That X and Y are arguments of facts makes the auxiliary predicates the same in every answer set.
"""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.language import (
    Arithmetic,
    Atom,
    BodyLiteral,
    Comparison,
    Integer,
    Literal,
    Rule,
    Symbol,
    Term,
    Variable,
)
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.functional import Dependency, chased
from hexlogic.language.names import fresh_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import rule_variables, subterms, variables
from hexlogic.proofs.rewriting import named_apart, subsume_each_other, turned


def division_proof(rule: Rule, rules: Sequence[Rule], context: RuleContext) -> bool:
    """Whether the last of three rules is the given one with `multiple(Y,X)` for `X\\Y = 0`.

    The first two must be `span(Low,High) :- Low = #min { X+0 : p(X) }, High = #max { X+0 : p(X) }.` and
    `multiple(Y,Y*(Low/Y..High/Y;High/Y..Low/Y)) :- q(Y), span(Low,High).` as text, where `p(X)` and `q(Y)` stand in the
    body with perhaps other variables in place of `_`, and have facts only.
    """
    if len(rules) != 3 or rules[2].head != rule.head or any(rule.head is None for rule in rules[:2]):
        return False
    gone = [item for item in rule.body if item not in rules[2].body]
    come = [item for item in rules[2].body if item not in rule.body]
    atoms = {
        _with_open(item.atom, name): name
        for item in rule.body
        if isinstance(item, Literal) and item.positive and item.atom.predicate in context.facts
        for name in item.atom.arguments
        if isinstance(name, Variable)
    }
    match gone, come:
        case [Comparison("=", left, right)], [Literal(Atom(multiple, (Variable() as divisor, Variable() as dividend)))]:
            test = Arithmetic("\\", dividend, divisor)
        case _:
            return False
    if {left, right} != {test, Integer(0)} or {dividend.name, divisor.name} & {"Low", "High"} or dividend == divisor:
        return False
    span, quotients = str(rules[0].head), f"Low/{divisor}..High/{divisor};High/{divisor}..Low/{divisor}"
    spans = {
        f"{span} :- Low = #min {{ {name}+0 : {atom} }}, High = #max {{ {name}+0 : {atom} }}."
        for atom, name in atoms.items()
        if name == dividend
    }
    multiples = {
        f"{multiple}({name},{name}*({quotients})) :- {atom}, {span}." for atom, name in atoms.items() if name == divisor
    }
    return span.endswith("(Low,High)") and str(rules[0]) in spans and str(rules[1]) in multiples


def _with_open(atom: Atom, name: Variable) -> Atom:
    """The atom with `_` for every argument with variables but one."""
    return Atom(atom.name, tuple(t if t == name or not variables(t) else Symbol("_") for t in atom.arguments))


def values_proof(rule: Rule, rules: Sequence[Rule], context: RuleContext) -> bool:
    """Whether a body with `not p(K,t)` and `p(K,_)` is true in the same answer sets as one with `p(K,V)` and `V != t`.

    `rules` are the new form of the rule alone. `context.answer_set_dependencies` are the dependencies to rely on.
    """
    if len(rules) != 1 or rules[0].head != rule.head or unsafe_variables(rules[0]):
        return False
    new = rules[0]
    body: list[BodyLiteral] = list(new.body)
    names = iter(fresh_variables("Value", rule_variables(rule) | rule_variables(new)))
    for item in new.body:
        if not isinstance(item, Literal) or item.positive or item in rule.body:
            continue
        place = _value_place(item, body, context)
        if place is None:
            return False
        name, arguments = next(names), item.atom.arguments
        some = Literal(_with_argument(item, place, Symbol("_")))
        value = Literal(_with_argument(item, place, name))
        body = [value if one == some else one for one in body if one != item]
        body.append(Comparison("!=", name, arguments[place]))
    before, after = (named_apart(turned(rule.with_body(tuple(one)))) for one in (rule.body, body))
    return subsume_each_other(before, after)


def is_never_true(rule: Rule, determined: Sequence[Dependency]) -> bool:
    """Whether a body says of the only value that a predicate has that it differs from itself.

    The dependencies must hold in every answer set.
    """
    whole = chased(named_apart(rule), determined)
    apart = (item for item in whole.body if isinstance(item, Comparison) and item.operator in ("!=", "<", ">"))
    return any(item.left == item.right for item in apart)


def _value_place(negated: Literal, body: Sequence[BodyLiteral], context: RuleContext) -> int | None:
    """The argument that the others determine, and with `_` for which the atom stands in the body."""
    atom = negated.atom
    for dependency in context.answer_set_dependencies:
        place = dependency.value
        if dependency.predicate != atom.predicate or place in dependency.key:
            continue
        rest = [term for number, term in enumerate(atom.arguments) if number != place]
        if Literal(_with_argument(negated, place, Symbol("_"))) in body and not any(map(_is_open, rest)):
            return place
    return None


def _with_argument(literal: Literal, place: int, term: Term) -> Atom:
    arguments = literal.atom.arguments
    return Atom(literal.atom.name, (*arguments[:place], term, *arguments[place + 1 :]))


def _is_open(term: Term) -> bool:
    return any(part == Symbol("_") for part in subterms(term))
