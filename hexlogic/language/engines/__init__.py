"""Engines, found by name: a module or package of this folder that defines `ENGINE` is an engine.

A module imports its heavy library inside methods, so that looking for engines is cheap.
"""

from __future__ import annotations

from hexlogic.language.engines.base import Answer, Follower, Session
from hexlogic.language.engines.engine import Engine
from hexlogic.registry import Registry

__all__ = ["Answer", "Engine", "Follower", "Session", "engine_names", "installed_engines", "load_engine"]

_ENGINES: Registry[Engine] = Registry(__name__, "ENGINE", "engine")


def engine_names() -> tuple[str, ...]:
    """The names of all engines, installed or not, sorted.

    >>> engine_names()[:1]
    ('clingo',)
    """
    return _ENGINES.names()


def load_engine(name: str) -> Engine:
    """The engine called `name`. Raises UnknownNameError; that it is installed is another question (`missing`)."""
    return _ENGINES.load(name)


def installed_engines() -> tuple[Engine, ...]:
    """The engines that can run here, by name."""
    return tuple(engine for engine in _ENGINES if engine.missing() is None)
