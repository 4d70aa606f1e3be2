"""The registry of checks: each is one function in a module of `hexlogic.ggp.check.checks`.

To add one, write the function there, with a broken sheet in `tests/ggp/broken` that it finds; nothing else names it.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Literal, TypeAlias

from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.finding import Finding

Looks: TypeAlias = Callable[[Examined], Iterator[Finding]]
Stage: TypeAlias = Literal["text", "games", "ground"]
STAGES: tuple[Stage, ...] = ("text", "games", "ground")

_CHECKS: dict[str, Check] = {}


@dataclass(frozen=True, slots=True)
class Check:
    """A check: its name, when it is run, and what it looks for, the first line of its docstring.

    The stages come one after the other. Those of `text` ask what is written; where they find an error the others make
    no sense. Those of `games` look at random games, those of `ground` at everything that the rules may bring.
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
    home = import_module("hexlogic.ggp.check.checks")
    for module in pkgutil.iter_modules(home.__path__):
        import_module(f"{home.__name__}.{module.name}")
    return tuple(_CHECKS[name] for name in sorted(_CHECKS))
