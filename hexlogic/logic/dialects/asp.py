"""gringo text: the canonical text of the program, which clingo runs as it is."""

from __future__ import annotations

from hexlogic.logic.dialects.dialect import Dialect
from hexlogic.logic.syntax import Program

__all__ = ["DIALECT", "render"]


def render(program: Program) -> str:
    """The canonical text; it parses back to an equal program."""
    return str(program)


DIALECT = Dialect(
    "asp",
    render,
    run="clingo FILE.lp{stones}",
    stones_file=" STONES.lp",
    keeps_order=False,
)
