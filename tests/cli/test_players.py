"""`hexlogic tournament`, `openings`, `htp` and `convert`: what they print, and how they refuse."""

from __future__ import annotations

import io
import json
import sys

import pytest

from hexlogic.players.tournament.openings import openings_for


def test_tournament_prints_results_and_ratings(cli, tmp_path):
    arguments = ["tournament", "--players", "random,bridge", "--size", "5", "--games", "4", "--seed", "1"]
    outcome = cli(*arguments, "--out", str(tmp_path / "a"), "--json")
    assert outcome.status == 0, outcome
    data = json.loads(outcome.out)
    (result,) = data["results"]
    assert (result["one"], result["two"], result["games"]) == ("random", "bridge", 4)
    assert (result["wins"], result["losses"]) == (0, 4)
    assert [each["player"] for each in data["ratings"]] == ["bridge", "random"]
    assert (tmp_path / "a" / "page.html").is_file()
    assert len(list((tmp_path / "a" / "games").glob("*.sgf"))) == 4
    again = cli(*arguments, "--out", str(tmp_path / "b"))
    assert again.status == 0
    assert "random - bridge  0-4" in again.out
    resumed = cli(*arguments, "--out", str(tmp_path / "a"), "--resume", "--json")
    assert json.loads(resumed.out)["results"] == data["results"]


def test_a_program_may_take_part(cli, tmp_path):
    command = f"{sys.executable} -m hexlogic htp --player bridge --no-swap"
    outcome = cli(
        *("tournament", "-p", "random", "-e", f"ours={command}", "-s", "4", "-k", "2", "--json"),
        *("--out", str(tmp_path / "a"), "--openings", "none"),
    )
    assert outcome.status == 0, outcome
    assert {each["player"]: each["wins"] for each in json.loads(outcome.out)["ratings"]} == {"ours": 2, "random": 0}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["-p", "random"], "--players: a tournament needs two players (such as bridge,mcts:1000)"),
        (["-p", "random,bridg"], "unknown player 'bridg' (did you mean bridge?)"),
        (["-p", "random,random"], "--players: the player random is given twice"),
        (["-p", "random,bridge", "-s", "big"], "'big' is not a size (such as 9, or 9x11 for rows x columns)"),
        (["-p", "random,bridge", "-s", "99"], "a Hex board cannot have 99 rows (each side has 1 to 64 cells)"),
        (
            ["-p", "random,bridge", "--openings", "none.txt"],
            "none.txt: cannot read openings: no such file or directory",
        ),
        (["-p", "random,bridge", "--clock", "sun"], "--clock: 'sun' is no clock (wall or cpu)"),
        (["-p", "random,bridge", "--resume"], "--resume needs the folder (give it with --out)"),
        (["-p", "random", "-e", ""], "--engine: the command of an engine is empty (such as 'wolve --quiet')"),
        (["-p", "random", "-e", "/nowhere/x"], "x does not start: "),
        (["-p", "random,rules:none.lp"], "none.lp: cannot read the rules: no such file or directory"),
    ],
)
def test_wrong_tournaments_are_refused(cli, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    outcome = cli("tournament", *arguments, *([] if "--resume" in arguments else ["--out", "out"]))
    assert (outcome.status, outcome.out) == (2, "")
    assert "Traceback" not in outcome.err
    assert outcome.err.splitlines()[-1].startswith(line)


def test_openings_are_found_and_read_back(cli, tmp_path):
    file = tmp_path / "openings.txt"
    outcome = cli("openings", "--size", "5", "--count", "3", "--playouts", "50", "--games", "0", "--out", str(file))
    assert outcome.status == 0, outcome
    assert file.read_text(encoding="utf-8").startswith("# Balanced openings of 5x5 Hex")
    assert len(openings_for(str(file), "5")) == 3


def test_htp_answers_on_stdout(cli, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("boardsize 5\n2 genmove black\nfly\nquit\n"))
    outcome = cli("htp", "--player", "two-distance")
    answers = outcome.out.split("\n\n")
    assert outcome.status == 0
    assert (answers[0], answers[2], answers[3]) == ("= ", "? unknown command: fly", "= ")
    assert answers[1].startswith("=2 ")


def test_htp_refuses_an_unknown_player(cli):
    assert cli("htp", "--player", "wolve").refused().startswith("unknown player 'wolve'")


def test_convert_between_all_formats(cli, tmp_path):
    sgf = "(;GM[11]SZ[5];B[c2];W[swap-pieces];B[a1])"
    assert cli("convert", sgf, "--to", "hexworld").out == "https://hexworld.org/board/#5c1,c2:sa1\n"
    assert cli("convert", sgf, "--to", "moves").out == "5x5\nred b3, blue swap-pieces, red a1\n"
    file = tmp_path / "game.sgf"
    file.write_text(sgf, encoding="utf-8")
    assert cli("convert", str(file), "--to", "htp").out.splitlines() == [
        "boardsize 5 5",
        "play black c2",
        "play white swap-pieces",
        "play black a1",
    ]
    position = cli("convert", str(file), "--to", "position").out
    assert position.splitlines() == ["R . . . .", ". . B . .", ". . . . .", ". . . . .", ". . . . ."]
    out = tmp_path / "back.sgf"
    assert cli("convert", "#5c1,c2:sa1", "--out", str(out)).status == 0
    assert cli("convert", str(out), "--to", "moves").out == cli("convert", sgf, "--to", "moves").out
    golem = cli("convert", sgf, "--to", "little-golem").out
    assert golem == "(;FF[4]SZ[5];B[cb];W[swap];B[aa])\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["none.sgf"], "none.sgf: there is no such file"),
        (["(;GM[1]SZ[5])"], "<argument>:1:6: game number '1' is not Hex (Hex is GM[11])"),
        (["(;GM[11]SZ[5];B[a1];W[a1])"], "<argument>:1:23: cell a1 is already black"),
        (["#5c1,a1", "--to", "pdf"], "--to: unknown format 'pdf' (sgf, little-golem, hexworld, htp, moves, position)"),
        (["#5c1,a1", "--from", "pdf"], "unknown format 'pdf'"),
        (["what is this", "--to", "moves"], "<argument>: this is in no known format (give one: sgf, "),
        (["3x4 a1 b2", "--to", "hexworld"], "a HexWorld link needs a square board, not 3x4"),
    ],
)
def test_wrong_games_are_refused(cli, arguments, line):
    assert cli("convert", *arguments).refused().startswith(line)
