"""gringo text: the canonical text of the program, which clingo runs as it is."""

from __future__ import annotations

from hexlogic.logic.syntax import Program

__all__ = ["render"]


def render(program: Program) -> str:
    """The canonical text; it parses back to an equal program."""
    return str(program)
