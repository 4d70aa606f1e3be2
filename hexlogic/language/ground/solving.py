"""Solve a program in clingo's language in a child process with a time limit: clingo cannot be interrupted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexlogic.language.ground.control import grounded
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.limits import Limits

if TYPE_CHECKING:
    from hexlogic.language import Atom, Program


@dataclass(frozen=True, slots=True)
class Solved:
    """Whether there is a stable model, `rules` and `atoms` of the ground program, the shown atoms of the last model."""

    satisfiable: bool
    rules: int
    atoms: int
    shown: list[str]


def solve_isolated(text: str, limit_s: float) -> Solved | None:
    """What clingo finds; None when clingo takes more than `limit_s` wall seconds.

    Raises EngineError for a text that clingo refuses.
    """
    limits = Limits(cpu_s=limit_s + 10, wall_s=limit_s, memory_bytes=sys.maxsize)
    try:
        return call_isolated(solve, {"text": text}, limits)
    except Stopped:
        return None


def ground_size(program: Program, facts: Sequence[Atom], limit_s: float) -> Solved | None:
    """What clingo finds of the program with the input facts, integrity constraints left out: for its rules and atoms.
    None and EngineError as by `solve_isolated`."""
    return solve_isolated(str(program.without_constraints()) + "".join(f"{fact}.\n" for fact in facts), limit_s)


def solve(text: str) -> Solved:
    """As `solve_isolated`, in this process.

    >>> solve("a. b :- a, not c. {c}. :- not c. #show c/0.")
    Solved(satisfiable=True, rules=3, atoms=2, shown=['c'])
    """
    shown: list[str] = []
    control, _ = grounded(text, "--warn=none", "--stats")
    found = control.solve(on_model=lambda model: shown.extend(map(str, model.symbols(shown=True))))
    size = control.statistics["problem"]["lp"]
    return Solved(bool(found.satisfiable), int(size["rules"]), int(size["atoms"]), shown)
