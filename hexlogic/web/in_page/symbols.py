"""Ground terms as clingo writes them, read into the symbols of its Python module.

>>> symbol = read_symbol("'left'reach(red,f(-2))")
>>> symbol.name, [str(argument) for argument in symbol.arguments]
("'left'reach", ['red', 'f(-2)'])
>>> symbol.arguments[1].arguments[0].number
-2
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

_TOKEN: Final = re.compile(r"-?\d+|-?[_']*[a-z][\w']*|[(),]")


class SymbolType(Enum):
    """The kinds of terms that the rule language has."""

    Number = 1
    Function = 2


@dataclass(frozen=True, slots=True)
class Symbol:
    """A number, or a function with arguments; a constant is a function without arguments."""

    type: SymbolType
    name: str = ""
    arguments: tuple[Symbol, ...] = ()
    number: int = 0
    positive: bool = True

    def __str__(self) -> str:
        if self.type is SymbolType.Number:
            return str(self.number)
        arguments = f"({','.join(map(str, self.arguments))})" if self.arguments else ""
        return f"{'' if self.positive else '-'}{self.name}{arguments}"


def read_symbol(text: str) -> Symbol:
    """The symbol that clingo writes so."""
    waiting: list[list[Symbol]] = [[]]  # the arguments of each term that is open, the whole outermost
    names: list[str] = []
    tokens = _tokens(text)
    for token, following in tokens:
        if token == ")":
            arguments = tuple(waiting.pop())
            waiting[-1].append(_function(names.pop(), arguments))
        elif following == "(":
            names.append(token)
            waiting.append([])
        elif token not in "(,":
            waiting[-1].append(_constant(token))
    ((symbol,),) = waiting
    return symbol


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Each token with the one that follows it."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text:
        raise ValueError(f"{text!r} is no term of the rule language")
    return zip(tokens, [*tokens[1:], ""], strict=True)


@functools.lru_cache(maxsize=4096)
def _constant(token: str) -> Symbol:
    digits = token.removeprefix("-")
    return Symbol(SymbolType.Number, number=int(token)) if digits.isdecimal() else _function(token, ())


def _function(name: str, arguments: tuple[Symbol, ...]) -> Symbol:
    positive = not name.startswith("-")
    return Symbol(SymbolType.Function, name.removeprefix("-"), arguments, positive=positive)
