"""Dialects: a program as the text that one tool reads. A new dialect is one module that defines `DIALECT`.

>>> from hexlogic.logic.parser import parse
>>> "reach" in render(parse("reach(X) :- edge(X,Y)."), "prolog")
True
"""

from __future__ import annotations

from hexlogic.logic.dialects.dialect import Dialect
from hexlogic.logic.syntax import Program
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
    """The text of `program` in `dialect`. Raises UnknownNameError for a dialect that does not exist."""
    return load_dialect(dialect).render(program)
