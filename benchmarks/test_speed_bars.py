"""The speed of the compiled rules, as ratios and rates of one run on one core; each must reach its bar.

pytest benchmarks/test_speed_bars.py -s
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray
from union_find import neighbours, play_by_union_find

from hexlogic import Detector
from hexlogic.games import Player, load_game_record
from hexlogic.games.detect.batch import Batch
from tests.games.detect.games_loop import Games


def random_orders(games: int, size: int) -> NDArray[np.int32]:
    chance = np.random.default_rng(2019)
    return np.array([chance.permutation(size * size) for _ in range(games)], dtype=np.int32)


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


@pytest.mark.parametrize("size", [7, 9, 11])
def test_games_in_a_loop_against_union_find(size: int) -> None:
    """Bar: no slower than the union-find, on 11x11. Both play the same games, in turns."""
    orders, around = random_orders(20_000, size), neighbours(size)
    games = Games("follow-line-tabled", size=size)
    assert games.play(orders) == tuple(play_by_union_find(orders, around, size))
    ours, theirs = [], []
    for _ in range(7):
        ours.append(seconds(lambda: games.play(orders)))
        theirs.append(seconds(lambda: play_by_union_find(orders, around, size)))
    ratio = statistics.median(their / our for our, their in zip(ours, theirs, strict=True))
    red, plies = games.play(orders)
    count = len(orders)
    print(
        f"\n{size}x{size}: rules {count / min(ours):,.0f} games/s ({1e9 * min(ours) / plies:.1f} ns a stone), "
        f"union-find {count / min(theirs):,.0f}; {ratio:.2f} times as fast; "
        f"{plies / count:.1f} stones a game, red wins {red / count:.3f}"
    )
    assert ratio >= (1.0 if size == 11 else 0.8)


@pytest.mark.parametrize("rules", ["follow-line-tabled", "maker-breaker", "clusters", "winning-sets"])
def test_many_positions_at_once(rules: str) -> None:
    """Bar: 10 million positions of 9x9 a second, by the rule set that suits best."""
    size = 9 if rules != "winning-sets" else 5
    orders = random_orders(100_000, size)
    stones = np.random.default_rng(1).integers(0, size * size + 1, len(orders))
    boards = np.where(orders < stones[:, None], 1 + orders % 2, 0).astype(np.uint8)
    batch = Batch(rules, size=size)
    batch.winners(boards[:5000])
    best = min(seconds(lambda: batch.winners(boards)) for _ in range(5))
    print(f"\n{rules} {size}x{size}: {len(boards) / best / 1e6:.1f} million positions/s")
    if rules == "follow-line-tabled":
        assert len(boards) / best >= 10e6


@pytest.mark.parametrize(
    ("engine", "rules", "most_us"),
    [
        ("compiled", "follow-line-tabled", 3),
        ("clingo", "follow-line-tabled", 100),
        ("clingo", "clusters", 100),
        ("clingo", "maker-breaker", 100),
        ("clingo", "clusters-labelled", None),
    ],
)
def test_moves_from_python(engine: str, rules: str, most_us: float | None) -> None:
    """Bars on 11x11, `play` and `winner`: 3 us a move for `compiled`, 0.1 ms for clingo with externals.

    The median move: other work on the machine stops a few of them for long.
    """
    _, moves = load_game_record("random-1@11")
    took: list[float] = []
    with Detector(rules, size=11, engine=engine) as detector:

        def move(player: Player, cell: int) -> None:
            detector.play(player, cell)
            detector.winner()

        for _ in range(10 if most_us else 1):
            took += [seconds(partial(move, player, cell)) for player, cell in moves]
            for _ in moves:
                detector.undo()
    median_us = 1e6 * statistics.median(took)
    bar = f"{most_us / median_us:.1f} times as fast as the bar" if most_us else "no bar"
    print(f"\n{rules} on {engine}, 11x11: {median_us:,.1f} us a move; {bar}")
    assert most_us is None or median_us <= most_us
