"""Sets of positions: the games are games, the labels are right, leaks are measured, splits share no game."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Hex, has_won, winner
from hexlogic.players.evaluation.prediction_file import ANY, Recipe
from hexlogic.players.evaluation.symbols import position_of
from hexlogic.players.predict.dataset import (
    SPLITS,
    Dataset,
    read_dataset,
    read_study_csv,
    representatives,
    usual_winners,
    write_dataset,
)
from hexlogic.players.predict.generate import generate, play_random
from hexlogic.players.solver import Solver


def test_random_games_look_like_the_public_set() -> None:
    """54 percent of its games are won by blue, who moves first, after 42.3 stones."""
    games = play_random(Recipe(7, 20_000, 3), np.random.default_rng(3))
    assert np.mean(games.lengths) == pytest.approx(42.3, abs=0.15)
    assert np.mean(games.winners == 2) == pytest.approx(0.54, abs=0.012)


def test_finished_games_end_with_the_last_stone(finished: Dataset) -> None:
    for cells, sign, mover in zip(finished.boards[:300], finished.winners, finished.to_move, strict=False):
        position = position_of(finished.board, cells)
        assert winner(position) == PLAYERS[sign - 1]
        # Blue moves first, so blue is level after red's move and one ahead after its own.
        assert len(position.blue) - len(position.red) == (1 if sign == 2 else 0)
        assert mover == 3 - sign
    assert finished.card.parity_names_winner == 1.0
    assert isinstance(finished.card.repeated, int)


@pytest.mark.parametrize("before", [2, 5])
def test_moves_before_the_end(before: int) -> None:
    whole = generate(Recipe(size=5, games=400, seed=9))
    earlier = generate(Recipe(size=5, games=400, seed=9, before=before))
    assert earlier.card.kind == "open"
    ends = dict(zip(whole.games.tolist(), whole.boards, strict=True))
    for game, cells, stones in zip(earlier.games.tolist(), earlier.boards, earlier.stones, strict=True):
        assert winner(position_of(earlier.board, cells)) is None
        if game in ends:
            assert np.count_nonzero(ends[game]) - stones == before
            assert np.all((cells == 0) | (cells == ends[game]))


@pytest.mark.parametrize("recipe", [Recipe(5, 600, 2, balanced=True), Recipe(5, 600, 2, before=2, balanced=True)])
def test_balanced_sets_tell_nothing_by_their_stones(recipe: Recipe) -> None:
    data = generate(recipe)
    assert len(data) > 100
    for number in np.unique(data.stones):
        of_this = data.winners[data.stones == number]
        assert np.count_nonzero(of_this == 1) * 2 == len(of_this)
    assert data.card.parity_names_winner == 0.5


def test_exact_labels_are_those_of_the_solver() -> None:
    data = generate(Recipe(4, 120, 5, exact=True))
    solver = Solver(data.board)
    for cells, sign, mover in zip(data.boards, data.winners, data.to_move, strict=True):
        solution = solver.solve(position_of(data.board, cells), PLAYERS[mover - 1])
        assert solution is not None
        assert PLAYERS[sign - 1] == solution.winner
    assert len(set(data.stones.tolist())) > 5


def test_games_of_players_with_either_first_mover() -> None:
    for first in PLAYERS:
        data = generate(Recipe(4, 6, 1, first=first, players=("bridge", "random")))
        assert data.card.source == "players"
        for cells, sign in zip(data.boards, data.winners, strict=True):
            position = position_of(data.board, cells)
            other = 3 - sign
            assert not has_won(position, PLAYERS[other - 1])
            ahead = len(position.stones(first)) - len(position.red | position.blue) + len(position.stones(first))
            assert ahead in (0, 1)


def test_same_seed_same_bytes_and_back(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_dataset(generate(Recipe(5, 200, 11, balanced=True)), tmp_path / name)
    for file in ("positions.npz", "card.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    data = read_dataset(tmp_path / "one")
    assert np.array_equal(data.boards, generate(Recipe(5, 200, 11, balanced=True)).boards)


def test_splits_share_no_game_and_lose_none(finished: Dataset) -> None:
    doubled = finished.take(np.repeat(np.arange(len(finished)), 2))
    games = [set(doubled.split(name).games.tolist()) for name in SPLITS]
    assert sum(map(len, games)) == len(set.union(*games)) == len(finished)
    assert len(games[0]) == pytest.approx(0.7 * len(finished), abs=1)


@pytest.mark.parametrize(
    "recipe", [Recipe(3, 900, 1), Recipe(4, 500, 1, exact=True, balanced=True), Recipe(3, 900, 1, before=2)]
)
def test_no_position_is_in_two_splits_not_even_turned_or_mirrored(recipe: Recipe) -> None:
    """Half a turn gives the same position of the same players, the long diagonal that of exchanged colours."""
    data = generate(recipe)
    forms: dict[str, set[tuple[frozenset[int], frozenset[int], int]]] = {}
    for name in SPLITS:
        part = data.split(name)
        found = forms[name] = set()
        for cells, mover in zip(part.boards, part.to_move, strict=True):
            square = cells.reshape(recipe.size, recipe.size)
            for red, blue, first in ((square == 1, square == 2, mover), ((square == 2).T, (square == 1).T, 3 - mover)):
                for one, other in ((red, blue), (red[::-1, ::-1], blue[::-1, ::-1])):
                    pair = (frozenset(np.flatnonzero(one).tolist()), frozenset(np.flatnonzero(other).tolist()))
                    found.add((*pair, int(first)))
    assert all(len(found) > 20 for found in forms.values())
    assert not forms["train"] & forms["test"]
    assert not forms["train"] & forms["validation"]
    assert not forms["validation"] & forms["test"]


def test_the_same_position_has_one_form() -> None:
    """The forms of all 3^4 boards of 2x2 with either player to move fall into as many classes as Burnside counts."""
    board = Hex.square(2)
    numbers = np.repeat(np.arange(81), 2)
    boards = np.stack([numbers // 3**cell % 3 for cell in range(4)], axis=1).astype(np.uint8)
    to_move = np.tile(np.array([1, 2], np.uint8), 81)
    found = representatives(board, boards, to_move)
    # With a player to move the mirrors fix nothing: 4 symmetries, of which half a turn fixes 9 boards for either.
    assert len({row.tobytes() for row in found}) == (162 + 2 * 9) // 4
    assert np.array_equal(representatives(board, found[:, :4], found[:, 4]), found)


def test_an_empty_split_is_refused() -> None:
    with pytest.raises(HexlogicError, match="the test split of 2 positions is empty"):
        generate(Recipe(3, 2, 1)).split("test")


STUDY_BOARD = """
-1 -1 -1 0 0 -1 1   0 1 1 -1 1 -1 -1   1 -1 1 -1 -1 -1 1   -1 1 1 0 -1 -1 1
-1 -1 1 -1 1 1 1   1 1 0 1 0 0 1   1 1 1 0 -1 -1 -1
"""
"""The board of the study's figures 1.1 and 2.9, which blue, 1, has won from left to right."""


def test_the_board_that_the_study_prints(tmp_path: Path) -> None:
    entries = STUDY_BOARD.split()
    names = ",".join([*(f"cell{i}" for i in range(49)), "winner"])
    path = tmp_path / "games.csv"
    path.write_text(names + "\n" + ",".join([*entries, "1"]) + "\n")
    red_first = entries.count("-1") > entries.count("1")
    data = read_study_csv(path, 1, "red" if red_first else "blue")
    position = position_of(data.board, data.boards[0])
    assert winner(position) == "blue"
    # Row 7, column 1 of the file holds a 1: a blue stone in row 1, column 7 of this library.
    assert position.owner(data.board.cell(row=1, column=7)) == "blue"
    assert position.owner(data.board.cell(row=1, column=1)) == "red"


def test_impossible_boards_are_counted_and_left_out(tmp_path: Path) -> None:
    rows = [
        "1,0,-1,1,1",  # left to right by the short diagonal is no way: 1 at (1,1) and (2,2), -1 at (2,1)
        "1,1,-1,0,1",  # top row of 1: left to right
        "1,1,-1,0,1",  # again
        "1,1,1,0,1",  # three stones to none
        "1,1,-1,0,-1",  # the other player has won
    ]
    path = tmp_path / "small.csv"
    path.write_text("\n".join(rows) + "\n")
    data = read_study_csv(path, 1)
    assert data.card.impossible == {
        "stone counts that turns do not give": 1,
        "both players have won": 0,
        "the other player has won": 1,
        "repeated": 1,
    }
    assert (data.card.rows, data.card.unfinished, len(data)) == (5, 1, 2)


def test_a_row_is_not_repeated_after_one_that_was_left_out(tmp_path: Path) -> None:
    """Nor does it count twice when it stands there turned by half a turn."""
    path = tmp_path / "small.csv"
    path.write_text("1,1,-1,0,-1\n1,1,-1,0,1\n0,-1,1,1,1\n")
    data = read_study_csv(path, 1)
    assert (data.card.impossible["the other player has won"], data.card.impossible["repeated"]) == (1, 1)
    assert (len(data), data.winners.tolist()) == (1, [2])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1,1,-1,0,1\n1,1,7,0,1\n", r"2:3: '7' is no entry \(one of -1, 0, 1\)"),
        ("1,1,-1,0,1\n1,1,0,0,0\n", r"2:5: '0' is no winner \(one of -1, 1\)"),
        ("1,1,-1,0,1\n1,1,0,1\n", r"2: 4 columns \(the first line has 5\)"),
        ("1,1,-1,0,1,0\n", r"1: 6 columns \(n x n cells and the winner"),
        ("a,b,c,d,winner\n", "no positions"),
        ("1,1,1,1,1\n", "no row is a position of a game"),
    ],
)
def test_bad_files_name_their_place(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(HexlogicError, match=told) as caught:
        read_study_csv(path, 1)
    assert str(caught.value).startswith(str(path))


def test_either_player_begins_where_it_is_asked_for() -> None:
    data = generate(Recipe(5, 400, 7, first=ANY, before=2, open_share=0.4))
    assert len(data) > 30
    assert np.all(data.empties >= 0.4 * 25)
    ahead = np.count_nonzero(data.boards == 1, axis=1) - np.count_nonzero(data.boards == 2, axis=1)
    assert set(ahead.tolist()) == {-1, 0, 1}
    # Who is a stone behind moves; two moves before the end the winner is not to move.
    assert np.all(data.to_move[ahead == 1] == 2)
    assert np.all(data.to_move[ahead == -1] == 1)
    assert np.all(data.winners == 3 - data.to_move)


def test_counting_learns_who_wins_from_the_difference_of_stones() -> None:
    data = generate(Recipe(5, 400, 7, first=ANY, before=2))
    learned, asked = data.split("train"), data.split("test")
    named = usual_winners(learned, asked, lambda data: data.red_ahead)
    ahead = np.count_nonzero(asked.boards == 1, axis=1) - np.count_nonzero(asked.boards == 2, axis=1)
    assert np.all(named[ahead == 1] == asked.winners[ahead == 1])  # red, who moved last, wins two moves later
    assert np.all(named[ahead == -1] == 2)


def test_a_file_of_games_that_either_player_began(tmp_path: Path) -> None:
    path = tmp_path / "small.csv"
    path.write_text("1,1,-1,0,1\n-1,0,-1,1,-1\n")  # the second was begun by -1
    left_out = read_study_csv(path, 1).card.impossible
    assert left_out["stone counts that turns do not give"] == 1
    assert left_out["of these, games that the other player began (--first any keeps them)"] == 1
    assert len(read_study_csv(path, 1, ANY)) == 2


def test_a_file_the_other_way_round_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.csv"
    path.write_text("1,-1,1,0,1\n1,0,1,-1,1\n")  # column 1 of 1: top to bottom
    with pytest.raises(HexlogicError, match=r"joins its sides on 0 boards, .* exchanged on 2 \(say --transpose\)"):
        read_study_csv(path, 1)
    assert read_study_csv(path, 1, transpose=True).card.unfinished == 0
