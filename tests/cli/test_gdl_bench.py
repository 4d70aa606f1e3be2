"""`hexlogic gdl bench`: what it prints, how it ends, and what it refuses before anything runs."""

from __future__ import annotations

import json
import re

import pytest

from tests.checkout import CHECKOUT

GAMES = CHECKOUT / "tests" / "ggp" / "games"
BROKEN = CHECKOUT / "tests" / "ggp" / "broken"
NIM = str(GAMES / "nim.kif")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "nothing to play (give a sheet, or --hex 5,7,9)"),
        ([NIM, "--rules", "clusters"], "--rules names rule sets to export"),
        (["none.kif"], "none.kif: cannot be read"),
        ([str(BROKEN / "syntax.kif")], f"{BROKEN / 'syntax.kif'}:"),
        (["--hex", "x"], "--hex: 'x' is not a size"),
        (["--hex", "3", "--rules", "cluster"], "unknown rule set for hex 'cluster' (did you mean clusters"),
        (["--hex", "3", "--rules", "power-set"], "power-set is incomplete (misses every chain"),
        ([NIM, "--reasoners", "clingoo"], "unknown reasoner 'clingoo' (did you mean clingo?)"),
        ([NIM, "--reasoners", "referee"], "there is nothing to play (baseline players know boards and no files)"),
        ([NIM, "--limit", "0"], "a CPU limit of 0 leaves nothing to run"),
        ([NIM, "--memory", "-1"], "a memory limit of -1 leaves nothing to run"),
        ([NIM, "--games", "0"], "Invalid value for '--games'"),
        ([NIM, "--seconds", "0"], "Invalid value for '--seconds'"),
    ],
)
def test_refused_in_one_line_and_nothing_written(cli, monkeypatch, tmp_path, arguments, line):
    monkeypatch.chdir(tmp_path)
    assert cli("gdl", "bench", *arguments).refused().startswith(line)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_holds_records_is_left_alone(cli, tmp_path):
    (tmp_path / "records.jsonl").write_text("{}\n")
    told = cli("gdl", "bench", NIM, "--out", str(tmp_path)).refused()
    assert "holds records already" in told


def test_tables_records_and_json(cli, tmp_path):
    few = ["--reasoners", "clingo,referee", "--games", "30"]
    rules = ["--hex", "3", "--rules", "clusters"]
    done = cli("gdl", "bench", NIM, *rules, *few, "--out", str(tmp_path / "a"), "--json")
    assert done.status == 0
    line = r"^(.+) on (\w+), .*: (?:[0-9,.]+|more than the clock tells) playouts/s \((\d) of 3\)$"
    figures = re.findall(line, done.err, re.MULTILINE)
    assert sorted(player for *player, _ in figures) == [
        ["clusters", "clingo"],
        ["nim", "clingo"],
        ["the referee", "referee"],
    ]
    assert [number for *_, number in figures] == ["1", "2", "3"]
    data = json.loads(done.out)
    assert data["records"] == str(tmp_path / "a" / "records.jsonl")
    assert {(one["sheet"], one["reasoner"], one["games"]) for one in data["playouts"]} == {
        ("clusters", "clingo", 30),
        ("the referee", "referee", 30),
        ("nim", "clingo", 30),
    }
    assert data["wrong"] == []
    again = cli("gdl", "bench", NIM, *rules, *few, "--out", str(tmp_path / "a"), "--resume")
    assert again.status == 0
    assert "resumed: 3 runs are measured already" in again.err
    assert "hex 3x3: random playouts" in again.out
    assert "hex 3x3: 2 players of 60 games agree within 4 standard errors" in " ".join(again.out.split())


def test_a_game_that_never_ends_is_a_cell_with_its_reason(cli, tmp_path):
    few = ["--reasoners", "clingo", "--games", "3", "--longest", "50"]
    done = cli("gdl", "bench", str(BROKEN / "endless.kif"), *few, "--out", str(tmp_path / "a"))
    assert done.status == 0
    assert "on clingo: a random game was not over after 50 steps" in " ".join(done.out.split())


@pytest.mark.takes_seconds
def test_who_plays_another_game_ends_it_with_status_1(cli, tmp_path, monkeypatch):
    """The referee's figures are moved by a tenth of a game."""
    file = tmp_path / "a" / "records.jsonl"
    few = ["--hex", "3", "--rules", "clusters", "--reasoners", "clingo,referee", "--games", "400", "--out"]
    assert cli("gdl", "bench", *few, str(file.parent)).status == 0
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line.get("reasoner") == "referee":
            for batch in line["played"]["batches"]:
                batch["steps"] += 2 * batch["games"]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = cli("gdl", "bench", *few, str(file.parent), "--resume")
    assert done.status == 1
    assert "WRONG: clusters on clingo, hex 3x3: games of" in done.err


def test_explain_counts_tuples_by_rule(cli):
    """Within the limit of 10 CPU seconds, also where numba compiles for longer."""
    done = cli("gdl", "bench", NIM, "--explain", "--games", "3", "--json")
    assert done.status == 0
    data = json.loads(done.out)
    by_line = {row["line"]: row for row in data["rules"]}
    assert data["states"] == 13
    assert by_line[23]["rule"].startswith("legal_reduce(P,H,N) :- ")
    assert by_line[31]["made"] == 10 / 13, "the turn passes in each step of three games"
    assert by_line[23]["looked at"] > by_line[23]["made"] > 1
    again = cli("gdl", "bench", NIM, "--explain", "--games", "3", "--json")
    assert again.out == done.out
    table = cli("gdl", "bench", str(GAMES / "breakthrough.kif"), "--explain", "-n", "2", "--limit", "300").out
    assert "kept" in table.split("\n", 1)[1]
    for several in (("--hex", "5"), (NIM, NIM), (NIM, "--hex", "5")):
        assert "--explain is about one sheet" in cli("gdl", "bench", *several, "--explain").refused()
    assert "empty list" in cli("gdl", "bench", str(BROKEN / "syntax.kif"), "--explain").refused()
