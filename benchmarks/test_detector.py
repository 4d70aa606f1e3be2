"""A whole game followed by the detector, `play` and `winner` after each move: every engine, on 11x11.

The game is random with a fixed seed. Beside the followers stands clingo asked anew after every move, which is what
following saves; the ratios in a group are those of whole games.
"""

from __future__ import annotations

import random

import pytest

from hexlogic import Detector
from hexlogic.games import PLAYERS, Hex, Position, winner
from hexlogic.language.engines import engine_names, load_engine
from hexlogic.language.engines.base import AskedAnew, StackFollower

BOARD = Hex.square(11)
ROUNDS = {"compiled": 200, "clingo": 20, "swipl": 5}
CASES = [
    *(("follow-line-tabled", name) for name in engine_names()),
    *(("maker-breaker", name) for name in (*ROUNDS, "egglog")),
    *((rules, "clingo") for rules in ("clusters", "clusters-merging")),
]


def random_game(seed: int) -> list[tuple[str, int]]:
    """Moves by turns up to the first win."""
    cells = list(BOARD.cells)
    random.Random(seed).shuffle(cells)
    moves = [(PLAYERS[number % 2], cell) for number, cell in enumerate(cells)]
    position = Position(BOARD)
    for number, move in enumerate(moves, start=1):
        position = position.play(*move)
        if winner(position):
            return moves[:number]
    raise AssertionError("no Hex board is full without a winner")


GAME = random_game(2019)


def follow(benchmark, detector: Detector, rules: str, rounds: int) -> None:
    """Time rounds of the whole game; between two of them all moves are undone, not timed."""
    benchmark.group = f"{rules}: {len(GAME)} moves on 11x11"

    def rewind() -> None:
        while detector.moves:
            detector.undo()

    def play() -> None:
        for player, cell in GAME:
            detector.play(player, cell)
            detector.winner()

    with detector:
        benchmark.pedantic(play, setup=rewind, rounds=rounds)
        assert detector.winner() == GAME[-1][0]


@pytest.mark.parametrize(("rules", "engine"), CASES)
def test_game(benchmark, quiet, rules, engine):
    if reason := load_engine(engine).missing():
        pytest.skip(reason)
    if engine == "epilog":
        pytest.skip("Epilog keeps no table, so it cannot run a flood")
    follow(benchmark, Detector(rules, engine=engine), rules, ROUNDS.get(engine, 1))


@pytest.mark.parametrize("rules", ["follow-line-tabled", "maker-breaker"])
def test_clingo_asked_anew(benchmark, quiet, monkeypatch, rules):
    engine = load_engine("clingo")
    monkeypatch.setattr(
        type(engine),
        "follow",
        lambda self, program, inputs, queries: StackFollower(lambda: AskedAnew(self.open(program)), inputs, queries),
    )
    follow(benchmark, Detector(rules, engine="clingo"), rules, 1)
