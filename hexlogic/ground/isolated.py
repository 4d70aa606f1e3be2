"""Solve a program in clingo's language in a child process with a time limit: clingo cannot be interrupted."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

from hexlogic.errors import EngineError
from hexlogic.process.guard import guarded

__all__ = ["Solved", "solve_isolated"]

_CHILD = """
import json, sys, clingo
control = clingo.Control(["--warn=none", "--stats"])
control.add("base", [], sys.stdin.read())
control.ground([("base", [])])
shown = []
found = bool(control.solve(on_model=lambda model: shown.extend(map(str, model.symbols(shown=True)))).satisfiable)
program = control.statistics["problem"]["lp"]
size = {key: int(program[key]) for key in ("rules", "atoms")}
print(json.dumps({"satisfiable": found, "shown": shown, **size}))
"""


@dataclass(frozen=True, slots=True)
class Solved:
    """Whether there is a stable model, `rules` and `atoms` of the ground program, the shown atoms of the model."""

    satisfiable: bool
    rules: int
    atoms: int
    shown: list[str]


def solve_isolated(text: str, limit_s: float) -> Solved | None:
    """What clingo finds; None when clingo takes more than `limit_s` wall seconds. Raises EngineError."""
    try:
        done = subprocess.run(
            guarded([sys.executable, "-c", _CHILD], cpu_s=limit_s + 10),
            input=text,
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode or not done.stdout:
        raise EngineError(f"clingo: {' '.join(done.stderr.split())[-300:] or 'ended without an answer'}")
    return Solved(**json.loads(done.stdout))
