from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from hexlogic.errors import SizeError
from hexlogic.games import (
    BLUE,
    PLAYERS,
    RED,
    Hex,
    Player,
    Position,
    chain_length_bound,
    chordless_chains,
    has_won,
    winning_sets,
)
from hexlogic.games.chains import KNOWN_COUNTS

RECTANGLES = [(n, m) for n in range(1, 31) for m in range(1, 31) if n * m <= 30]


def count_of(game: Hex, player: Player) -> int:
    return sum(1 for _ in chordless_chains(game, player))


def wins(game: Hex, player: Player, cells: frozenset[int]) -> bool:
    return has_won(Position(game, red=cells) if player == RED else Position(game, blue=cells), player)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 3), (3, 1), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3)])
def test_equal_to_all_minimal_winning_subsets(rows: int, columns: int, player: Player) -> None:
    game = Hex(rows, columns)
    minimal: list[frozenset[int]] = []
    for size in range(1, len(game.cells) + 1):
        for cells in map(frozenset, combinations(game.cells, size)):
            if not any(smaller <= cells for smaller in minimal) and wins(game, player, cells):
                minimal.append(cells)
    assert sorted(minimal, key=sorted) == sorted(map(frozenset, winning_sets(game, player)), key=sorted)


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (3, 5), (5, 3), (5, 5), (1, 7), (7, 1), (2, 9)])
def test_chains_are_minimal_and_in_order(rows: int, columns: int) -> None:
    game = Hex(rows, columns)
    for player in PLAYERS:
        first, last = game.sides(player)
        chains = list(chordless_chains(game, player))
        for chain in chains:
            assert chain[0] in first
            assert chain[-1] in last
            assert all(b in game.neighbours(a) for a, b in pairwise(chain))
            cells = frozenset(chain)
            assert wins(game, player, cells)
            assert not any(wins(game, player, cells - {cell}) for cell in chain)
        sets = winning_sets(game, player)
        assert len(set(sets)) == len(sets) == len(chains)
        assert list(sets) == sorted((tuple(sorted(c)) for c in chains), key=lambda cells: (len(cells), cells))


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 4), (4, 3), (4, 4), (1, 5)])
def test_blue_is_red_on_the_transposed_board(rows: int, columns: int) -> None:
    game = Hex(rows, columns)
    images = {tuple(sorted(map(game.transpose, cells))) for cells in winning_sets(game, RED)}
    assert images == set(winning_sets(game.transposed, BLUE))


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 3), (3, 11), (4, 54), (5, 365), (6, 3848)])
def test_counts(size: int, count: int) -> None:
    game = Hex.square(size)
    assert count_of(game, RED) == count_of(game, BLUE) == KNOWN_COUNTS[size] == count
    assert len(winning_sets(game, RED, limit=count)) == count


@pytest.mark.slow
def test_counts_at_seven_and_eight() -> None:
    assert len(winning_sets(Hex.square(7), RED)) == KNOWN_COUNTS[7] == 68_914
    assert count_of(Hex.square(7), BLUE) == 68_914
    assert count_of(Hex.square(8), RED) == KNOWN_COUNTS[8] == 2_195_830


def test_beyond_the_limit_the_error_says_the_count() -> None:
    with pytest.raises(
        SizeError, match="7x7 Hex has 68,914 minimal winning sets for red, more than the limit of 10,000"
    ):
        winning_sets(Hex.square(7), RED, limit=10_000)
    with pytest.raises(SizeError, match="9x9 Hex has 126,004,636 minimal winning sets for blue"):
        winning_sets(Hex.square(9), BLUE, limit=100_000)
    with pytest.raises(SizeError, match="9x40 Hex has more minimal winning sets for red than the limit of 1,000"):
        winning_sets(Hex(9, 40), RED, limit=1_000)
    with pytest.raises(SizeError, match="more than the limit of 10"):
        winning_sets(Hex.square(3), RED, limit=10)


@pytest.mark.parametrize("player", PLAYERS)
def test_no_chain_is_longer_than_the_bound(player: Player) -> None:
    for rows, columns in RECTANGLES:
        game = Hex(rows, columns)
        longest, bound = max(map(len, chordless_chains(game, player))), chain_length_bound(game, player)
        width = columns if player == RED else rows
        assert longest <= bound, game
        if rows == 1 or columns == 1 or width <= 3:
            assert longest == bound, game


def test_the_bound_on_square_boards() -> None:
    squares = [Hex.square(n) for n in range(1, 8)]
    assert [max(map(len, chordless_chains(game, RED))) for game in squares] == [1, 2, 5, 8, 11, 16, 23]
    assert [chain_length_bound(game, RED) for game in squares] == [1, 2, 5, 8, 12, 18, 24]
    # The paper's n*n/2 holds but for these two boards.
    short = [game.rows for game in squares if chain_length_bound(game, RED) > game.rows**2 // 2]
    assert short == [1, 3]
    assert [chain_length_bound(Hex.square(n), BLUE) for n in range(4, 40)] == [n * n // 2 for n in range(4, 40)]
