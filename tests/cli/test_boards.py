"""`hexlogic boards`: the list, drawings, pictures and JSON."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest

from hexlogic.games import all_boards, board_names, parse_position, winning_chain


def test_the_list_shows_every_board(cli):
    outcome = cli("boards", "list")
    assert outcome.status == 0
    assert max(map(len, outcome.out.splitlines())) <= 100
    for name in board_names():
        assert f"\n{name} " in outcome.out


def test_the_list_as_json(cli):
    rows = json.loads(cli("boards", "list", "--json").out)
    assert [(row["name"], row["winner"]) for row in rows] == [(board.name, board.expected) for board in all_boards()]


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", board_names())
def test_a_shown_board_reads_back(cli, name, tmp_path):
    board = next(board for board in all_boards() if board.name == name)
    for flags in (["--json"], ["--labels"], ["--no-labels"]):
        out = cli("boards", "show", name, *flags).out
        text = out if "--json" in flags else out.split("\n\n", 1)[1]
        read = parse_position(text)
        assert (read.game, read.red, read.blue) == (board.position.game, board.position.red, board.position.blue)


def test_the_winning_chain_keeps_its_capitals(cli):
    out = cli("boards", "show", "small", "--no-labels").out.split("\n\n", 1)[1]
    board = next(board for board in all_boards() if board.name == "small")
    assert out.count("R") == len(winning_chain(board.position, "red"))
    assert "B" not in out


def test_pictures(cli, tmp_path):
    picture = cli("boards", "show", "snake", "--svg", "-").out
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    file = tmp_path / "snake.svg"
    outcome = cli("boards", "show", "snake", "--svg", str(file))
    assert (outcome.status, outcome.out, file.read_text()) == (0, "", picture)


def test_a_picture_into_a_folder_that_is_not_there(cli, tmp_path):
    assert (
        "No such file or directory" in cli("boards", "show", "snake", "--svg", str(tmp_path / "no" / "x.svg")).refused()
    )


def test_text_and_files_are_boards_too(cli, tmp_path):
    file = tmp_path / "board.txt"
    file.write_text("R R .\n. B B\n")
    assert cli("boards", "show", str(file)).out.startswith("2x3 Hex, 2 red, 2 blue; nobody has won")
    assert cli("boards", "show", "size 5, red c3, blue b4").out.startswith("5x5 Hex, 1 red, 1 blue; nobody")
    assert cli("boards", "show", "c3 b4", "--size", "5").out.startswith("5x5 Hex, 1 red, 1 blue; nobody")


def test_an_unknown_board(cli):
    assert (
        cli("boards", "show", "snakes").refused().startswith("unknown board 'snakes' (did you mean snake?; or a file")
    )
