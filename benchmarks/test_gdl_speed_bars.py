"""The speed of the compiled state machine on sheets, as ratios of one run on one core; each must reach its bar.

pytest benchmarks/test_gdl_speed_bars.py -s

The yardstick is OpenSpiel's C++ rollouts of its hand-written games, measured in turns with ours, by CPU time. Bars that
are numbers of playouts a second hold on a machine on which OpenSpiel plays 20,500 games of Hex 11x11 a second, as on
the one they were set on: they are scaled by what it plays here.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

import pytest
from open_spiel import ROLLOUTS, rollouts

from hexlogic.games import Hex
from hexlogic.ggp import StateMachine, read_sheet
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine
from hexlogic.ggp.machines.state_machine import MANY
from hexlogic.language import Program
from hexlogic.language.dialects import render
from hexlogic.process.isolate import run_isolated
from hexlogic.process.limits import MEGABYTE, Limits

GAMES = Path(__file__).parents[1] / "tests" / "ggp" / "games"
ROUNDS = 5
REFERENCE = 20_500
"""OpenSpiel's rollouts of Hex 11x11 a second where the bars were set."""
LENGTHS = {11: 107.5, 9: 71.0, 7: 42.3}
WINS = {11: 0.523, 9: 0.531, 7: 0.544}
"""Of random games of Hex, by hand-written players: steps, and how often the first player wins."""


def sheet_of(rules: str, size: int) -> Program:
    return export_sheet(find_rules(rules, "hex"), Hex.square(size)).program


def machine_of(sheet: Program) -> CompiledMachine:
    machine = StateMachine.from_sheet(sheet, "compiled")
    assert isinstance(machine, CompiledMachine)
    machine.playouts(1)
    return machine


def cpu_s(machine: CompiledMachine, games: int, seed: int) -> float:
    begin = time.process_time()
    machine.playouts(games, seed)
    return time.process_time() - begin


def in_turns(machine: CompiledMachine, game: str) -> tuple[float, float, float]:
    """Playouts a CPU second, the best round of ours, the median ratio to OpenSpiel's in the same round, and the
    median of ours in batches under `MANY`, whose games are played one after the other."""
    cpu_s(machine, 10, 0)
    games = max(20, int(10 * 0.2 / max(cpu_s(machine, 10, 0), 1e-5)))
    ours, ratios, single = [], [], []
    for seed in range(1, ROUNDS + 1):
        ours.append(games / cpu_s(machine, games, seed))
        ratios.append(ours[-1] * rollouts(game, seed) / ROLLOUTS)
        batches = max(1, games // (MANY - 1))
        spent = sum(cpu_s(machine, MANY - 1, seed * batches + batch) for batch in range(batches))
        single.append(batches * (MANY - 1) / spent)
    return max(ours), statistics.median(ratios), statistics.median(single)


@pytest.mark.parametrize(("size", "rules"), [(11, "follow-line-tabled"), (9, "follow-line-tabled"), (7, "clusters")])
def test_recursive_hex_against_open_spiel(size: int, rules: str) -> None:
    """Bar: 6 times OpenSpiel's rollouts on 11x11; the aim is 15."""
    machine = machine_of(sheet_of(rules, size))
    best, ratio, single = in_turns(machine, f"hex(board_size={size})")
    print(
        f"\n{rules} {size}x{size}: {best:,.0f} playouts/s, {ratio:.1f} times OpenSpiel, {single:,.0f} one by one; "
        f"{machine.analysis}"
    )
    if size == 11:
        assert ratio >= 6


@pytest.mark.parametrize("rules", ["follow-line-sweeps", "follow-line-unrolled", "clusters-merging"])
def test_cycle_free_hex(rules: str) -> None:
    """Bar on 9x9, for the best of them: 10,000 playouts a second where OpenSpiel plays 20,500 of 11x11; aim 50,000."""
    machine = machine_of(sheet_of(rules, 9))
    best, ratio, single = in_turns(machine, "hex(board_size=11)")
    scaled = ratio * REFERENCE
    print(
        f"\n{rules} 9x9: {best:,.0f} playouts/s here, {single:,.0f} one by one, "
        f"{scaled:,.0f} on the scale of the bars; {machine.analysis}"
    )
    if rules != "clusters-merging":
        assert scaled >= 10_000


@pytest.mark.parametrize(
    ("name", "spiel"),
    [("tic-tac-toe", "tic_tac_toe"), ("connect-four", "connect_four"), ("breakthrough", None), ("nim", None)],
)
def test_other_games(name: str, spiel: str | None) -> None:
    """No bar: they are printed."""
    machine = machine_of(read_sheet(GAMES / f"{name}.kif"))
    best, ratio, single = in_turns(machine, spiel or "hex(board_size=11)")
    beside = f"; {ratio:.1f} times OpenSpiel" if spiel else ""
    print(f"\n{name}: {best:,.0f} playouts/s{beside}, {single:,.0f} one by one; {machine.analysis}")
    assert best > 0


@pytest.mark.parametrize("size", [11, 9, 7])
def test_random_games_are_those_of_hex(size: int) -> None:
    """Mean length and the first player's wins, within 4 standard errors and the rounding of the reference."""
    machine, batches, games = machine_of(sheet_of("follow-line-tabled", size)), 20, 20_000
    played = [machine.playouts(games, seed) for seed in range(batches)]
    lengths, wins = [one.mean_steps for one in played], [one.mean_goals[0] / 100 for one in played]
    for told, values, known, rounding in (("steps", lengths, LENGTHS, 0.05), ("wins", wins, WINS, 0.0005)):
        error = statistics.stdev(values) / batches**0.5
        print(f"\n{size}x{size}: {statistics.mean(values):.4f} {told} (± {error:.4f}), known {known[size]}")
        assert abs(statistics.mean(values) - known[size]) <= 4 * error + rounding


START = """
import sys, time
from pathlib import Path
from hexlogic.ggp import StateMachine, read_sheet
sheet = read_sheet(Path(sys.argv[1]))
begin = time.process_time()
StateMachine.from_sheet(sheet).playouts(1)
print(time.process_time() - begin)
"""


@pytest.mark.parametrize("rules", ["follow-line-tabled", "follow-line-sweeps", "clusters"])
def test_start_and_memory(rules: str, tmp_path: Path) -> None:
    """Bars on 11x11: 10 s of CPU for grounding, analysis, layout and the first playout, numba's cache warm; 1 GB."""
    file = tmp_path / "hex.kif"
    file.write_text(render(sheet_of(rules, 11), "gdl"), encoding="utf-8")
    done = run_isolated([sys.executable, "-c", START, str(file)], b"", Limits.of(cpu_s=120, memory_mb=4000))
    assert done.exit_code == 0, done.stderr
    start_s, megabytes = float(done.stdout), done.usage.peak_bytes / MEGABYTE
    print(f"\n{rules} 11x11: started in {start_s:.1f} s of CPU, {megabytes:,.0f} MB")
    assert start_s < 10
    assert megabytes < 1000
