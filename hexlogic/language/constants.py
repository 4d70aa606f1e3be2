"""Values of ground terms as clingo has them: `#const` names replaced, arithmetic of 32 bits, gringo's order.

#const cap = 2+2.  p(X) :- q(X), X <= cap.      becomes      p(X) :- q(X), X <= 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import Final

from hexlogic.errors import RuleSyntaxError
from hexlogic.language.syntax import Arithmetic, ComparisonOperator, Function, Integer, Program, Symbol, Term
from hexlogic.language.walk import map_term, map_terms

LARGEST, SMALLEST = 2**31 - 1, -(2**31)
"""The integers of clingo; what leaves them comes in again at the other end."""
_COMPUTED: Final = {"+": add, "-": sub, "*": mul}
_COMPARED: Final = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


class ConstantError(RuleSyntaxError):
    """A `#const` that has no value or two values, or that would change another text."""

    def __init__(self, name: str, what: str, hint: str | None = None) -> None:
        super().__init__(f"#const {name} {what}", hint=hint)
        self.name = name


def fold(term: Term) -> Term:
    """The term, when arithmetic over two integers, as its value, by clingo's arithmetic of 32 bits; `/` truncates and
    `\\` takes the dividend's sign.

    A division that has no value is left as it is: by zero, and of the smallest integer by -1, which ends clingo.

    >>> print(fold(Arithmetic("/", Integer(-7), Integer(2))), fold(Arithmetic("\\\\", Integer(-7), Integer(2))))
    -3 -1
    >>> print(fold(Arithmetic("+", Integer(2147483647), Integer(1))))
    -2147483648
    """
    match term:
        case Arithmetic("+" | "-" | "*" as operator, Integer(left), Integer(right)):
            return Integer((_COMPUTED[operator](left, right) - SMALLEST) % 2**32 + SMALLEST)
        case Arithmetic(operator, Integer(left), Integer(right)) if right and (left, right) != (SMALLEST, -1):
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return Integer(quotient if operator == "/" else left - quotient * right)
        case _:
            return term


def constant_values(program: Program) -> dict[str, Term]:
    """The value of each `#const`, which may be written in terms of others. Raises ConstantError for a name that is
    given two values and for one that is written in terms of itself."""
    given, values = dict(program.constants), dict[str, Term]()
    names = [name for name, _ in program.constants]
    if len(given) != len(names):
        raise ConstantError(min(name for name in given if names.count(name) > 1), "has two values")

    def value(name: str, above: tuple[str, ...]) -> Term:
        if name in above:
            raise ConstantError(min(above[above.index(name) :]), "is written in terms of itself")
        if name not in values:
            inner = (*above, name)
            values[name] = map_term(
                given[name],
                lambda term: fold(value(term.name, inner) if isinstance(term, Symbol) and term.name in given else term),
            )
        return values[name]

    return {name: value(name, ()) for name in given}


def replaced(values: Mapping[str, Term]) -> Callable[[Term], Term]:
    """What to do with each term, innermost first: names get their values, arithmetic over integers is carried out."""
    return lambda term: fold(values.get(term.name, term) if isinstance(term, Symbol) else term)


def named_values(program: Program) -> Program:
    """The program with every `#const` name replaced by its value, arithmetic left as it is written. Raises as
    `constant_values` does.

    >>> from hexlogic.language.parser import parse
    >>> print(named_values(parse("#const n = m+1. #const m = 2. p(n+1).")), end="")
    p(3+1).
    """
    values = constant_values(program)
    rules = (
        map_terms(rule, lambda term: values.get(term.name, term) if isinstance(term, Symbol) else term)
        for rule in program.rules
    )
    return replace(program, rules=tuple(rules), constants=())


def valued(program: Program) -> Program:
    """The program without `#const`, and with arithmetic over integers carried out. It has the same models.

    >>> from hexlogic.language.parser import parse
    >>> print(valued(parse("#const cap = 2+2. p(X) :- q(X), X <= cap.")), end="")
    p(X) :- q(X), X <= 4.
    """
    change = replaced(constant_values(program))
    return replace(program, rules=tuple(map_terms(rule, change) for rule in program.rules), constants=())


def order_key(term: Term) -> tuple[object, ...]:
    """A key by which ground terms sort as in gringo. Raises ValueError for a variable or arithmetic."""
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
    return bool(_COMPARED[operator](order_key(left), order_key(right)))
