"""What solved positions claim of others, against brute force."""

from __future__ import annotations

import random

from hexlogic.games import PLAYERS, Hex, Position, has_won
from hexlogic.players.solver import Solver
from hexlogic.players.solver.memory import CLAIMS
from hexlogic.players.solver.solver import cells_of_mask
from tests.players.exhaustive_search import winner


def check_claims(solver: Solver) -> int:
    """Each claim holds with all cells but its own given to the loser. How many there are."""
    count = int(solver.table.counts[CLAIMS])
    for stones_word, cells_word in solver.table.claims[:count].tolist():
        stones, cells = (frozenset(cells_of_mask(word & ~1)) for word in (stones_word, cells_word))
        assert not stones & cells
        sides = (stones, frozenset(solver.board.cells) - stones - cells)
        red, blue = sides if stones_word & 1 == 0 else sides[::-1]
        assert winner(solver.board, red, blue, PLAYERS[cells_word & 1]) == PLAYERS[stones_word & 1]
    return count


def test_claims_of_random_positions_hold_and_decide_others() -> None:
    """One memory for many positions, with any numbers of stones: its answers are those of brute force."""
    chance, heard = random.Random(3), 0
    for board in (Hex(4, 4), Hex(4, 5), Hex(5, 4), Hex(3, 6)):
        solver = Solver(board, 1 << 13)
        for _ in range(150):
            stones = chance.sample(list(board.cells), len(board.cells) - chance.randint(4, 9))
            cut = chance.randint(len(stones) // 3, len(stones) - len(stones) // 3)
            position = Position(board, frozenset(stones[:cut]), frozenset(stones[cut:]))
            if any(has_won(position, player) for player in PLAYERS):
                continue
            for player in PLAYERS:
                before = solver.visited
                assert solver.winner(position, player) == winner(board, position.red, position.blue, player)
                heard += solver.visited == before
        assert check_claims(solver) > 20
    assert heard > 100


def test_a_claim_decides_a_position_without_expanding_it() -> None:
    """Red a1 of 4x4 loses; with one more stone of the winner it is not searched again."""
    board = Hex.square(4)
    solver = Solver(board, 1 << 10)
    assert solver.winner(Position.of(board, red=["a1"])) == "blue"
    expanded = solver.visited
    assert solver.winner(Position.of(board, red=["a1"], blue=["d1"]), "blue") == "blue"
    assert solver.visited == expanded
    assert check_claims(solver) > 0
