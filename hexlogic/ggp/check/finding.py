"""A finding: what is wrong with a sheet, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from hexlogic.ggp.language.tree import Expression
from hexlogic.language.syntax import Place, Rule

Severity: TypeAlias = Literal["error", "warning"]


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
    """What some players cannot take, or what is likely to be a slip."""
    return Finding("warning", *_place(at), message, hint)


def _place(at: Expression | Place | Rule | None) -> tuple[int, int]:
    if isinstance(at, Rule):
        at = at.place
    return (1, 1) if at is None else (at.line, at.column)
