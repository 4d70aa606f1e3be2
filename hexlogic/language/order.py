"""gringo's order of ground terms, and comparisons decided by it."""

from __future__ import annotations

from typing import Any

from hexlogic.language.syntax import ComparisonOperator, Function, Integer, Symbol, Term


def order_key(term: Term) -> tuple[Any, ...]:
    """A key that sorts ground terms: integers, symbols, compound terms by arity, name and arguments.

    Raises ValueError when the term has a variable or arithmetic in it.
    """
    match term:
        case Integer(value):
            return (0, value)
        case Symbol(name):
            return (1, name)
        case Function(name, arguments):
            return (2, len(arguments), name, tuple(map(order_key, arguments)))
        case _:
            raise ValueError(f"{term} is not a value")


def compare(operator: ComparisonOperator, left: Term, right: Term) -> bool:
    """Whether the comparison of two values holds. Raises ValueError when one is not a value.

    >>> compare("<", Integer(7), Symbol("red"))
    True
    """
    one, two = order_key(left), order_key(right)
    match operator:
        case "=":
            return one == two
        case "!=":
            return one != two
        case "<":
            return one < two
        case "<=":
            return one <= two
        case ">":
            return one > two
        case ">=":
            return one >= two
