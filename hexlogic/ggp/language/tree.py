"""Text in KIF or HRF as words, and lists of words and lists, before they are read as rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.errors import RuleSyntaxError

DEEPEST = 100
"""Lists may stand inside each other this deep."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word: a variable when it begins with `?`."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Form:
    """A list; `depth` is 1 when there is no list in it."""

    items: tuple[Expression, ...]
    line: int
    column: int
    depth: int


Expression: TypeAlias = Word | Form


def form(items: tuple[Expression, ...], line: int, column: int) -> Form:
    """The list of `items`. Raises RuleSyntaxError for one that is nested too deep."""
    depth = 1 + max((item.depth for item in items if isinstance(item, Form)), default=0)
    if depth > DEEPEST:
        raise RuleSyntaxError(f"lists are nested more than {DEEPEST} deep", line=line, column=column)
    return Form(items, line, column, depth)


def words(expression: Expression) -> Iterator[Word]:
    """Every word, in text order."""
    if isinstance(expression, Word):
        yield expression
    else:
        for item in expression.items:
            yield from words(item)


def wrong(message: str, at: Expression, hint: str | None = None) -> RuleSyntaxError:
    """The error of an expression, with its place."""
    return RuleSyntaxError(message, line=at.line, column=at.column, hint=hint)
