"""What clingo has to do for a program: CPU seconds and size of grounding, sizes of relations, and solving if asked.

Each program runs in a child process of its own under limits, as clingo cannot be interrupted.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from hexlogic.logic import Predicate
from hexlogic.passes.statistics import Statistics
from hexlogic.process.guard import guarded

__all__ = ["Measured", "Unmeasured", "measure_text", "run_child"]

_MEMORY_BYTES = 4 << 30
_PATIENCE = 6.0
"""Wall seconds for each CPU second of a limit, and for the start."""

_CHILD = """
import json, resource, sys, time
asked = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_AS, (asked["memory"], asked["memory"]))
import clingo
if asked["scripts"]:
    from clingo.script import enable_python
    enable_python()
options = ["--warn=none", "--stats"] + ([] if asked["solve"] else ["--solve-limit=0", "--eq=0", "--sat-prepro=no"])
control = clingo.Control(options)
control.add("base", [], asked["text"])
begin = time.process_time()
control.ground([("base", [])])
grounded = time.process_time()
sizes, columns = {}, {}
if asked["sizes"]:
    for name, arity, positive in control.symbolic_atoms.signatures:
        key = ("" if positive else "-") + name + "/" + str(arity)
        values = [set() for _ in range(arity)]
        size = 0
        for atom in control.symbolic_atoms.by_signature(name, arity, positive):
            size += 1
            if size <= 50000:
                for place, argument in enumerate(atom.symbol.arguments):
                    values[place].add(argument)
        sizes[key], columns[key] = size, [len(found) for found in values]
before = time.process_time()
control.solve()
solved = time.process_time() - before
program = control.statistics["problem"]["lp"]
print(json.dumps({"ground_cpu_s": grounded - begin, "solve_cpu_s": solved if asked["solve"] else None,
    "rules": int(program["rules"]), "atoms": int(program["atoms"]), "sizes": sizes, "columns": columns}))
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """CPU seconds of grounding and, if asked for, of solving; ground rules and atoms; sizes if asked for."""

    ground_cpu_s: float
    solve_cpu_s: float | None
    rules: int
    atoms: int
    statistics: Statistics

    @property
    def size(self) -> int:
        """Ground rules and atoms."""
        return self.rules + self.atoms

    @property
    def cpu_s(self) -> float:
        """All CPU seconds measured."""
        return self.ground_cpu_s + (self.solve_cpu_s or 0.0)


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """Why there is no measurement; `is_slow` where the limit was the reason."""

    reason: str
    is_slow: bool = False


def measure_text(
    text: str, limit_s: float, *, solve: bool = False, sizes: bool = False, scripts: bool = False
) -> Measured | Unmeasured:
    """Ground a program, solve it too if asked to, within `limit_s` CPU seconds and 4 GiB of memory.

    `scripts` lets its Python scripts run; without it a program with scripts is refused by clingo.
    """
    asked = {"text": text, "solve": solve, "sizes": sizes, "scripts": scripts, "memory": _MEMORY_BYTES}
    found = run_child(_CHILD, asked, limit_s)
    if isinstance(found, Unmeasured):
        return found
    statistics = Statistics()
    for key, size in found["sizes"].items():
        name, _, arity = key.rpartition("/")
        predicate = Predicate(name, int(arity))
        statistics.sizes[predicate] = float(size)
        for place, values in enumerate(found["columns"][key]):
            statistics.columns[predicate, place] = float(values)
    figures = {key: found[key] for key in ("ground_cpu_s", "solve_cpu_s", "rules", "atoms")}
    return Measured(**figures, statistics=statistics)


def run_child(script: str, asked: object, limit_s: float) -> dict[str, Any] | Unmeasured:
    """What a Python script answers to a question, both as JSON, in a child process.

    The limit is one of CPU seconds (whole ones, rounded up), so that a busy machine does not look like a slow program.
    """
    try:
        done = subprocess.run(
            guarded([sys.executable, "-c", script], cpu_s=limit_s),
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=_PATIENCE * limit_s + _PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Unmeasured(f"more than {limit_s:g} CPU s", is_slow=True)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return Unmeasured(f"more than {limit_s:g} CPU s", is_slow=True)
    if done.returncode or not done.stdout.strip():
        said = [line for line in done.stderr.splitlines() if "error" in line.lower()] or done.stderr.splitlines()
        return Unmeasured(" ".join(said[-1].split())[:200] if said else "clingo ended without an answer")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer
