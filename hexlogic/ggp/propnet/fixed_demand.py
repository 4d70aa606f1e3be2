"""Relations narrowed to what is asked for, where no state changes what that is.

    stones(red,P) :- count(a1,b1,red,P).            demand_count(a1,b1,red).
    count(X,Y,Z,all) :- at(X,Z), at(Y,Z).           count(X,Y,Z,all) :- demand_count(X,Y,Z), at(X,Z), at(Y,Z).

Demand is what the literals say that depend on no state, so it is gone from the ground rules: only those that nobody
asks for are missing. (The pass `magic` also asks by state, and its demand then stays in every ground rule.)
Source: the supplementary relations of Beeri and Ramakrishnan 1987, over the part of a body that is fixed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import prod

from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.dependence import dependency_graph, recursive_predicates
from hexlogic.language.names import internal_name
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.walk import is_ground, variables

_GAIN = 0.5
"""A relation is narrowed when less than this part of it is asked for."""
_MOST = 1e6
"""Estimated answers of a join up to which it says what is asked for."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A literal of a rule, and what the rule says beside it that depends on no state."""

    atom: Atom
    fixed: tuple[BodyLiteral, ...]


def with_fixed_demand(opened: OpenedSheet, context: RuleContext, whole: Collection[Predicate] = ()) -> Program:
    """The rules with guards, callers before those they call; the relations `whole` stay as they are. `context` learns
    the sizes of what is narrowed."""
    program = opened.program
    fixed = frozenset[Predicate]().union(*opened.phases[0])
    left = {*whole, *recursive_predicates(program), *program.inputs, *frozenset[Predicate]().union(*opened.asked)}
    rules = list(program.rules)
    for phase in reversed(opened.phases):
        for component in reversed(phase):
            for predicate in component - left:
                if any(rule.body for rule in program.defining(predicate)):
                    rules = _narrowed(rules, predicate, fixed, context)
    return program if tuple(rules) == program.rules else program.with_rules(tuple(rules))


def _narrowed(rules: list[Rule], predicate: Predicate, fixed: frozenset[Predicate], context: RuleContext) -> list[Rule]:
    """The rules with a guard for one relation; the same where it does not pay."""
    # What depends on the relation cannot say what is asked of it: by a negation it would depend on itself.
    fixed -= dependency_graph(Program(tuple(rules))).above([predicate])
    calls = [
        _Call(item.atom, tuple(other for other in rule.body if other is not item and _is_fixed(other, fixed)))
        for rule in rules
        for item in rule.literals
        if item.atom.predicate == predicate
    ]
    places = [place for place in range(predicate.arity) if calls and all(_binds(call, place) for call in calls)]
    if not places:
        return rules
    head = Predicate(internal_name("demand", predicate.name), len(places))
    asked, statistics = list[Rule](), context.statistics
    expected = 0.0
    for call in calls:
        terms = tuple(call.atom.arguments[place] for place in places)
        wanted = _variables(terms)
        body = _binding(call.fixed, wanted)
        asked.append(Rule(Atom(head.name, terms), body))
        if unsafe_variables(asked[-1]) or statistics.answers(body) > _MOST:
            return rules
        expected += statistics.projected(body, wanted)
    whole = prod(statistics.column(predicate, place) for place in places)
    if expected > whole * _GAIN:
        return rules
    made = list(dict.fromkeys(asked))
    statistics.sizes[predicate] = statistics.size(predicate) * expected / whole
    statistics.sizes[head] = expected
    for rule in rules:
        if rule.head is not None and rule.head.predicate == predicate and rule.body:
            guard = Literal(Atom(head.name, tuple(rule.head.arguments[place] for place in places)))
            rule = rule.with_body((guard, *rule.body))
        made.append(rule)
    return made


def _is_fixed(item: BodyLiteral, fixed: frozenset[Predicate]) -> bool:
    return isinstance(item, Literal) and item.positive and item.atom.predicate in fixed


def _binds(call: _Call, place: int) -> bool:
    """Whether what is fixed says which terms stand in an argument place of the call."""
    term = call.atom.arguments[place]
    return is_ground(term) or variables(term) <= _variables(call.fixed)


def _binding(items: tuple[BodyLiteral, ...], wanted: frozenset[Variable]) -> tuple[BodyLiteral, ...]:
    """The literals that speak of the wanted variables."""
    return tuple(item for item in items if not isinstance(item, Comparison) and variables(item) & wanted)


def _variables(items: Iterable[BodyLiteral | Term]) -> frozenset[Variable]:
    return frozenset[Variable]().union(*map(variables, items))
