"""Batches answer like the oracle, for every rule set that can be ground, whatever the number of positions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from hexlogic.errors import EngineError, PositionError
from hexlogic.games import Hex, Position, has_won
from hexlogic.games.detect.batch import Batch
from hexlogic.games.rulesets import load_rule_set
from tests.agreement import one_per_column_chain

GROUNDABLE = ["clusters", "clusters-labelled", "follow-line-tabled", "maker-breaker", "power-set", "winning-sets"]


def expected(boards: NDArray[np.uint8], game: Hex, complete: bool) -> list[int]:
    said = has_won if complete else one_per_column_chain
    found = []
    for row in boards:
        red, blue = (frozenset(int(cell) + 1 for cell in np.flatnonzero(row == player)) for player in (1, 2))
        position = Position(game, red, blue)
        found.append(said(position, "red") | said(position, "blue") << 1)
    return found


@pytest.mark.parametrize("name", GROUNDABLE)
def test_every_position_of_2x2(name: str) -> None:
    boards = np.array(list(itertools.product((0, 1, 2), repeat=4)), dtype=np.uint8)
    complete = load_rule_set(name).complete
    assert Batch(name, size=2).winners(boards).tolist() == expected(boards, Hex.square(2), complete)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", GROUNDABLE)
@pytest.mark.parametrize("count", [0, 1, 7, 64, 513, 1100])
def test_random_positions_in_any_number(name: str, count: int) -> None:
    chance = np.random.default_rng(count)
    # As many stones as make wins of either player and of nobody about equally likely; full boards among them.
    boards = chance.choice(3, size=(count, 16), p=[0.16, 0.42, 0.42]).astype(np.uint8)
    boards[::3] = chance.integers(1, 3, size=boards[::3].shape)
    found = Batch(name, size=4).winners(boards)
    assert found.tolist() == expected(boards, Hex.square(4), load_rule_set(name).complete)
    if count > 500:
        assert {0, 1, 2} <= set(found.tolist())


def test_full_boards_have_one_winner() -> None:
    boards = np.random.default_rng(1).integers(1, 3, size=(5000, 121)).astype(np.uint8)
    assert set(Batch(size=11).winners(boards).tolist()) == {1, 2}


@pytest.mark.parametrize("shape", [(3, 8), (9,), (2, 3, 3)])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(PositionError, match="shape"):
        Batch(size=3).winners(np.zeros(shape, dtype=np.uint8))


def test_other_entries_are_refused() -> None:
    with pytest.raises(PositionError, match="entry 3"):
        Batch(size=3).winners(np.full((2, 9), 3, dtype=np.uint8))


def test_what_cannot_be_ground() -> None:
    with pytest.raises(EngineError, match="follow-line cannot be ground"):
        Batch("follow-line", size=3)
