"""Dialect printers: a program as the text that one tool reads. A new dialect is one module with a `render`.

>>> from hexlogic.logic.parser import parse
>>> "reach" in render(parse("reach(X) :- edge(X,Y)."), "prolog")
True
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable

from hexlogic.errors import UnknownNameError
from hexlogic.logic.syntax import Program

__all__ = ["dialects", "render"]


@functools.cache
def _printers() -> dict[str, Callable[[Program], str]]:
    found: dict[str, Callable[[Program], str]] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        printer = getattr(importlib.import_module(f"{__name__}.{module.name}"), "render", None)
        if printer is not None:
            found[module.name] = printer
    return found


def dialects() -> tuple[str, ...]:
    """The names of all dialects, sorted."""
    return tuple(_printers())


def render(program: Program, dialect: str) -> str:
    """The text of `program` in `dialect`. Raises UnknownNameError for a dialect that there is not."""
    printer = _printers().get(dialect)
    if printer is None:
        raise UnknownNameError.among("dialect", dialect, list(dialects()))
    return printer(program)
