"""What `hexlogic gdl reformulate` finds: inferences before and after, and random games a CPU second, in turns.

    python benchmarks/gdl_reformulate.py [--time 120] [--sizes 5,7,9] [FILE.kif ...]

Without files of Hex by `components-by-step`. One line for each sheet; rates are of `swipl:sld`, medians of pairs.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

from hexlogic.games import Hex
from hexlogic.ggp import StateMachine, read_sheet
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.reformulation.search import compared, searched

PAIRS, GAMES = 5, 4


def rates(sheets):
    """Games a CPU second of each sheet, the sheets played in turns."""
    found = [[] for _ in sheets]
    machines = [StateMachine.from_sheet(sheet, "swipl:sld") for sheet in sheets]
    for seed in range(PAIRS):
        for rate, machine in zip(found, machines, strict=True):
            machine.playouts(GAMES, seed)
            rate.append(GAMES / machine.cpu_s)
    for machine in machines:
        machine.close()
    return [statistics.median(rate) for rate in found]


def row(name, sheet, time_s):
    """The line of one sheet."""
    given, *steps = searched(sheet, "swipl:sld", time_s, lambda _: None)[0]
    if not steps:
        return f"{name}: {given.work}; nothing cheaper"
    last = steps[-1]
    before, after = rates([given.sheet, last.sheet])
    factors = f"{given.work.amount / last.work.amount:.1f} and {after / before:.1f} times"
    same, _ = compared([given.games, *(step.games for step in steps)], time_s)
    return f"{name}: {given.work}, {last.work}; {before:.1f}, {after:.1f} games a CPU second; {factors}; {same}"


def main():
    """Print the lines."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--time", type=float, default=120.0)
    parser.add_argument("--sizes", default="5,7,9")
    options = parser.parse_args()
    sheets = [(path.stem, read_sheet(path)) for path in options.files]
    for size in map(int, options.sizes.split(",")) if not sheets else ():
        exported = export_sheet(find_rules("components-by-step", "hex"), Hex(size, size))
        sheets.append((f"components-by-step {size}x{size}", exported.program))
    for name, sheet in sheets:
        print(row(name, sheet, options.time), flush=True)


if __name__ == "__main__":
    main()
