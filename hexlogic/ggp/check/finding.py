"""Findings, and the registry of the checks that make them.

A check is a function in a module of `hexlogic.ggp.check.checks`, named in the module's `CHECKS`. To add one, write it
there, with a broken sheet in `tests/ggp/broken` that it finds; nothing else names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias

from hexlogic.ggp.language.expressions import Expression
from hexlogic.language.syntax import Place, Rule
from hexlogic.registry import Registry

if TYPE_CHECKING:
    from hexlogic.ggp.check.examined import Examined

Severity: TypeAlias = Literal["error", "warning"]
Stage: TypeAlias = Literal["text", "games", "ground"]
STAGES: tuple[Stage, ...] = ("text", "games", "ground")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. `check` and `file` are filled in where the check is run; lines and columns count from 1.

    >>> print(Finding("warning", 3, 1, "no rule says what `dark` is", None, "undefined", "lights.kif"))
    lights.kif:3:1: warning: no rule says what `dark` is
    """

    kind: Severity
    line: int
    column: int
    message: str
    hint: str | None = None
    check: str = ""
    file: str = ""

    def __str__(self) -> str:
        marked = self.message if self.kind == "error" else f"{self.kind}: {self.message}"
        text = f"{self.file}:{self.line}:{self.column}: {marked}"
        return f"{text} ({self.hint})" if self.hint else text


def error(at: Expression | Place | Rule | None, message: str, hint: str | None = None) -> Finding:
    """What a sheet must not be; without a place of its own it stands at the beginning of the text."""
    return Finding("error", *_place(at), message, hint)


def warning(at: Expression | Place | Rule | None, message: str, hint: str | None = None) -> Finding:
    """What some players cannot take, or what is likely to be a mistake."""
    return Finding("warning", *_place(at), message, hint)


def _place(at: Expression | Place | Rule | None) -> tuple[int, int]:
    if isinstance(at, Rule):
        at = at.place
    return (1, 1) if at is None else (at.line, at.column)


@dataclass(frozen=True, slots=True)
class Check:
    """A check: the function that looks for mistakes, and when it is run.

    The stages come one after the other. Those of `text` ask what is written; where they find an error the others make
    no sense. Those of `games` look at random games, those of `ground` at everything that the rules may bring.
    """

    look: Callable[[Examined], Iterator[Finding]]
    stage: Stage

    @property
    def name(self) -> str:
        """Its name, that of the function."""
        return self.look.__name__

    @property
    def summary(self) -> str:
        """What it looks for: the first line of its docstring."""
        return (self.look.__doc__ or "").strip().split("\n")[0]


def checks(stage: Stage, *looks: Callable[[Examined], Iterator[Finding]]) -> tuple[Check, ...]:
    """The checks that these functions are, for the `CHECKS` of a module."""
    return tuple(Check(look, stage) for look in looks)


_MODULES: Registry[tuple[Check, ...]] = Registry("hexlogic.ggp.check.checks", "CHECKS", "module of checks")


@cache
def all_checks() -> tuple[Check, ...]:
    """Every check, sorted by name."""
    return tuple(sorted(chain.from_iterable(_MODULES), key=lambda check: check.name))
