"""The Hex Text Protocol: conversations as graphical boards have them, and answers to everything wrong."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.games import Hex
from hexlogic.players import Budget, load_strategy
from hexlogic.players.htp import HtpServer, serve


def server(player: str = "bridge", **options) -> HtpServer:
    return HtpServer(load_strategy(player), player, Budget(playouts=100), **options)


def answers(htp: HtpServer, *lines: str) -> list[str]:
    return [htp.answer(line) for line in lines]


def test_grammar_of_answers():
    htp = server()
    assert answers(htp, "name", "7 name", "# comment", "", "  ", "3") == [
        "= hexlogic bridge\n\n",
        "=7 hexlogic bridge\n\n",
        "",
        "",
        "",
        "?3 there is no command\n\n",
    ]
    assert htp.answer("protocol_version\r") == "= 2\n\n"
    assert htp.answer("NAME # and a comment") == "= hexlogic bridge\n\n"


def test_every_listed_command_is_known_and_answers():
    htp = server()
    listed = htp.answer("list_commands").removeprefix("= ").split()
    wanted = (
        "name version protocol_version list_commands known_command boardsize clear_board play genmove undo showboard"
    )
    assert {*wanted.split(), "time_settings", "time_left", "final_score", "swap", "quit"} <= set(listed)
    for command in listed:
        assert htp.answer(f"known_command {command}") == "= true\n\n"
    assert htp.answer("known_command fly") == "= false\n\n"
    for command in listed:
        assert htp.answer(command)[0] in "=?"
    assert htp.ended


def test_a_game_to_the_end():
    htp = server("vc-very-shallow:5")
    assert htp.answer("boardsize 4 4") == "= \n\n"
    black = True
    for _ in range(16):
        move = htp.answer(f"genmove {'black' if black else 'white'}")
        assert move.startswith("= "), move
        if htp.answer("final_score").startswith("="):
            break
        black = not black
    assert htp.answer("final_score") in ("= B+\n\n", "= W+\n\n")
    assert htp.answer("genmove white").startswith("? the game is over")
    assert htp.answer("play white a1").startswith("? the game is over")
    assert htp.answer("undo") == "= \n\n"
    assert htp.answer("final_score") == "? cannot score: nobody has won yet\n\n"


def test_black_joins_top_and_bottom():
    htp = server()
    answers(htp, "boardsize 3 3", "play black b1", "play white a1", "play black b2", "play white a2", "play black b3")
    assert htp.answer("final_score") == "= B+\n\n"
    shown = htp.answer("showboard")
    rows = [line.split() for line in shown.splitlines() if line.strip()[:1].isdigit()]
    assert [[sign for sign in row if sign in ("B", "W", ".")] for row in rows] == [
        ["W", "B", "."],
        ["W", "B", "."],
        [".", "B", "."],
    ]


def test_boards_that_are_not_square_have_columns_first():
    htp = server()
    assert htp.answer("boardsize 5 3") == "= \n\n"
    assert htp.answer("play black e3") == "= \n\n"
    assert htp.answer("play white c5") == "? cell c5 is off the 3x5 board (cells run from a1 to e3)\n\n"


def test_swap_in_all_dialects():
    for words in ("play white swap-pieces", "swap", "play w SWAP-PIECES", "play white swap"):
        htp = server()
        answers(htp, "boardsize 5", "play black c2", words)
        # the stone is white at b3 now
        assert htp.answer("play black b3") == "? cell b3 is already white\n\n"
        assert htp.answer("play black c2") == "= \n\n"
    htp = server()
    answers(htp, "boardsize 5", "play black c3")
    assert htp.answer("genmove white") == "= swap-pieces\n\n"
    htp = server(swap=False)
    answers(htp, "boardsize 5", "play black c3")
    assert "swap" not in htp.answer("genmove white")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("fly", "? unknown command: fly\n\n"),
        ("play black", "? play takes 2 arguments, not 1 (play COLOUR MOVE)\n\n"),
        ("play green a1", "? unknown colour 'green' (black or white)\n\n"),
        ("play black z9", "? cell z9 is off the 5x5 board (cells run from a1 to e5)\n\n"),
        ("play black ?", "? '?' is not a cell (a cell is column letters and a row, like f6)\n\n"),
        ("play white c3", "? cell c3 is already black\n\n"),
        ("play black swap-pieces", "? swap is only for the second turn (it takes the first player's only stone)\n\n"),
        ("boardsize", "? boardsize needs one or two numbers (columns and rows, such as boardsize 11 11)\n\n"),
        ("boardsize 100", "? a Hex board cannot have 100 rows (each side has 1 to 64 cells)\n\n"),
        ("boardsize 0", "? a Hex board cannot have 0 rows (each side has 1 to 64 cells)\n\n"),
        ("boardsize -3", "? boardsize needs one or two numbers (columns and rows, such as boardsize 11 11)\n\n"),
        ("genmove green", "? unknown colour 'green' (black or white)\n\n"),
        ("time_settings 1 2", "? time_settings takes 3 arguments, not 2 (time_settings MAIN EXTRA STONES)\n\n"),
        ("time_left black soon 0", "? 'soon' is no number of seconds\n\n"),
        ("known_command", "? known_command takes 1 arguments, not 0 (known_command NAME)\n\n"),
    ],
)
def test_errors_are_told_and_change_nothing(line, answer):
    htp = server()
    answers(htp, "boardsize 5", "play black c3")
    before = htp.answer("showboard")
    assert htp.answer(line) == answer
    assert htp.answer("showboard") == before


def test_undo_without_moves():
    assert server().answer("undo") == "? there is no move to undo\n\n"


def test_either_colour_may_be_asked_for():
    htp = server("random")
    answers(htp, "boardsize 3")
    for _ in range(2):
        assert htp.answer("genmove white").startswith("= ")


def test_reg_genmove_plays_nothing():
    htp = server()
    before = answers(htp, "boardsize 5", "showboard")[1]
    assert htp.answer("reg_genmove black").startswith("= ")
    assert htp.answer("showboard") == before


def test_time_is_divided():
    htp = HtpServer(load_strategy("random"), "random", Budget(seconds=5.0))
    assert htp._budget_of("red").seconds == 5.0
    htp.answer("time_left black 20 0")
    assert htp._budget_of("red").seconds == pytest.approx(0.9)
    assert htp._budget_of("blue").seconds == 5.0
    htp.answer("time_left black 3 1")
    assert htp._budget_of("red").seconds == pytest.approx(2.9)
    htp.answer("time_settings 0 2 1")
    assert htp._budget_of("red").seconds == pytest.approx(1.9)
    htp.answer("time_settings 0 0 0")
    assert htp._budget_of("red").seconds == 5.0


@given(lines=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=8))
def test_anything_gets_an_answer_of_the_grammar(lines):
    htp = server("random")
    htp.answer("boardsize 3")
    for line in lines:
        answer = htp.answer(line.replace("\n", " "))
        assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n"))


def test_serving_ends_with_quit_or_the_input():
    for text, count in (("name\nquit\nname\n", 2), ("name\nname\n", 2)):
        target = io.StringIO()
        serve(server(), io.StringIO(text), target)
        assert target.getvalue().count("\n\n") == count


def test_the_default_board_is_eleven():
    assert server().answer("showboard").count(".") >= Hex(11, 11).rows * 11
