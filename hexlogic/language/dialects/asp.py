"""gringo text: the canonical text of the program, which clingo runs as it is."""

from __future__ import annotations

from hexlogic.language.dialects import Dialect
from hexlogic.language.syntax import Program


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
