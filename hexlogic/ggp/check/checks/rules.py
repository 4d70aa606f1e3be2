"""What is no rule, all of it and not the first one only; and what a rule must be: safe, stratified, without terms that
grow in recursion."""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.errors import ArityError, HexlogicError
from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.finding import Finding, error
from hexlogic.ggp.check.registry import check
from hexlogic.language.analysis.dependence import dependency_graph
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.dialects.gdl_words import variable_word, word_of
from hexlogic.language.syntax import Comparison, Rule, Variable
from hexlogic.language.walk import is_ground, rule_variables, variables


@check("syntax")
def syntax(sheet: Examined) -> Iterator[Finding]:
    """Each expression is a fact or a rule, and words of GDL have their arguments."""
    return (_finding(refusal) for refusal in sheet.refused if not isinstance(refusal, ArityError))


@check("arity")
def arity(sheet: Examined) -> Iterator[Finding]:
    """A relation has one arity."""
    return (_finding(refusal) for refusal in sheet.refused if isinstance(refusal, ArityError))


def _finding(refusal: HexlogicError) -> Finding:
    return Finding("error", refusal.line or 1, refusal.column or 1, refusal.message, refusal.hint)


@check("safety")
def safety(sheet: Examined) -> Iterator[Finding]:
    """Each variable stands in a positive literal of the body."""
    for rule in sheet.program.rules:
        if loose := _loose(rule) - _equated(rule):
            yield error(rule, f"{_named(loose)} in no positive literal of the body", "that is where values come from")


@check("equality")
def equality(sheet: Examined) -> Iterator[Finding]:
    """`(not (distinct ...))` compares what other literals bind: it gives no variable a value."""
    for rule in sheet.program.rules:
        if loose := _loose(rule) & _equated(rule):
            yield error(
                rule, f"{_named(loose)} in `(not (distinct ...))` and in no positive literal", "it only compares"
            )


def _loose(rule: Rule) -> frozenset[Variable]:
    """The variables that no positive literal has."""
    return rule_variables(rule).difference(*(variables(item) for item in rule.literals if item.positive))


def _equated(rule: Rule) -> frozenset[Variable]:
    sides = [variables(item) for item in rule.body if isinstance(item, Comparison) and item.operator == "="]
    return frozenset().union(*sides)


def _named(found: frozenset[Variable]) -> str:
    names = sorted(variable_word(variable.name) for variable in found)
    return f"{' and '.join(names)} stand{'s' if len(names) == 1 else ''}"


@check("stratification")
def stratification(sheet: Examined) -> Iterator[Finding]:
    """No relation depends on its own negation."""
    for rule in sheet.program.rules:
        assert rule.head is not None
        head = rule.head.predicate
        circle = sheet.circles.get(head, frozenset())
        for literal in rule.literals:
            if not literal.positive and literal.atom.predicate in circle:
                path = dependency_graph(sheet.program).path(literal.atom.predicate, head)
                names = [f"not {word_of(path[0].name)}", *(word_of(step.name) for step in path[1:])]
                cycle = " -> ".join([word_of(head.name), *names])
                yield error(rule, f"`{word_of(head.name)}` depends on its own negation", cycle)


@check("recursion")
def recursion(sheet: Examined) -> Iterator[Finding]:
    """In recursion no term is new: the recursion restriction of GDL.

    Each argument of a recursive literal is ground, or an argument of the head, or an argument of another positive
    literal, of a relation that is not recursive with the head.
    """
    for rule in sheet.program.rules:
        assert rule.head is not None
        circle = sheet.circles.get(rule.head.predicate, frozenset())
        positive = [literal.atom for literal in rule.literals if literal.positive]
        outside = {term for atom in positive if atom.predicate not in circle for term in atom.arguments}
        for atom in (atom for atom in positive if atom.predicate in circle):
            for term in atom.arguments:
                if not is_ground(term) and term not in outside and term not in rule.head.arguments:
                    what = f"{write_term(term)} in the recursive `{word_of(atom.name)}` may be anything"
                    yield error(rule, what, "it must be in the head, or an argument of a literal that is not recursive")
