"""Engine adapters, found by discovery: a module of this package that defines `ENGINE` is an engine.

Its module name is the engine's name. A module imports its heavy library inside methods, so looking is cheap.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

from hexlogic.engines.base import Answer, Engine, Follower, Session
from hexlogic.errors import UnknownNameError

__all__ = ["Answer", "Engine", "Follower", "Session", "engine_names", "installed_engines", "load_engine"]


@functools.cache
def _engines() -> dict[str, Engine]:
    found: dict[str, Engine] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        engine = getattr(importlib.import_module(f"{__name__}.{module.name}"), "ENGINE", None)
        if isinstance(engine, Engine):
            found[engine.name] = engine
    return found


def engine_names() -> tuple[str, ...]:
    """The names of all engines, installed or not, sorted.

    >>> engine_names()[:1]
    ('clingo',)
    """
    return tuple(_engines())


def load_engine(name: str) -> Engine:
    """The engine called `name`. Raises UnknownNameError; that it is installed is another question (`missing`)."""
    engine = _engines().get(name)
    if engine is None:
        raise UnknownNameError.among("engine", name, list(engine_names()))
    return engine


def installed_engines() -> tuple[Engine, ...]:
    """The engines that can run here, by name."""
    return tuple(engine for engine in _engines().values() if engine.missing() is None)
