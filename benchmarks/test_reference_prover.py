"""Random games one by one on the reference prover of general game playing and on ours, in one run: the same games, and
how many times as many a CPU second.

HEXLOGIC_GGP_BASE=CLASSPATH HEXLOGIC_GGP_SHEETS=a.kif:b.kif pytest benchmarks/test_reference_prover.py -s

The classpath is that of its state machines; without it the test is skipped. It does not know `and`. More sheets are
optional.
"""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import time
from pathlib import Path

import pytest

from hexlogic.ggp import StateMachine, read_sheet
from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine
from hexlogic.ggp.machines.state_machine import MANY

HERE = Path(__file__).parent
GAMES = HERE.parent / "tests" / "ggp" / "games"
CLASSPATH = os.environ.get("HEXLOGIC_GGP_BASE", "")
SHEETS = [
    *(GAMES / f"{name}.kif" for name in ("connect-four", "breakthrough")),
    *map(Path, filter(None, os.environ.get("HEXLOGIC_GGP_SHEETS", "").split(os.pathsep))),
]
SECONDS = 8
SAMPLES = 400
LEAST = 100
"""Times as many games; the aim is more for most sheets."""


class Forward(CompiledMachine):
    """Under forward chaining, also where the sheet could be ground."""

    compiled = None


def games_of(machine: StateMachine, seconds: float) -> tuple[int, float]:
    """Games one by one in so many CPU seconds, and the seconds."""
    games, begin = 0, time.process_time()
    while time.process_time() - begin < seconds:
        machine.playouts(MANY - 1, seed=games)
        games += MANY - 1
    return games, time.process_time() - begin


@pytest.mark.skipif(not CLASSPATH, reason="HEXLOGIC_GGP_BASE is not set")
@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_as_many_games_as(path: Path) -> None:
    """Bar: 100 times the prover's games, whose mean length is ours within 4 standard errors."""
    command = ["java", "-cp", CLASSPATH, str(HERE / "ReferenceProver.java"), str(path), str(SECONDS)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    games, steps, spent = int(told[0]), int(told[1]), float(told[2])
    sheet = read_sheet(path)
    rates = []
    for machine in (StateMachine.from_sheet(sheet), Forward(sheet)):
        machine.playouts(MANY - 1, seed=0)
        played, cpu_s = games_of(machine, SECONDS / 10)
        rates.append(played / cpu_s)
    lengths = [machine.playouts(1, seed).mean_steps for seed in range(SAMPLES)]
    print(
        f"\n{path.stem}: prover {games / spent:,.1f}, default {rates[0]:,.0f}, forward chaining {rates[1]:,.0f}; "
        f"{max(rates) * spent / games:,.0f} times; {steps / games:.2f} and {statistics.mean(lengths):.2f} steps"
    )
    error = statistics.stdev(lengths) * math.sqrt(1 / games + 1 / SAMPLES)
    assert abs(steps / games - statistics.mean(lengths)) <= 4 * error
    assert max(rates) * spent / games >= LEAST
