"""The solver against brute force, the known symmetry of openings, and certificates that a separate checker judges."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from hexlogic.errors import PositionError, SizeError
from hexlogic.games import BLUE, PLAYERS, RED, Hex, Player, Position, has_won, opponent
from hexlogic.players.solver import (
    Solver,
    check_certificate,
    make_certificate,
    player_to_move,
    solve_openings,
)
from hexlogic.players.solver.memory import VISITED


@cache
def best_play(position: Position, to_move: Player) -> Player:
    """The winner by trying everything."""
    before = opponent(to_move)
    if has_won(position, before):
        return before
    for cell in sorted(position.empty):
        if best_play(position.play(to_move, cell), before) == to_move:
            return to_move
    return before


def random_position(chance: random.Random, board: Hex, stones: int) -> Position:
    cells = chance.sample(list(board.cells), stones)
    return Position(board, frozenset(cells[: (stones + 1) // 2]), frozenset(cells[(stones + 1) // 2 :]))


@pytest.mark.parametrize("board", [Hex(1, 1), Hex(1, 3), Hex(2, 2), Hex(2, 3), Hex(3, 2), Hex(3, 3)], ids=str)
def test_openings_of_small_boards(board: Hex) -> None:
    solved = solve_openings(board)
    expected = {cell: best_play(Position(board, frozenset([cell])), BLUE) for cell in board.cells}
    assert solved.winners == expected


def test_random_positions_agree_with_brute_force() -> None:
    chance = random.Random(8)
    winners = set()
    for _ in range(60):
        board = chance.choice([Hex(3, 3), Hex(3, 4), Hex(4, 3), Hex(4, 4), Hex(2, 5)])
        cells = board.rows * board.columns
        position = random_position(chance, board, chance.randint(max(0, cells - 9), cells - 1))
        if has_won(position, RED) or has_won(position, BLUE):
            continue
        solution = Solver(board).solve(position)
        assert solution is not None
        assert solution.winner == best_play(position, solution.to_move), position.to_text()
        winners.add((solution.winner, solution.to_move))
        if solution.move is None:
            assert solution.winner != solution.to_move
        else:
            after = position.play(solution.to_move, solution.move)
            assert best_play(after, opponent(solution.to_move)) == solution.winner
    assert len(winners) == 4


@pytest.mark.parametrize("board", [Hex(8, 8), Hex(7, 11), Hex(9, 9), Hex(11, 11)], ids=str)
def test_boards_of_more_cells_than_a_word_agree_with_brute_force(board: Hex) -> None:
    """The stones that are played already are numbered last, beyond the bits of a word."""
    chance, winners = random.Random(len(board.cells)), set()
    while len(winners) < 4:
        position = random_position(chance, board, len(board.cells) - chance.randint(5, 9))
        if has_won(position, RED) or has_won(position, BLUE):
            continue
        solver = Solver(board, 1 << 12, position)
        solution = solver.solve(position)
        assert solution is not None
        assert solution.winner == best_play(position, solution.to_move), position.to_text()
        assert solution.proof <= set(position.empty)
        winners.add((solution.winner, solution.to_move))
        if solution.move is not None:
            after = position.play(solution.to_move, solution.move)
            assert best_play(after, opponent(solution.to_move)) == solution.winner
            assert solver.winner(after) == solution.winner
        assert check_certificate(json.loads(json.dumps(make_certificate(solver, position)))) <= set(position.empty)


def test_a_middle_game_of_9x9_is_solved() -> None:
    """A position that `best` lost without the solver."""
    board = Hex(9, 9)
    red = ["h3", "d6", "c7", "f4", "g3", "e7", "b7", "f8", "f6", "g7", "e3"]
    blue = ["d5", "c6", "f5", "g4", "e5", "b8", "g6", "h7", "g5", "h6", "c4"]
    position = Position.of(board, red=red, blue=blue)
    solution = Solver(board, 1 << 12, position).solve(position, most=50)
    assert solution is not None
    assert (solution.winner, solution.move) == (RED, board.parse_cell("c3"))


def test_a_position_without_the_stones_of_its_solver_is_refused() -> None:
    board = Hex(8, 8)
    solver = Solver(board, 1 << 12, Position.of(board, red=["d4"], blue=["e5"]))
    assert not solver.knows(Position(board))
    with pytest.raises(PositionError, match="lacks stones"):
        solver.solve(Position(board), most=1)


def test_positions_where_stone_counts_do_not_matter() -> None:
    """Any stones will do when it is said who is to move: what fill-in and must-play leave out is compared as well."""
    chance = random.Random(21)
    for _ in range(80):
        board = Hex(3, 3)
        cells = chance.sample(list(board.cells), chance.randint(1, 6))
        cut = chance.randint(0, len(cells))
        position = Position(board, frozenset(cells[:cut]), frozenset(cells[cut:]))
        if has_won(position, RED) or has_won(position, BLUE):
            continue
        for player in PLAYERS:
            solution = Solver(board).solve(position, player)
            assert solution is not None
            assert solution.winner == best_play(position, player), position.to_text()


def test_all_4x4_openings_by_brute_force_of_their_certificates() -> None:
    """A certificate that is accepted is a proof: every opening of 4x4 and 5x5 has one, for the winner that is told."""
    for size in (4, 5):
        board = Hex.square(size)
        solver = Solver(board)
        winners = solve_openings(board).winners
        for cell, winner in winners.items():
            certificate = json.loads(json.dumps(make_certificate(solver, Position(board, frozenset([cell])))))
            assert certificate["winner"] == winner
            assert check_certificate(certificate) <= set(board.cells) - {cell}


def test_openings_are_symmetric_without_using_the_symmetry() -> None:
    board = Hex.square(5)
    solver = Solver(board)
    winners = {}
    for cell in board.cells:
        solution = solver.solve(Position(board, frozenset([cell])))
        assert solution is not None
        winners[cell] = solution.winner
    assert winners == {26 - cell: winner for cell, winner in winners.items()}
    assert winners == solve_openings(board).winners
    # The short diagonal and what lies around it; each of these winners has a certificate in the test above.
    red = ["d1", "e1", "b2", "c2", "d2", "b3", "c3", "d3", "b4", "c4", "d4", "a5", "b5"]
    assert sorted(board.cell_name(cell) for cell, winner in winners.items() if winner == RED) == sorted(red)


def test_openings_with_a_limit_or_a_small_memory() -> None:
    """What is not solved has no winner; a memory that is full is replaced, and nothing told becomes wrong."""
    board = Hex.square(4)
    whole = solve_openings(board)
    assert whole.is_complete
    limited = solve_openings(board, most=1)
    assert not limited.is_complete
    assert set(limited.winners.items()) < set(whole.winners.items())
    assert {one.positions for one in limited.searched} <= {0, 1}
    told = []
    tight = solve_openings(board, rows=40, report=told.append)
    assert sorted(one.cell for one in told) == sorted(one.cell for one in tight.searched)
    assert set(tight.winners.items()) <= set(whole.winners.items())
    for rows in range(1, 61):
        assert set(solve_openings(board, rows=rows).winners.items()) <= set(whole.winners.items()), rows
    shared = [solve_openings(board, jobs=2) for _ in range(2)]
    assert shared[0].winners == shared[1].winners == whole.winners
    assert [one.positions for one in shared[0].searched] == [one.positions for one in shared[1].searched]


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("rows", [1, 2, 3, 5, 8, 13, 21, 34, 55])
def test_a_memory_that_does_not_suffice_is_no_answer_and_no_error(rows: int) -> None:
    """The winner may be known before the memory is full and the winning move not: `solve` says nothing then."""
    board = Hex.square(4)
    for cell in board.cells:
        position = Position(board, frozenset([cell]))
        known = Solver(board).winner(position)
        solver = Solver(board, rows)
        assert solver.winner(position) in (known, None)
        solution = solver.solve(position)
        assert solution is None or solution.winner == known
        solution = Solver(board, rows).solve(position)
        assert solution is None or (solution.winner == known and (solution.move is None) == (known == RED))


@pytest.mark.slow
def test_all_openings_of_7x7() -> None:
    """Minutes of processor time."""
    found = solve_openings(Hex.square(7))
    assert found.is_complete
    red = "d1 f1 g1 c2 d2 e2 f2 b3 c3 d3 e3 f3 c4 d4"
    half = [cell for cell in found.board.cells if cell <= 25 and found.winners[cell] == RED]
    assert " ".join(map(found.board.cell_name, half)) == red


@pytest.mark.parametrize(("opening", "winner", "most"), [("a4", BLUE, 700), ("d4", RED, 400), ("c3", RED, 2100)])
def test_positions_that_openings_of_7x7_take(opening: str, winner: Player, most: int) -> None:
    """343, 302 and 1,816; the policy's numbers are rounded, another processor may order equal moves differently."""
    board = Hex.square(7)
    solver = Solver(board, 1 << 14)
    assert solver.winner(Position.of(board, red=[opening]), most=most) == winner


@pytest.mark.slow
def test_openings_of_6x6_on_two_cores() -> None:
    board = Hex.square(6)
    winners = solve_openings(board, jobs=2).winners
    assert len(winners) == 36
    alone = Solver(board)
    for cell in (1, 6, 8, 29, 36):
        solution = alone.solve(Position(board, frozenset([cell])))
        assert solution is not None
        assert solution.winner == winners[cell]
        certificate = make_certificate(alone, Position(board, frozenset([cell])))
        assert certificate["winner"] == winners[cell]
        assert check_certificate(certificate)


def test_a_limit_on_positions_is_kept() -> None:
    solver = Solver(Hex.square(6))
    assert solver.solve(Position(Hex.square(6)), most=1) is None
    assert solver.table.counts[VISITED] == 1


def test_the_end_of_a_game_and_impossible_positions() -> None:
    won = Position.of(Hex(1, 2), red=["a1", "b1"])
    assert Solver(Hex(1, 2)).solve(won, RED) is not None
    with pytest.raises(PositionError, match="2 stones and blue 0"):
        player_to_move(won)
    with pytest.raises(SizeError, match="too large to solve"):
        Solver(Hex(8, 8))
