"""Dialects: print a program as the text that a tool reads. A new dialect is one module that defines `DIALECT`.

>>> from hexlogic.language.parser import parse
>>> "reach" in render(parse("reach(X) :- edge(X,Y)."), "prolog")
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hexlogic.language.syntax import Program
from hexlogic.registry import Registry


@dataclass(frozen=True, slots=True)
class Dialect:
    """A text that one tool reads. `render` raises HexlogicError for a program that has no text in the dialect."""

    name: str
    render: Callable[[Program], str]
    comment: str = "%"
    """What begins a comment."""
    run: str | None = None
    """The command that runs the text in FILE and asks for the winner; `{stones}` stands for a second file."""
    stones: str = "write them as owns(red,1). owns(blue,2). ..."
    """How to add the stones to a text without any."""
    stones_file: str = ""
    """The second file of `run`, with a space before it; empty where stones are added to FILE."""
    reads_inputs: bool = False
    """Whether the tool looks for a file of facts for each declared input."""
    describes_games: bool = False
    """Whether game descriptions are written in it."""
    keeps_order: bool = True
    """Whether the tool takes body literals in the order of the text, so that the order must bind each variable."""


__all__ = ["Dialect", "dialects", "load_dialect", "render"]

_DIALECTS: Registry[Dialect] = Registry(__name__, "DIALECT", "dialect")


def dialects() -> tuple[str, ...]:
    """The names of all dialects, sorted."""
    return _DIALECTS.names()


def load_dialect(name: str) -> Dialect:
    """The dialect of that name. Raises UnknownNameError."""
    return _DIALECTS.load(name)


def render(program: Program, dialect: str) -> str:
    """The text of `program` in `dialect`. Raises UnknownNameError for a dialect that does not exist.

    >>> from hexlogic import parse, render
    >>> print(render(parse("reach(X,Y) :- edge(X,Y), not cut(X)."), "gdl"), end="")
    (<= (reach ?x ?y)
        (edge ?x ?y)
        (not (cut ?x)))
    """
    return load_dialect(dialect).render(program)
