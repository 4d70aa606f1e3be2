"""Dialects: a program as the text that one tool reads. A new dialect is one module that defines `DIALECT`.

>>> from hexlogic.language.parser import parse
>>> "reach" in render(parse("reach(X) :- edge(X,Y)."), "prolog")
True
"""

from __future__ import annotations

from hexlogic.language.dialects.dialect import Dialect
from hexlogic.language.syntax import Program
from hexlogic.registry import Registry

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
