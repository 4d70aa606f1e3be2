"""Random games at the speed of machine words, against C++ compiled on the spot, in turns on one core.

pytest benchmarks/test_many_games_bars.py -s

`hex_union_find.cpp` plays to the win; `hex_bitboard.cpp` fills the board and floods once; `hex_lanes.cpp` does so for
512 boards at a time, as ours does. Ours has GDL text alone.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from hexlogic.games import load_game
from hexlogic.games.detect.batch import Batch
from hexlogic.ggp import StateMachine, read_sheet
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine
from hexlogic.language import Program

HERE = Path(__file__).parent
GAMES = HERE.parent / "tests" / "ggp" / "games"
ROUNDS = 5
PLAYED = 1_000_000
PEERS = {"hex_union_find": PLAYED // 10, "hex_bitboard": PLAYED // 2, "hex_lanes": 512 * (PLAYED // 512)}
"""Games of a round."""
SIZES = {"y": (9, "y/follow-line"), "tic-tac-toe-3d": (4, "tic-tac-toe-3d/unbroken-lines")}
GPP = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, made = tmp_path_factory.mktemp("cpp"), {}
    for name in PEERS:
        made[name] = folder / name
        command = ["g++", "-O3", "-march=native", "-std=c++17", "-o", str(made[name]), str(HERE / f"{name}.cpp")]
        subprocess.run(command, check=True, timeout=120)
    return made


def machine_of(sheet: Program) -> CompiledMachine:
    machine = StateMachine.from_sheet(sheet, "compiled")
    assert isinstance(machine, CompiledMachine)
    machine.playouts(1_000, lengths=False)
    return machine


def sheet_of(size: int, game: str = "hex", rules: str = "follow-line-tabled") -> Program:
    return export_sheet(find_rules(rules, game), load_game(game).of_size(size)).program


def rate(machine: CompiledMachine, games: int, seed: int, lengths: bool = False) -> float:
    begin = time.process_time()
    machine.playouts(games, seed, lengths=lengths)
    return games / (time.process_time() - begin)


@GPP
def test_hex_against_hand_written_programs(programs: dict[str, Path]) -> None:
    """Bars on 11x11: 2,500,000 results a second (aim 6,000,000), 3,000,000 with lengths, more than the bitboard."""
    machine = machine_of(sheet_of(11))
    figures: dict[str, list[float]] = {name: [] for name in ("ours", "ours with lengths", *PEERS)}
    wins: dict[str, list[float]] = {name: [] for name in ("ours", *PEERS)}
    for seed in range(ROUNDS):
        figures["ours"].append(rate(machine, PLAYED, seed))
        figures["ours with lengths"].append(rate(machine, PLAYED // 2, seed, lengths=True))
        wins["ours"].append(machine.playouts(PLAYED // 10, seed, lengths=False).mean_goals[0] / 100)
        for name, games in PEERS.items():
            done = subprocess.run(
                [programs[name], "11", str(games), str(seed)], capture_output=True, text=True, check=True, timeout=300
            )
            cpu_s, red, *_ = map(float, done.stdout.split())
            figures[name].append(games / cpu_s)
            wins[name].append(red / games)
    for name, values in figures.items():
        print(f"\n{name}: {statistics.median(values):,.0f} a second (best {max(values):,.0f})", end="")
    for name, shares in wins.items():
        assert abs(statistics.mean(shares) - 0.523) < 0.003, name
    ratio = statistics.median(our / peer for our, peer in zip(figures["ours"], figures["hex_lanes"], strict=True))
    print(f"\nours is {ratio:.2f} times as fast as C++ in lanes")
    assert max(figures["ours"]) >= 2_500_000
    assert max(figures["ours with lengths"]) >= 3_000_000
    assert statistics.median(figures["ours"]) > statistics.median(figures["hex_bitboard"])


@pytest.mark.parametrize("size", [5, 7, 9, 11, 13, 15, 17, 19])
def test_growth(size: int) -> None:
    """No bar: results a second from 5x5 to 19x19."""
    machine = machine_of(sheet_of(size))
    print(f"\nHex {size}x{size}: {max(rate(machine, 200_000, seed) for seed in range(3)):,.0f} results a second")
    assert "filled boards" in machine.analysis


@pytest.mark.parametrize(
    "name",
    ["y", "tic-tac-toe-3d", "tic-tac-toe", "connect-four", "breakthrough", "pursuit", "rock-paper-scissors", "nim"],
)
def test_other_games(name: str) -> None:
    """Bar: twice as fast as one after the other, which is what many at once have to be worth."""
    if name in SIZES:
        size, rules = SIZES[name]
        machine = machine_of(sheet_of(size, name, rules))
    else:
        machine = machine_of(read_sheet(GAMES / f"{name}.kif"))
    assert machine.compiled is not None
    many, ordered = [], []
    for seed in range(3):
        many.append(rate(machine, 100_000, seed))
        begin = time.process_time()
        for number in range(20):
            machine.playouts(100, seed * 20 + number)
        ordered.append(2_000 / (time.process_time() - begin))
    ratio = statistics.median(one / other for one, other in zip(many, ordered, strict=True))
    print(f"\n{name}: {max(many):,.0f} a second, {ratio:.1f} times one after the other; {machine.analysis}")
    assert ratio >= 2


def test_detector_batch() -> None:
    """Bar: 50,000,000 positions of 9x9 a second, from packed boards."""
    batch = Batch(size=9)
    boards = np.random.default_rng(1).integers(0, 3, size=(64 * 1024, 81)).astype(np.uint8)
    packed = batch.pack(boards)
    batch.words(packed)
    figures = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(10):
            batch.words(packed)
        figures.append(10 * len(boards) / (time.process_time() - begin))
    begin = time.process_time()
    batch.winners(boards)
    whole = len(boards) / (time.process_time() - begin)
    print(f"\npacked: {statistics.median(figures):,.0f} (best {max(figures):,.0f}) positions a second")
    print(f"unpacked: {whole:,.0f}")
    assert max(figures) >= 50_000_000
