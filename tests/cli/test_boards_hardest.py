"""`hexlogic boards hardest`: what it prints, draws and refuses."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest

from hexlogic.games import RED, Hex, has_won, parse_position
from hexlogic.laboratory.hardest import SearchProgress


def test_the_board_its_figure_and_the_proof(cli):
    outcome = cli("boards", "hardest", "--size", "4", "--stones", "6")
    assert outcome.status == 0
    head, board = outcome.out.split("\n\n")
    lines = head.splitlines()
    assert lines[0] == "4x4 Hex, 6 red, 0 blue; red has not won"
    assert lines[1].startswith("11 partial chains = ")
    assert sum(int(part) for part in lines[1].split(" = ")[1].removesuffix(", by length").split(" + ")) == 11
    assert lines[2].startswith("proved: no 6 stones make more than 11 partial chains")
    position = parse_position(board)
    assert (position.game, len(position.red), has_won(position, RED)) == (Hex.square(4), 6, False)


def test_one_json_object(cli):
    outcome = cli("boards", "hardest", "-s", "3x4", "-k", "5", "--json")
    data = json.loads(outcome.out)
    position = parse_position(json.dumps(data["position"]))
    assert (position.game, len(position.red)) == (Hex(3, 4), 5)
    assert data["proved"]
    assert data["figure"] == sum(data["chains"]) <= data["bound"]


def test_pictures(cli, tmp_path):
    picture = cli("boards", "hardest", "-s", "3", "-k", "4", "--svg", "-").out
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    file = tmp_path / "hard.svg"
    outcome = cli("boards", "hardest", "-s", "3", "-k", "4", "--svg", str(file))
    assert outcome.out.startswith("3x3 Hex, 4 red")
    assert f"wrote {file}" in outcome.err
    assert file.read_text() == picture


def test_too_little_time_says_how_far_it_got(cli):
    outcome = cli("boards", "hardest", "-s", "11", "-k", "40", "--time", "0.1")
    assert outcome.status == 0
    assert "best found, optimality not proved" in outcome.out
    assert "proved:" not in outcome.out


def test_an_interrupt_prints_the_best_board(cli, monkeypatch):
    def interrupted(job, task, *, time_s, report):
        report(SearchProgress(5, [1, 4, 7, 8], 4))
        raise KeyboardInterrupt

    monkeypatch.setattr("hexlogic.laboratory.hardest.run_job", interrupted)
    outcome = cli("boards", "hardest", "-s", "3", "-k", "4")
    assert (outcome.status, outcome.err) == (130, "interrupted\n")
    assert "clingo: interrupted" in outcome.out
    assert "R" in outcome.out.split("\n\n")[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-s", "4", "-k", "13"], "--stones: red has won 4x4 Hex with any 13 stones (at most 12 stones"),
        (["-s", "4", "-k", "17"], "--stones: 17 stones do not fit on 4x4 Hex (it has 16 cells)"),
        (["-s", "4", "-k", "0"], "--stones: 0 stones make no board to search for (at least 1)"),
        (["-s", "4", "-k", "-2"], "--stones: -2 stones make no board"),
        (["-s", "1", "-k", "1"], "--stones: red has won 1x1 Hex with any 1 stone (a board of one column"),
        (["-s", "-3", "-k", "4"], "--size: '-3' is not a size"),
        (["-s", "0", "-k", "4"], "--size: "),
        (["-s", "4", "-k", "x"], "Invalid value for '--stones'"),
        (["-s", "4", "-k", "4", "--time", "0"], "Invalid value for '--time'"),
        (["-k", "4"], "Missing option '--size'"),
    ],
)
def test_refusals(cli, arguments, words):
    assert cli("boards", "hardest", *arguments).refused().startswith(words)
