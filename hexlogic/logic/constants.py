"""`#const` names replaced by their values: what must be done before texts with constants of their own are put together.

#const cap = 2+2.  p(X) :- q(X), X <= cap.      becomes      p(X) :- q(X), X <= 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from hexlogic.errors import RuleSyntaxError
from hexlogic.logic.analysis.graph import Digraph
from hexlogic.logic.syntax import Arithmetic, Integer, Program, Symbol, Term
from hexlogic.logic.walk import map_term, map_terms, subterms

__all__ = ["constant_values", "fold", "replaced", "valued"]


def fold(term: Term) -> Term:
    """The term, when arithmetic over two integers, as its value; `/` truncates and `\\` takes the dividend's sign.

    A division by zero, which has no value, is left as it is.

    >>> print(fold(Arithmetic("/", Integer(-7), Integer(2))), fold(Arithmetic("\\\\", Integer(-7), Integer(2))))
    -3 -1
    """
    match term:
        case Arithmetic(operator, Integer(left), Integer(right)):
            match operator:
                case "+":
                    return Integer(left + right)
                case "-":
                    return Integer(left - right)
                case "*":
                    return Integer(left * right)
                case "/" | "\\":
                    if right == 0:
                        return term
                    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
                    return Integer(quotient if operator == "/" else left - quotient * right)
        case _:
            return term


def constant_values(program: Program) -> dict[str, Term]:
    """The value of each `#const`, which may be written in terms of others.

    Raises RuleSyntaxError for a name that is given two values and for one that is written in terms of itself.
    """
    values = dict(program.constants)
    if len(values) != len(program.constants):
        twice = sorted(name for name in values if [other for other, _ in program.constants].count(name) > 1)
        raise RuleSyntaxError(f"#const {twice[0]} has two values")
    uses = [
        (name, part.name, False)
        for name, value in values.items()
        for part in subterms(value)
        if isinstance(part, Symbol) and part.name in values
    ]
    for component in Digraph(uses, values).components():
        if len(component) > 1 or any((name, name, False) in uses for name in component):
            raise RuleSyntaxError(f"#const {min(component)} is written in terms of itself")
        for name in component:  # what it is written in terms of came before
            values[name] = map_term(values[name], replaced(values))
    return values


def replaced(values: Mapping[str, Term]) -> Callable[[Term], Term]:
    """What to do with each term, innermost first: names get their values, arithmetic over integers is carried out."""
    return lambda term: fold(values.get(term.name, term) if isinstance(term, Symbol) else term)


def valued(program: Program) -> Program:
    """The program without `#const`, and with arithmetic over integers carried out. It has the same models.

    >>> from hexlogic.logic.parser import parse
    >>> print(valued(parse("#const cap = 2+2. p(X) :- q(X), X <= cap.")), end="")
    p(X) :- q(X), X <= 4.
    """
    change = replaced(constant_values(program))
    return replace(program, rules=tuple(map_terms(rule, change) for rule in program.rules), constants=())
