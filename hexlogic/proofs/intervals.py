"""Write rules so that they can be frozen.

index(1..rows).                 becomes      index(V) :- 1 <= V, V <= rows.      one value and not all of them
pair(X,Y) :- owns(P,X), X = Y.  becomes      pair(Y,Y) :- owns(P,Y).             one element and not two that are equal
"""

from collections.abc import Collection

from hexlogic.language import Arithmetic, Comparison, Integer, Interval, Program, Rule, Symbol, Term, Variable
from hexlogic.language.names import fresh_variables
from hexlogic.language.walk import map_terms, rule_variables, substitute, subterms
from hexlogic.proofs.joint import at_rule


def without_intervals(program: Program, sizes: Collection[Symbol] = ()) -> Program:
    """The program with each interval of a fact's head written as two comparisons.

    `sizes` are the symbols that stand for integers. Raises HexlogicError, with the place, for an interval whose ends
    are not made of integers and sizes, or that is not in a fact.

    >>> from hexlogic.language.parser import parse
    >>> print(without_intervals(parse("index(1..4).")), end="")
    index(V) :- 1 <= V, V <= 4.
    """
    return program.with_rules(tuple(_without(rule, sizes) for rule in program.rules))


def without_equations(program: Program) -> Program:
    """The program with `X = t` carried out in rules, where X is a variable and t a variable, a name or an integer.

    >>> from hexlogic.language.parser import parse
    >>> print(without_equations(parse("p(X,Y) :- q(X), X = Y. r(X) :- X = red, q(X).")), end="")
    p(Y,Y) :- q(Y).
    r(red) :- q(red).
    """
    return program.with_rules(tuple(map(_without_equation, program.rules)))


def _without_equation(rule: Rule) -> Rule:
    for place, item in enumerate(rule.body):
        if isinstance(item, Comparison) and item.operator == "=":
            for variable, term in ((item.left, item.right), (item.right, item.left)):
                if isinstance(variable, Variable) and isinstance(term, Variable | Symbol | Integer):
                    rest = rule.with_body((*rule.body[:place], *rule.body[place + 1 :]))
                    return _without_equation(substitute(rest, {variable: term}))
    return rule


def with_intervals(program: Program) -> Program:
    """The program that `without_intervals` was given, so that clingo can run it.

    >>> from hexlogic.language.parser import parse
    >>> print(with_intervals(without_intervals(parse("index(1..4)."))), end="")
    index(1..4).
    """
    return program.with_rules(tuple(_with(rule) for rule in program.rules))


def _with(rule: Rule) -> Rule:
    ends = [item for item in rule.body if isinstance(item, Comparison) and item.operator == "<="]
    if not ends or rule.head is None or len(ends) < len(rule.body):
        return rule
    pairs = zip(ends[::2], ends[1::2], strict=False)
    values: dict[Term, Term] = {
        low.right: Interval(low.left, high.right) for low, high in pairs if low.right == high.left
    }
    return Rule(map_terms(Rule(rule.head), lambda term: values.get(term, term)).head, (), rule.place)


def _without(rule: Rule, sizes: Collection[Symbol]) -> Rule:
    fresh = iter(fresh_variables("V", rule_variables(rule)))
    body: list[Comparison] = []

    def replace(term: Term) -> Term:
        if not isinstance(term, Interval):
            return term
        for part in (*subterms(term.low), *subterms(term.high)):
            if not (isinstance(part, Integer | Arithmetic) or part in sizes):
                raise at_rule(rule, f"{part} is no integer, at an end of an interval")
        value: Variable = next(fresh)
        body.extend((Comparison("<=", term.low, value), Comparison("<=", value, term.high)))
        return value

    plain = map_terms(rule, replace)
    if body and rule.body:
        raise at_rule(rule, "an interval outside a fact")
    return plain if not body else Rule(plain.head, tuple(body), rule.place)
