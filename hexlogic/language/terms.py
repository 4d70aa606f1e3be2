"""The terms of the rule language: frozen values, equal when their text is equal.

Term       = Variable | Integer | Symbol | Function | Arithmetic | Interval
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias

ArithmeticOperator: TypeAlias = OneOf["+", "-", "*", "/", "\\", "abs"]


@dataclass(frozen=True, slots=True, order=True)
class Variable:
    """A variable; its name begins with a capital letter or an underscore. Variables are sorted by name."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer constant."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbolic constant such as `red`; also a `#const` name until it is replaced by its value."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Function:
    """A compound term `name(arguments)`, such as `visited(12,nil)`."""

    name: str
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(str, self.arguments))})"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """An integer expression `left operator right`; `/` truncates and `\\` is the remainder, as in gringo.

    With the operator `abs`, which only programs of clingo's whole language have, it is `|left|`.
    """

    operator: ArithmeticOperator
    left: Term
    right: Term

    def __str__(self) -> str:
        if self.operator == "abs":
            return f"|{self.left}|"
        binding = _PRECEDENCE[self.operator]
        left = f"({self.left})" if _precedence(self.left) < binding else str(self.left)
        right = f"({self.right})" if _precedence(self.right) <= binding else str(self.right)
        return f"{left}{self.operator}{right}"


@dataclass(frozen=True, slots=True)
class Interval:
    """All integers from `low` to `high`, both included; allowed in facts only."""

    low: Term
    high: Term

    def __str__(self) -> str:
        low, high = (f"({end})" if isinstance(end, Interval) else str(end) for end in (self.low, self.high))
        return f"{low}..{high}"


Term: TypeAlias = Variable | Integer | Symbol | Function | Arithmetic | Interval


_PRECEDENCE: dict[ArithmeticOperator, int] = {"+": 1, "-": 1, "*": 2, "/": 2, "\\": 2, "abs": 3}


def _precedence(term: Term) -> int:
    match term:
        case Interval():
            return 0
        case Arithmetic(operator, _, _):
            return _PRECEDENCE[operator]
        case Integer(value) if value < 0:
            return 1  # on the right of any operator a sign needs parentheses
        case _:
            return 3
