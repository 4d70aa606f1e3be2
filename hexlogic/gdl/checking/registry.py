"""The registry of checks: each is one function in a module of `hexlogic.gdl.checking.checks`.

To add one, write the function there, with a broken sheet in `tests/gdl/broken` that it finds; nothing else names it.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Literal, TypeAlias

from hexlogic.gdl.checking.examined import Examined
from hexlogic.gdl.checking.finding import Finding

__all__ = ["Check", "all_checks", "check"]

Looks: TypeAlias = Callable[[Examined], Iterator[Finding]]
Stage: TypeAlias = Literal["text", "games"]

_CHECKS: dict[str, Check] = {}


@dataclass(frozen=True, slots=True)
class Check:
    """A check: its name, when it is run, and what it looks for, the first line of its docstring.

    Those of the stage `text` ask what is written; those of the stage `games` play or ground the sheet, which makes
    sense only where the first found no error.
    """

    name: str
    stage: Stage
    look: Looks

    @property
    def summary(self) -> str:
        """What it looks for, in one line."""
        return (self.look.__doc__ or "").strip().split("\n")[0]


def check(name: str, stage: Stage = "text") -> Callable[[Looks], Looks]:
    """Register the function below under a name."""

    def register(look: Looks) -> Looks:
        _CHECKS[name] = Check(name, stage, look)
        return look

    return register


@cache
def all_checks() -> tuple[Check, ...]:
    """Every check, sorted by name."""
    home = import_module("hexlogic.gdl.checking.checks")
    for module in pkgutil.iter_modules(home.__path__):
        import_module(f"{home.__name__}.{module.name}")
    return tuple(_CHECKS[name] for name in sorted(_CHECKS))
