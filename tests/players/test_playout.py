"""Boards in arrays and playouts, compared with the board's own geometry and the referee."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from hexlogic.games import Hex, Position, has_won
from hexlogic.games.game_state import GameState
from hexlogic.players.geometry import EMPTY, flat_cells, geometry_of, padded_cells
from hexlogic.players.search.uct import BRIDGES, UNIFORM, fill, red_has_won
from tests.players import states

BOARDS = st.builds(Hex, st.integers(1, 7), st.integers(1, 7))


def state_of(board: Hex, seed: int, stones: int) -> GameState:
    """A state with some stones on random cells, red and blue in turn; nobody has won."""
    state = GameState(board)
    for cell in random.Random(seed).sample(list(board.cells), len(board.cells)):
        if len(state.turns) >= stones:
            break
        state.play(state.to_move, cell)
        if state.winner is not None:
            state.undo()
            break
    return state


@settings(deadline=None)
@given(board=BOARDS)
def test_neighbours_and_bridges_are_those_of_the_board(board):
    geometry = geometry_of(board.rows, board.columns)
    for cell in board.cells:
        row = geometry.neighbours[cell - 1]
        assert sorted(int(other) + 1 for other in row if other >= 0) == list(board.neighbours(cell))
        near = set(board.neighbours(cell))
        for far, one, two in geometry.bridges[cell - 1]:
            if far >= 0:
                assert far + 1 not in near
                assert near & set(board.neighbours(int(far) + 1)) == {int(one) + 1, int(two) + 1}
        apart = {
            other
            for other in board.cells
            if other != cell and other not in near and len(near & set(board.neighbours(other))) == 2
        }
        assert {int(bridge[0]) + 1 for bridge in geometry.bridges[cell - 1] if bridge[0] >= 0} == apart


@settings(deadline=None)
@given(board=BOARDS, seed=st.integers(0, 1000))
def test_the_winner_of_a_full_board_is_the_referees(board, seed):
    cells = random.Random(seed).sample(list(board.cells), len(board.cells))
    red = frozenset(cells[: (len(cells) + 1) // 2])
    state = states.state_of(Position(board, red, frozenset(cells) - red))
    padded = padded_cells(state)
    stack, seen = np.empty(len(padded), np.int32), np.empty(len(padded), np.int8)
    assert red_has_won(padded, board.columns + 2, stack, seen) == has_won(state.position, "red")
    assert has_won(state.position, "red") != has_won(state.position, "blue")


@pytest.mark.parametrize("policy", [UNIFORM, BRIDGES])
@settings(deadline=None)
@given(board=BOARDS, seed=st.integers(0, 1000), stones=st.integers(0, 20))
def test_a_playout_fills_every_empty_cell_in_turn(policy, board, seed, stones):
    state = state_of(board, seed, stones)
    padded = padded_cells(state)
    size = len(padded)
    mover = 1 if state.to_move == "red" else 2
    before = padded.copy()
    empties, place = np.empty(size, np.int32), np.empty(size, np.int32)
    fill(padded, board.columns + 2, mover, 0, policy, empties, place, np.array([seed + 1], np.uint64))
    assert np.array_equal(before[before != EMPTY], padded[before != EMPTY])
    added = padded[before == EMPTY]
    assert set(added) <= {1, 2}
    assert int((added == mover).sum()) == (len(added) + 1) // 2


def test_a_playout_saves_an_intruded_bridge():
    board = Hex(5, 5)
    # blue b2 - c3? red has c2 and b4, a bridge over b3 and c3; blue intrudes at b3: red answers c3 at once
    position = Position.of(board, red=["c2", "b4"], blue=["b3"])
    state = states.state_of(position, to_move="red")
    padded = padded_cells(state)
    last = 3 * 7 + 2
    assert padded[last] == 2
    for seed in range(20):
        work = padded.copy()
        empties, place = np.empty(len(work), np.int32), np.empty(len(work), np.int32)
        fill(work, 7, 1, last, BRIDGES, empties, place, np.array([seed + 1], np.uint64))
        assert work[3 * 7 + 3] == 1


@njit
def red_wins_of(board, width, mover, policy, playouts, seed):
    """How many of so many playouts from a padded board red wins."""
    random = np.empty(1, np.uint64)
    random[0] = (np.uint64(seed) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    work = np.empty_like(board)
    stack = np.empty(len(board), np.int32)
    seen = np.empty(len(board), np.int8)
    place = np.empty(len(board), np.int32)
    wins = 0
    for _ in range(playouts):
        work[:] = board
        fill(work, width, mover, 0, policy, stack, place, random)
        if red_has_won(work, width, stack, seen):
            wins += 1
    return wins


def test_the_first_player_wins_a_known_share_of_random_games():
    # 0.544 on 7x7, known from other programs; 40,000 games scatter by 0.0025
    wins = red_wins_of(padded_cells(GameState(Hex(7, 7))), 9, 1, UNIFORM, 40_000, 3)
    assert wins / 40_000 == pytest.approx(0.544, abs=0.01)


def test_flat_cells_are_a_copy():
    state = GameState(Hex(2, 2))
    flat = flat_cells(state)
    flat[0] = 1
    assert state.cells[0] == 0
