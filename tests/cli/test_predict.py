"""`hexlogic predict`: from games to proved rules on a small set, JSON for programs, bad input."""

from __future__ import annotations

import json

import pytest


def test_from_end_to_end_on_a_small_set(cli, tmp_path):
    """The documented session on 5x5."""
    data, model, rules = (str(tmp_path / name) for name in ("finished", "finished.model", "rules"))
    outcome = cli("predict", "generate", "--size", "5", "--games", "2000", "--seed", "1", "--out", data)
    assert outcome.status == 0
    assert "the parity of the stones names the winner of 100.0%" in outcome.out
    trained = cli("predict", "train", data, "--clauses", "40", "--s", "5", "--epochs", "5", "--out", model, "--json")
    assert json.loads(trained.out)["validation_accuracy"] > 0.8
    assert "epoch 5 of 5" in trained.err
    scored = json.loads(cli("predict", "evaluate", model, data, "--no-peers", "--solver-positions", "5", "--json").out)
    assert scored["accuracy"] > scored["baselines"]["majority"]["accuracy"] + 0.2
    assert scored["interval"][0] < scored["accuracy"] < scored["interval"][1]
    baselines = {"majority", "parity", "counting", "nearest neighbour", "occupancy only", "resistance"}
    assert set(scored["baselines"]) == baselines
    table = cli("predict", "evaluate", model, data, "--no-peers", "--solver-positions", "5").out
    assert "solver (perfect play)" in table
    explained = cli("predict", "explain", model, "--clauses", "2", "--no-rules", "--out", rules, "--json")
    first = json.loads(explained.out)["explained"][0]
    assert set(first["kept"]) | set(first["redundant"]) == set(first["literals"])
    assert first["rule"].startswith(f"clause({first['clause']}) :- ")
    assert (tmp_path / "rules" / f"clause-{first['clause']}.svg").read_text().startswith("<svg")
    text = cli("predict", "explain", model, "--clauses", "1", "--no-rules").out
    assert "redundant: " in text
    chosen = json.loads(cli("predict", "explain", model, "--number", "7,2", "--no-rules", "--json").out)["explained"]
    assert [clause["clause"] for clause in chosen] == [7, 2]
    told = cli("predict", "explain", model, "--number", "2,x").refused()
    assert "--number: '2,x' is no list of whole numbers (such as 3,17)" in told
    assert (
        "there is no clause 999 (clauses are numbered 0 to"
        in cli("predict", "explain", model, "--number", "999").refused()
    )


@pytest.mark.takes_seconds
def test_one_command_from_games_to_rules(cli, tmp_path):
    for name in ("one", "two"):
        outcome = cli(
            "predict", "run", "--size", "3", "--games", "1500", "--clauses", "20", "--out", str(tmp_path / name)
        )
        assert outcome.status == 0
    assert "gradient boosting" in outcome.out
    assert "decide the sample" in outcome.out
    written = {path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()}
    assert {"card.json", "positions.npz", "machine.model", "rules/program.lp"} <= {str(path) for path in written}
    assert all((tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes() for path in written)


def test_rules_are_written_and_compared(cli, tmp_path):
    data, model, rules = (str(tmp_path / name) for name in ("d", "m", "r"))
    cli("predict", "generate", "--size", "3", "--games", "1500", "--out", data)
    cli("predict", "train", data, "--clauses", "20", "--s", "3", "--epochs", "4", "--out", model)
    found = json.loads(cli("predict", "explain", model, "--clauses", "1", "--out", rules, "--json").out)["rules"]
    assert found["same_decisions"] == found["compared"] > 0
    assert len(found["clauses"]) >= found["at_least"]
    assert "winner(red) :- #sum" in (tmp_path / "r" / "program.lp").read_text()


def test_a_csv_file_is_read(cli, tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("1,1,-1,0,1\n1,0,-1,0,1\n")
    outcome = cli("predict", "generate", "--csv", str(path), "--out", str(tmp_path / "public"), "--json")
    card = json.loads(outcome.out)
    assert (card["size"], card["rows"], card["positions"]) == (2, 2, 2)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["generate", "--out", "X", "--label", "best"], "--label: 'best' is no label (game or exact)"),
        (["generate", "--out", "X", "--first", "green"], "unknown first mover 'green'"),
        (["generate", "--out", "X", "--size", "3", "--before", "9"], "--before: 9 moves before the end (0 to 8)"),
        (["generate", "--out", "X", "--players", "nobody", "--games", "2", "--size", "3"], "unknown player 'nobody'"),
        (["generate", "--out", "X", "--size", "9", "--label", "exact", "--games", "5"], "too large to solve"),
        (["generate", "--out", "X", "--csv", "a.csv", "--size", "7"], "--csv: a file brings its own size"),
        (["generate", "--out", "X", "--csv", "missing.csv"], "missing.csv: cannot be read: no such file or directory"),
        (["train", "nowhere", "--out", "X"], "nowhere: there is no data set here"),
        (["train", "nowhere", "--out", "X", "--clauses", "0"], "--clauses: 0 is too small (at least 1)"),
        (["train", "nowhere", "--out", "X", "--view", "upside"], "unknown view 'upside'"),
        (["evaluate", "no.model", "nowhere"], "no.model: there is no model here"),
    ],
)
def test_bad_input_is_one_line(cli, arguments, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert told in cli("predict", *arguments).refused()


def test_files_that_are_something_else(cli, tmp_path):
    model = tmp_path / "text.model"
    model.write_text("nonsense")
    assert cli("predict", "explain", str(model)).refused().startswith(f"{model}: this is no model: ")
    data = tmp_path / "data"
    cli("predict", "generate", "--size", "3", "--games", "20", "--out", str(data))
    (data / "card.json").write_text("{\n  nonsense")
    assert cli("predict", "train", str(data), "--out", str(model)).refused().startswith(f"{data / 'card.json'}:2:3: ")
    (data / "positions.npz").write_text("nonsense")
    assert "no data set" in cli("predict", "train", str(data), "--out", str(model)).refused()


def test_a_sweep_is_kept_and_resumed(cli, tmp_path):
    data = str(tmp_path / "data")
    cli("predict", "generate", "--size", "4", "--games", "400", "--out", data)
    arguments = ["--name", "small", "--clauses", "4,8", "--s", "3", "--threshold", "2x", "--symbols", "occupancy+won"]
    arguments += ["--epochs", "1", "--no-peers", "--solver-positions", "2", "--out", str(tmp_path)]
    first = cli("predict", "sweep", data, *arguments, "--json")
    models = json.loads(first.out)["models"]
    assert [model["card"]["threshold"] for model in models] == [8, 16]
    assert "epoch 1 of 1" in first.err
    assert "100% of the work" in first.err
    again = cli("predict", "sweep", data, *arguments)
    assert "epoch" not in again.err
    assert "95 % interval" in again.out


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--clauses", "4,x", "--clauses: '4,x' is no list of whole numbers (such as 100,200)"),
        ("--seeds", "1.5", "--seeds: '1.5' is no list of whole numbers (such as 1,2)"),
        ("--threshold", "many", "--threshold: 'many' is no threshold (such as 400 or 2x)"),
        ("--clauses", "0", "--clauses: 0 is too small (at least 1)"),
    ],
)
def test_lists_of_a_sweep_that_are_none(cli, option, value, told):
    assert told in cli("predict", "sweep", "nowhere", "--name", "x", "--out", "y", option, value).refused()
