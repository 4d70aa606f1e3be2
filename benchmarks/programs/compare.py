"""Compare `hexlogic optimise` with ngo on the programs of this folder: a Markdown table, answers checked equal.

    python benchmarks/programs/compare.py [NGO]        NGO: the command, as it is called on the PATH by default

Ground times are the best of five, in one process for each program; inferences are exact.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import clingo

from hexlogic.language import Atom, Program
from hexlogic.language.analysis.checks import parse_checked
from hexlogic.language.engines.swipl import inferences
from hexlogic.language.ground.domains import sample_facts
from hexlogic.language.passes.optimise import optimise

HERE = Path(__file__).resolve().parent
PIPELINES = {
    "paths": "ground,reorder:cost,prune,magic",
    "reactions": "reorder:cost,stage",
}
DEFAULT = "ground,reorder:cost,prune"
_LIMIT_S = 20.0


def ground(text: str, program: Program, facts: tuple[Atom, ...]) -> tuple[float, int, frozenset[str]]:
    """Seconds to ground, ground rules, and the answers to the queries."""
    best, rules, answers = float("inf"), 0, frozenset[str]()
    for _ in range(5):
        control = clingo.Control(["--warn=none", "--stats"])
        control.add("base", [], text + "".join(f"{fact}.\n" for fact in facts))
        begin = time.process_time()
        control.ground([("base", [])])
        best = min(best, time.process_time() - begin)
        control.solve()
        rules = int(control.statistics["problem"]["lp"]["rules"])
        wanted = {(query.name, query.arity) for query in program.queries}
        answers = frozenset(
            str(entry.symbol)
            for entry in control.symbolic_atoms
            if (entry.symbol.name, len(entry.symbol.arguments)) in wanted
        )
    return best, rules, answers


def by_ngo(command: str, text: str, program: Program) -> str:
    """The program that ngo makes."""
    options = ["--input-predicates", ",".join(map(str, program.inputs))]
    options += ["--output-predicates", ",".join(map(str, program.queries))]
    return subprocess.run([command, *options], input=text, capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Print the table."""
    command = sys.argv[1] if len(sys.argv) > 1 else shutil.which("ngo")
    print(
        "| program | pipeline | ground rules: given / ngo / hexlogic | ground ms | SWI inferences: given / hexlogic |"
    )
    print("|---|---|--:|--:|--:|")
    for file in sorted(HERE.glob("*.lp")):
        text = file.read_text(encoding="utf-8")
        program = parse_checked(text, file.name)
        facts = sample_facts(program)
        pipeline = PIPELINES.get(file.stem, DEFAULT)
        optimised = optimise(program, pipeline).program
        texts = [text, by_ngo(command, text, program) if command else None, str(optimised)]
        figures = [None if version is None else ground(version, program, facts) for version in texts]
        assert len({figure[2] for figure in figures if figure}) == 1, f"{file.stem}: different answers"
        rules = " / ".join("-" if figure is None else f"{figure[1]:,}" for figure in figures)
        times = " / ".join("-" if figure is None else f"{figure[0] * 1000:.1f}" for figure in figures)
        work = [inferences(version, facts, _LIMIT_S) for version in (program, optimised)]
        counted = " / ".join(f"{figure:,}" if isinstance(figure, int) else figure for figure in work)
        print(f"| `{file.stem}` | `{pipeline}` | {rules} | {times} | {counted} |", flush=True)


if __name__ == "__main__":
    main()
