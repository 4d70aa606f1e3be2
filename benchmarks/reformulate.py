"""What `hexlogic reformulate` finds, from which text, at which cost, and after how many seconds of processor time.

    python benchmarks/reformulate.py [--time 120] [NAME ...]        of rule sets, and of `programs/graphs/`

One line for each source: what it costs, the cheapest program that was proved, the moves that led to it, and processor
seconds of this process and its children until the first program that is cheaper, and until the cheapest, were proved.
"""

from __future__ import annotations

import argparse
import resource
from pathlib import Path

from hexlogic.games.rulesets import load_rule_set
from hexlogic.proofs.all_inputs import ProgramText
from hexlogic.proofs.finding.reformulations import Cost, Reformulator
from hexlogic.proofs.finding.worlds import BoardWorld, InputWorld
from hexlogic.proofs.smt.lemmas import LemmaProver

GRAPHS = {path.stem: path for path in sorted((Path(__file__).parent / "programs" / "graphs").glob("*.lp"))}
RULE_SETS = ("clusters", "clusters-union", "follow-line", "y/clusters", "follow-line-computed")


def cpu_s():
    """Processor seconds of this process and of those it has waited for."""
    return sum(
        use.ru_utime + use.ru_stime for use in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def row(name, limit_s):
    """The line of one source."""
    begin, prover = cpu_s(), LemmaProver()
    if name in GRAPHS:
        source = ProgramText(name, GRAPHS[name].read_text())
        search = Reformulator(source, InputWorld(source, prover), limit_s, engine="clingo")
    else:
        source = load_rule_set(name)
        search = Reformulator(source, BoardWorld("y" if name.startswith("y/") else "hex", prover), limit_s)
    best, first_s, best_s = None, None, None
    for found in search.search():
        if Cost(found.cost).order < (Cost(best.cost) if best else search.given).order:
            first_s = first_s or cpu_s() - begin
            best, best_s = found, cpu_s() - begin
    if best is None:
        return f"{name}: {search.given}; nothing cheaper, {cpu_s() - begin:.1f} s"
    proved = "proved" if best.proved else "assuming lemmas"
    after = f"{best.move} after {best.parent}; {first_s:.1f} s, {best_s:.1f} s; {proved}"
    return f"{name}: {search.given}; {Cost(best.cost)}; {after}\n{best.text}"


def main():
    """Print the lines."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=[*RULE_SETS, *GRAPHS])
    parser.add_argument("--time", type=float, default=120.0)
    options = parser.parse_args()
    for name in options.names:
        print(row(name, options.time), flush=True)


if __name__ == "__main__":
    main()
