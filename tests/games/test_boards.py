"""Each named board keeps what its headers promise."""

from __future__ import annotations

import re

import pytest

from hexlogic.errors import PositionError, UnknownNameError
from hexlogic.games import (
    BLUE,
    PLAYERS,
    RED,
    Hex,
    all_boards,
    board_names,
    groups,
    has_won,
    load_board,
    winner,
    winning_chain,
)
from hexlogic.games.boards import parse_board
from tests.agreement import one_per_column_chain


@pytest.mark.parametrize("name", board_names())
def test_the_known_answer_is_the_oracles(name: str) -> None:
    board = load_board(name)
    assert board.name == board.position.name == name
    assert winner(board.position) == board.expected
    assert board.idea
    stated = re.search(r"shortest chain has (\d+)", board.idea)
    if stated is not None:
        assert board.expected is not None
        chain = winning_chain(board.position, board.expected)
        assert chain is not None
        assert len(chain) == int(stated[1])


@pytest.mark.parametrize("name", ["difficult-1", "difficult-2", "difficult-3", "difficult-4"])
def test_difficult_boards(name: str) -> None:
    position = load_board(name).position
    assert (position.game, len(position.red), len(position.blue)) == (Hex.square(9), 17, 0)
    assert winner(position) is None
    # Hard because nearly won: the stones of the band and one more are not joined to the last side.
    assert max(map(len, groups(position, RED))) in (8, 16, 17)


def test_difficult_1_is_two_rows_without_the_last_column_and_a_stone_far_away() -> None:
    position = load_board("difficult-1").position
    game = position.game
    band, alone = sorted(groups(position, RED), key=len, reverse=True)
    rows = sorted({game.row(cell) for cell in band})
    assert rows[1] - rows[0] == 1
    assert {(game.row(c), game.column(c)) for c in band} == {(r, c) for r in rows for c in range(1, 9)}
    assert len(alone) == 1
    assert game.column(alone[0]) == 9
    assert min(abs(game.row(alone[0]) - row) for row in rows) >= 2


def test_difficult_3_is_broken_in_the_middle() -> None:
    position = load_board("difficult-3").position
    for cell in (position.game.cell(row, 5) for row in (5, 6)):
        assert cell in position.empty
        assert has_won(position.play(RED, cell), RED)


def test_snake_is_one_long_chordless_chain() -> None:
    position = load_board("snake").position
    chain = winning_chain(position, RED)
    assert chain is not None
    assert len(chain) > 30
    assert set(chain) == position.red  # the shortest chain needs every stone
    assert not one_per_column_chain(position, RED)
    assert not has_won(position, BLUE)
    assert position.warnings() == ()


def test_full_boards_have_no_chain_of_one_stone_per_line() -> None:
    for player in PLAYERS:
        position = load_board(f"full-{player}").position
        assert winner(position) == player
        assert not position.empty
        assert not one_per_column_chain(position, player)
        assert position.warnings() == ()


def test_dense_boards() -> None:
    dense = [board for board in all_boards() if board.name.startswith(("dense-", "all-"))]
    assert {board.expected for board in dense} == {RED, BLUE, None}
    for board in dense:
        assert board.position.game == Hex.square(11)
        assert len(board.position.empty) <= 15
    assert load_board("all-red").position.red == set(Hex.square(11).cells)


def test_teaching_boards() -> None:
    small = load_board("small").position
    assert (small.game, len(small.red), winner(small)) == (Hex.square(5), 7, RED)
    assert load_board("empty-9").position.empty == set(Hex.square(9).cells)


def test_all_boards_come_in_the_order_of_their_names() -> None:
    assert tuple(board.name for board in all_boards()) == board_names() == tuple(sorted(board_names()))


def test_unknown_board() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown board 'dificult-1' .did you mean difficult-1"):
        load_board("dificult-1")
    with pytest.raises(UnknownNameError):
        load_board("../boards/small")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# name: x\n# idea: y\nR", "x.txt:1:1: the header 'winner' is missing"),
        ("# name: x\n# idea: y\n# winner: green\nR", "x.txt:3:1: unknown winner 'green'"),
        ("# name: x\n# idea: y\n# winner: red\nRX", "x.txt:4:2: 'X' is no stone"),
    ],
)
def test_bad_board_files(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse_board(text, file="x.txt")
    assert str(caught.value).startswith(message)
