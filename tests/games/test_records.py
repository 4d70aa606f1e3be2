"""Game records: every format reads back what it writes, and conventions are transposed on the way."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.errors import PositionError
from hexlogic.games import Hex
from hexlogic.games.field import field_name, own_cell
from hexlogic.games.game_state import GameRecord, GameState, Turn
from hexlogic.games.record_formats import guess_format, read_games, write_games


@st.composite
def games(draw: st.DrawFn, square: bool = False) -> GameRecord:
    rows = draw(st.integers(2, 30))
    columns = rows if square else draw(st.integers(2, 30))
    rng = random.Random(draw(st.integers(0, 10**6)))
    state = GameState(Hex(rows, columns))
    for ply in range(draw(st.integers(0, 12))):
        if state.winner is not None:
            break
        if ply == 1 and state.can_swap and rng.random() < 0.5:
            state.play("blue", state.swap_action if not square else "swap-pieces")
            continue
        action = "pass" if ply > 2 and rng.random() < 0.05 else rng.choice(state.empty)
        state.play(state.to_move, action)
    if state.winner is None and state.turns and rng.random() < 0.3:
        state.play(rng.choice(["red", "blue"]), "resign")
    return GameRecord(state.board, tuple(state.turns))


@pytest.mark.parametrize("name", ["sgf", "htp", "moves"])
@given(game=games())
def test_formats_of_any_board_read_back_what_they_write(name, game):
    text = write_games((game,), name)
    (back,) = read_games(text, name)
    assert (back.board, back.turns, back.winner) == (game.board, game.turns, game.winner)


@pytest.mark.parametrize("name", ["hexworld", "little-golem"])
@given(game=games(square=True))
def test_formats_of_square_boards_read_back_what_they_write(name, game):
    if name == "little-golem" and game.board.rows > 26:
        with pytest.raises(PositionError, match="at most 26"):
            write_games((game,), name)
        return
    text = write_games((game,), name)
    (back,) = read_games(text)
    assert (back.board, back.turns, back.winner) == (game.board, game.turns, game.winner)


@given(game=games())
def test_each_text_is_recognised(game):
    for name in ("sgf", "htp", "moves"):
        assert guess_format(write_games((game,), name)) == name


def test_columns_past_z_are_two_letters():
    board = Hex(30, 30)
    text = write_games((GameRecord(board, (Turn("red", board.cell(28, 3)),)),), "sgf")
    assert "B[ab3]" in text


@given(rows=st.integers(1, 30), columns=st.integers(1, 30), data=st.data())
def test_the_border_between_conventions_is_a_transposition(rows, columns, data):
    board = Hex(rows, columns)
    cell = data.draw(st.integers(1, rows * columns))
    there = board.transposed
    name = field_name(board, cell)
    assert own_cell(board, name) == cell
    mirrored = there.parse_cell(name)
    assert (there.row(mirrored), there.column(mirrored)) == (board.column(cell), board.row(cell))
    # neighbours stay neighbours, and the sides of red are the top and the bottom there
    assert {there.parse_cell(field_name(board, c)) for c in board.neighbours(cell)} == set(there.neighbours(mirrored))
    first, last = board.sides("red")
    top, bottom = there.sides("blue")
    assert ((cell in first), (cell in last)) == ((mirrored in top), (mirrored in bottom))


def test_a_won_game_is_won_by_the_same_player_in_each_convention():
    # black down column c of a 3x3 board joins top with bottom
    (game,) = read_games("(;GM[11]SZ[3];B[c1];W[a1];B[c2];W[a2];B[c3])")
    assert game.winner == "red"
    assert [game.board.cell_name(cell) for cell in sorted(game.final_state().position.red)] == ["a3", "b3", "c3"]


def test_swap_pieces_mirrors_the_stone():
    (game,) = read_games("(;GM[11]SZ[5];B[c2];W[swap-pieces])")
    state = game.final_state()
    assert state.position.red == frozenset()
    assert [field_name(game.board, cell) for cell in state.position.blue] == ["b3"]
    assert state.to_move == "red"


def test_a_dump_of_several_games_that_are_not_closed():
    text = (
        "Games of somebody\n"
        "(;FF[4]EV[hex.ch]PB[a (b)]PW[c]SZ[13]RE[B]GC[ game #1]SO[http://www.littlegolem.com];W[ab];B[swap];W[cc]\n"
        "(;FF[4]EV[hex.ch]PB[d]PW[e]SZ[11]RE[W];B[kk];W[aa];B[resign])\n"
    )
    first, second = read_games(text, "little-golem")
    assert (first.red_name, first.blue_name, first.winner, len(first.turns)) == ("c", "a (b)", "blue", 3)
    assert (second.red_name, second.board, second.winner) == ("d", Hex(11, 11), "blue")


def test_variations_follow_the_first_line():
    (game,) = read_games("(;GM[11]SZ[5];B[a1](;W[b2];B[c3])(;W[d4]))")
    assert [field_name(game.board, turn.action) for turn in game.turns] == ["a1", "b2", "c3"]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("(;GM[1]SZ[9];B[aa])", "sgf", "g:1:6: game number '1' is not Hex (Hex is GM[11])"),
        ("(;GM[11];B[a1])", "sgf", "g:1:2: the game has no size (such as SZ[11] or SZ[9:11])"),
        ("(;GM[11]SZ[99])", "sgf", "g:1:12: a Hex board cannot have 99 rows (each side has 1 to 64 cells)"),
        ("(;GM[11]SZ[3];B[a1]\n;W[a1])", "sgf", "g:2:4: cell a1 is already black"),
        ("(;GM[11]SZ[3];B[d1])", "sgf", "g:1:17: cell d1 is off the 3x3 board (cells run from a1 to c3)"),
        ("(;GM[11]SZ[3];B[a1];W[b1];B[swap])", "sgf", "g:1:29: swap is only for the second turn (it takes the"),
        ("(;GM[11]SZ[3];B[a1]", "sgf", "g:1:1: the game has no end (its closing parenthesis is missing)"),
        ("(;GM[11]SZ[3;B[a1", "sgf", "g:1:9: the property 'SZ' has no end (such as SZ[11])"),
        ("(;GM[11]SZ[2];B[a1];W[b1];B[a2];W[b2])", "sgf", "g:1:35: the game is over: black has won"),
        ("#3c1,a1?", "hexworld", "g:1:8: '?' is no move (a cell such as c4"),
        ("#3c1,a1z9", "hexworld", "g:1:8: cell z9 is off"),
        ("#99,a1", "hexworld", "g:1:2: a Hex board cannot have 99"),
        ("boardsize 3 3\nplay green a1", "htp", "g:2:1: unknown colour 'green' (black or white)"),
        ("play black a1", "htp", "g:1:1: a move before boardsize (begin with boardsize 11 11)"),
        ("(;SZ[13];B[zz])", "little-golem", "g:1:12: zz is off the 13x13 board"),
        ("9x9 red", "moves", "g:1:8: the move has no cell after 'red' (such as red f6)"),
    ],
)
def test_bad_games_are_refused_with_their_place(text, name, message):
    with pytest.raises(PositionError) as refused:
        read_games(text, name, file="g")
    assert str(refused.value).startswith(message)


@given(cells=st.lists(st.integers(1, 20), unique=True, max_size=20), undone=st.integers(0, 20))
def test_undo_restores_every_state(cells, undone):
    state = GameState(Hex(4, 5))
    seen = [(bytes(state.cells), state.to_move, state.winner)]
    for cell in cells:
        if state.winner is None:
            state.play(state.to_move, cell)
            seen.append((bytes(state.cells), state.to_move, state.winner))
    for _ in range(min(undone, len(state.turns))):
        seen.pop()
        state.undo()
    assert (bytes(state.cells), state.to_move, state.winner) == seen[-1]
    assert state.winner in (None, "red", "blue")
    assert (state.winner == "red") == state.board.has_won(state.stones("red"), "red")
    assert (state.winner == "blue") == state.board.has_won(state.stones("blue"), "blue")
