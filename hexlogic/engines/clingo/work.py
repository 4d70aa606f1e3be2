"""The work of clingo on a program, counted: the size of the ground program."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.ground.solving import Solved, solve_isolated
from hexlogic.logic import Atom, Program

__all__ = ["ground_size"]


def ground_size(program: Program, facts: Sequence[Atom], limit_s: float) -> Solved | None:
    """Ground rules and atoms of the program with the input facts; None when the limit does not suffice.

    Integrity constraints are left out. Raises EngineError when clingo refuses the program.
    """
    return solve_isolated(str(program.without_constraints()) + "".join(f"{fact}.\n" for fact in facts), limit_s)
