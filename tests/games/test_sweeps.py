"""The bound on sweeps, against all minimal winning sets of small boards."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hexlogic.games import PLAYERS, RED, Hex, chordless_chains
from hexlogic.games.chains import KNOWN_SWEEPS, sweep_bound
from tests.games.most_changes import most_changes


def sweeps_of(game, player, chain):
    """The runs, forward and back by turns and a forward one first, that a chain is made of."""
    line = game.column if player == RED else game.row
    forward, sweeps = True, 1
    for cell, following in pairwise(chain):
        step_forward = (line(following), following) > (line(cell), cell)
        sweeps += step_forward != forward
        forward = step_forward
    return sweeps


def most_sweeps(game, player):
    return max(sweeps_of(game, player, chain) for chain in chordless_chains(game, player))


@pytest.mark.parametrize("size", range(1, 8))
def test_known_sweeps_are_exact(size):
    assert most_sweeps(Hex.square(size), "red") == KNOWN_SWEEPS[size]


@pytest.mark.parametrize("size", range(1, 6))
def test_both_players_need_the_same_number_on_a_square_board(size):
    assert most_sweeps(Hex.square(size), "blue") == KNOWN_SWEEPS[size]


BOARDS = [Hex(rows, columns) for rows in range(1, 11) for columns in range(1, 11) if rows * columns <= 30]


@pytest.mark.parametrize("game", BOARDS, ids=lambda game: game.size_text)
def test_no_minimal_winning_set_needs_more(game):
    for player in PLAYERS:
        found = most_sweeps(game, player)
        assert found <= sweep_bound(game, player)
        assert found % 2 == 1, "the first and the last run go forward"


@pytest.mark.parametrize("size", range(1, 9))
def test_the_table_is_what_the_program_finds(size):
    assert most_changes(size, size) + 1 == KNOWN_SWEEPS[size]


@pytest.mark.slow
@pytest.mark.parametrize("size", [9, 10, 11])
def test_the_table_is_what_the_program_finds_in_a_minute(size):
    assert most_changes(size, size) + 1 == KNOWN_SWEEPS[size]


@pytest.mark.parametrize("game", [game for game in BOARDS if game.columns <= 6], ids=lambda game: game.size_text)
def test_rings_beside_a_chain_add_nothing_on_small_boards(game):
    assert most_changes(game.rows, game.columns) + 1 == most_sweeps(game, "red")


def test_the_bound_without_a_table_covers_the_table():
    for size, known in KNOWN_SWEEPS.items():
        if size > 1:
            assert known <= (size - 2) * ((size - 1) // 2) // 2 * 2 + 1


def test_a_zigzag_needs_a_sweep_for_each_step_back():
    assert sweeps_of(Hex(4, 4), "red", [5, 2, 3, 7, 10, 14, 15, 12]) == 3
    assert sweeps_of(Hex(5, 5), "red", [3, 7, 11]) == 2  # c1 b2 a3: back all the way
    assert sweeps_of(Hex(5, 5), "red", [3, 8, 12, 17]) == 3  # c1 c2 b3 b4: down, down to the left, down
    assert sweeps_of(Hex(5, 5), "blue", [3, 8, 12, 17]) == 1  # for blue all of it is forward
