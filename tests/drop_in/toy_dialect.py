"""Toy text: the canonical text with comments in the manner of Ada."""

from __future__ import annotations

from hexlogic.language.dialects import Dialect
from hexlogic.language.syntax import Program


def render(program: Program) -> str:
    """The canonical text."""
    return str(program)


DIALECT = Dialect("toy", render, comment="--", run="toy FILE")
