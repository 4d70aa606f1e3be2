"""`hexlogic solve` and `hexlogic analyse`: answers, JSON for programs, certificates, bad input."""

from __future__ import annotations

import json
import re

import pytest

from hexlogic.games import Hex, Position
from hexlogic.players.connections import Connections


def test_openings_as_json(cli):
    outcome = cli("solve", "--openings", "3", "--json")
    assert outcome.status == 0
    answer = json.loads(outcome.out)
    assert answer["size"] == 3
    assert answer["openings"] == {
        **dict.fromkeys(["a1", "a2", "c2", "c3"], "blue"),
        **dict.fromkeys(["b1", "c1", "b2", "a3", "b3"], "red"),
    }


def test_a_size_that_is_none_is_told_with_its_option(cli):
    outcome = cli("solve", "--openings", "9x")
    assert (outcome.status, outcome.err) == (
        2,
        "--openings: '9x' is not a size (such as 9, or 9x11 for rows x columns)\n",
    )


def test_a_position_as_json(cli):
    outcome = cli("solve", "red b2, blue a2", "--size", "3", "--json")
    answer = json.loads(outcome.out)
    assert (outcome.status, answer["winner"], answer["move"]) == (0, "red", "a3")
    assert set(answer) == {"winner", "move", "proof"}
    assert "move" in cli("solve", "red b2", "--size", "3", "--json").out


def test_a_certificate_is_written_and_checked(cli, tmp_path):
    path = tmp_path / "b2.json"
    assert cli("solve", "red b2", "--size", "4", "--certificate", str(path)).status == 0
    assert re.fullmatch(
        r"accepted: (red|blue) wins on 4x4, blue to move; red: b2; blue: no stone; with \d+ empty cells\n",
        cli("solve", "--check", str(path)).out,
    )
    told = json.loads(cli("solve", "--check", str(path), "--json").out)
    assert (told["accepted"], told["reason"], told["rows"], told["columns"]) == (True, None, 4, 4)
    assert (told["red"], told["blue"], told["to_move"]) == (["b2"], [], "blue")
    assert told["winner"] in ("red", "blue")
    assert told["needed"]
    assert set(told["needed"]) <= {f"{c}{r}" for c in "abcd" for r in range(1, 5)}
    spoiled = json.loads(path.read_text())
    spoiled["winner"] = "blue" if spoiled["winner"] == "red" else "red"
    path.write_text(json.dumps(spoiled))
    outcome = cli("solve", "--check", str(path))
    assert (outcome.status, outcome.out.split(":")[0]) == (1, "refused")
    assert json.loads(cli("solve", "--check", str(path), "--json").out)["accepted"] is False


def test_a_limit_that_does_not_suffice(cli):
    outcome = cli("solve", "red a1", "--size", "6", "--positions", "1", "--json")
    assert outcome.status == 1
    assert json.loads(outcome.out) == {"winner": None, "move": None, "proof": []}

    told = cli("solve", "red a1", "--size", "6", "--positions", "1")
    assert (told.status, told.out) == (1, "not solved: 1 positions were expanded and that is the limit\n")


def test_openings_that_a_limit_leaves_open(cli):
    outcome = cli("solve", "--openings", "4", "--positions", "1", "--json")
    assert outcome.status == 1
    answer = json.loads(outcome.out)
    assert None in answer["openings"].values()
    assert len(answer["openings"]) == 16
    unsolved = {name for name, winner in answer["openings"].items() if winner is None}
    assert {spent["positions"] for name, spent in answer["searched"].items() if name in unsolved} == {1}
    assert "not solved" in cli("solve", "--openings", "4", "--positions", "1").out


def test_analyse_as_json(cli):
    outcome = cli("analyse", "red b2", "--size", "3", "--json")
    answer = json.loads(outcome.out)
    connections = Connections(Position(Hex(3, 3), red=frozenset({5})))
    assert len(answer["connections"]) == sum(
        len(connections.full(player) + connections.semi(player)) for player in ("red", "blue")
    )
    assert {"player": "red", "ends": ["left", "b2"], "kind": "full", "carrier": ["a2", "a3"]} in answer["connections"]
    assert answer["must_play"] == []  # red wins whatever blue does
    one_move = json.loads(cli("analyse", "red c3", "--size", "4", "--json").out)
    board = Hex.square(4)
    expected = Connections(Position(Hex(4, 4), red=frozenset({board.parse_cell("c3")}))).must_play("blue")
    assert one_move["must_play"] == [board.cell_name(cell) for cell in sorted(expected)] != []


def test_analyse_says_why(cli):
    outcome = cli("analyse", "red b2", "--size", "3", "--why", "b2-left")
    assert outcome.out.startswith("left - b2: full, parallel, 2 semi-connections: a2 a3\n")
    records = json.loads(cli("analyse", "red b2", "--size", "3", "--why", "b2-left", "--json").out)["connections"]
    assert [step["rule"] for step in records[0]["derivation"]][-1] == "parallel"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["solve"], "solve takes a position, --openings or --check"),
        (["solve", "red a1", "--openings", "3"], "solve takes a position"),
        (["solve", "red a1, red b1", "--size", "3"], "red has 2 stones and blue 0"),
        (["solve", "--openings", "9"], "too large to solve"),
        (["solve", "y 3, red a1"], "this is for Hex boards"),
        (["analyse", "red a1", "--size", "3", "--why", "a1"], "'a1' are not two ends"),
        (["analyse", "red a1", "--size", "3", "--why", "left-z9"], "cell z9 is off the 3x3 board"),
    ],
)
def test_bad_input_is_one_line(cli, arguments, told):
    assert told in cli(*arguments).refused()


def test_a_certificate_is_about_a_position_of_a_game(cli, tmp_path):
    """The side to move can have been the second to begin, by a swap; more stones than turns are refused unsolved."""
    path = tmp_path / "c.json"
    few = ["--size", "3", "--certificate", str(path)]
    assert (
        "cannot be to move with 2 red and 0 blue" in cli("solve", "red a1, red b1", "--to-move", "red", *few).refused()
    )
    assert not path.exists()
    assert cli("solve", "blue b2", "--to-move", "red", *few).status == 0
    assert cli("solve", "--check", str(path)).out.startswith("accepted: blue wins on 3x3, red to move; red: no stone")
    stray = json.loads(path.read_text())
    path.write_text(json.dumps(stray | {"blue": [10]}))
    outcome = cli("solve", "--check", str(path))
    assert (outcome.status, outcome.out) == (1, "refused: a stone off the board\n")
    path.write_text('{"blue": [5], ' + json.dumps(stray)[1:])
    assert cli("solve", "--check", str(path)).out == "refused: a key is given twice\n"


def test_a_certificate_that_is_no_json(cli, tmp_path):
    path = tmp_path / "c.json"
    path.write_text("{\n  nonsense")
    assert cli("solve", "--check", str(path)).refused().startswith(f"{path}:2:3: ")
