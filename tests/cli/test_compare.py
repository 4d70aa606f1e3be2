"""`hexlogic compare`: its exit status, and what it refuses."""

from __future__ import annotations

import json

import msgspec
import pytest

from hexlogic.laboratory.records.store import decode_record
from hexlogic.laboratory.records.types import Run, encode_record

SUITE = """name = "mine"
boards = ["difficult-1@3"]
repeats = 5

[limits]
cpu_s = 10
memory_mb = 500
wall_s = 3600

[[configurations]]
rule_sets = ["clusters"]
pipelines = ["none", "ground"]
engines = ["clingo"]
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Records of a small suite, really measured; the times are then set, so that no other work on the machine is in
    them."""
    from hexlogic.cli import run

    folder = tmp_path_factory.mktemp("measured")
    (folder / "mine.toml").write_text(SUITE)
    assert run(["bench", "--suite", str(folder / "mine.toml"), "--out", str(folder / "real")]) == 0
    return copy(folder / "real", folder / "old", at_rest)


def copy(old, new, change):
    """The same records as a session named by its folder, each run changed."""
    new.mkdir()
    lines = []
    for line in (old / "records.jsonl").read_bytes().splitlines():
        record = decode_record(line)
        if isinstance(record, Run):
            record = change(record)
        if record.session is not None:
            record = msgspec.structs.replace(record, session=str(new))
        lines.append(encode_record(record) + b"\n")
    (new / "records.jsonl").write_bytes(b"".join(lines))
    return new


def at_rest(run):
    """The run with a query of 10 ms, up to 0.5 % more by its number, on a processor all the time."""
    query_s = 0.01 * (1 + 0.001 * run.repeat)
    phases = msgspec.structs.replace(run.phases, ground_s=None, solve_s=query_s, query_cpu_s=query_s)
    return msgspec.structs.replace(run, phases=phases)


def slower(run):
    factor = 50 if run.pipeline == "ground" else 1
    phases = run.phases
    names = ("ground_s", "solve_s", "query_cpu_s")
    values = {name: getattr(phases, name) for name in names}
    longer = {name: factor * value for name, value in values.items() if value is not None}
    return msgspec.structs.replace(run, phases=msgspec.structs.replace(phases, **longer))


@pytest.mark.takes_seconds
def test_the_same_is_no_worse(cli, measured, tmp_path):
    outcome = cli("compare", str(measured), str(copy(measured, tmp_path / "new", lambda run: run)))
    assert outcome.status == 0
    assert "2 of the 2 intervals hold 1" in " ".join(outcome.out.split())


def test_slower_is_exit_1_and_says_by_how_much(cli, measured, tmp_path):
    new = copy(measured, tmp_path / "new", slower)
    outcome = cli("compare", str(measured), str(new))
    assert outcome.status == 1
    assert "50x slower" in outcome.out
    data = json.loads(cli("compare", str(measured), str(new), "--json").out)
    assert data["worse"] is True
    assert {cell["cell"][1]: cell["verdict"] for cell in data["cells"]}["ground"] == "slower"
    (cell,) = [cell for cell in data["cells"] if cell["cell"][1] == "ground"]
    assert cell["ratio"]["ratio"] == pytest.approx(50)
    assert cli("compare", str(measured), str(new), "--threshold", "5000").status == 0


@pytest.mark.takes_seconds
def test_the_other_way_round_is_no_worse(cli, measured, tmp_path):
    outcome = cli("compare", str(copy(measured, tmp_path / "old", slower)), str(measured))
    assert outcome.status == 0
    assert "50x faster" in outcome.out


def test_bad_input_is_one_line(cli, measured, tmp_path):
    assert "cannot read records" in cli("compare", str(measured), str(tmp_path / "none")).refused()
    assert "the same session" in cli("compare", str(measured), str(measured)).refused()
    assert "no factor" in cli("compare", str(measured), str(measured), "--threshold", "0").refused()
    empty = tmp_path / "empty.json"
    empty.write_text("{}")
    assert cli("compare", str(measured), str(empty)).refused().startswith(f"{empty}: not benchmarks of hexlogic: ")


@pytest.mark.slow
def test_two_sessions_of_one_suite_agree_within_their_intervals(cli, tmp_path):
    """Really measured twice: no cell may be told to have changed, and counters repeat exactly."""
    text = SUITE.replace("difficult-1@3", "difficult-1").replace('["none", "ground"]', '["none", "ground", "reorder"]')
    (tmp_path / "mine.toml").write_text(text.replace('["clingo"]', '["clingo", "pydatalog"]'))
    for name in ("old", "new"):
        assert cli("bench", "--suite", str(tmp_path / "mine.toml"), "--out", str(tmp_path / name)).status == 0
    outcome = cli("compare", str(tmp_path / "old"), str(tmp_path / "new"), "--json")
    data = json.loads(outcome.out)
    assert outcome.status == 0, outcome
    assert len(data["cells"]) == 6
    assert not any(cell["work"] for cell in data["cells"])
    assert not data["worse"]
