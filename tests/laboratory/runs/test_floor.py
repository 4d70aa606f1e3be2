"""The start-up floor of each engine: measured by real workers, kept by a resumed session, marked in the tables."""

from __future__ import annotations

import itertools
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hexlogic.laboratory.records.store import RecordWriter, read_records
from hexlogic.laboratory.records.types import Session
from hexlogic.laboratory.runs import run as measuring
from hexlogic.laboratory.runs.kinds.floor import FLOOR_REPEATS, measure_floors
from hexlogic.laboratory.runs.kinds.question import BELOW_S
from hexlogic.laboratory.runs.plan import Plan, make_plan, parse_suite
from hexlogic.laboratory.runs.run import execute_plan, measure
from hexlogic.laboratory.runs.session import new_session
from hexlogic.language.engines import engine_names, installed_engines

SUITE = """
name = "small"
boards = ["difficult-1@3"]
limits = {{ cpu_s = 20, memory_mb = 800, wall_s = 3600 }}
repeats = 1
warm_ups = 0
[[configurations]]
rule_sets = ["clusters"]
pipelines = ["ground"]
engines = {engines}
"""


QUICK = """
import sys
sys.stdin.read()
print('{"status":"answered","answer":true}')
"""


@pytest.fixture
def quick_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that says yes to everything, where only the order of things matters."""
    monkeypatch.setattr(measuring, "WORKER", (sys.executable, "-S", "-c", QUICK))


def plan_on(*engines: str) -> Plan:
    return make_plan(parse_suite(SUITE.format(engines=json.dumps(engines)), "s"), "s")


def header(plan: Plan) -> Session:
    return new_session(plan, jobs=1, warm_up_jobs=1, command=[], started=datetime.now(UTC))


@pytest.mark.takes_seconds
def test_smallest_query_has_the_right_answer_on_every_engine() -> None:
    engines = [engine.name for engine in installed_engines()]
    floors = list(measure_floors(header(plan_on(*engine_names())), measure))
    assert {(one.engine, one.repeat) for one in floors} == {(n, r) for n in engines for r in range(FLOOR_REPEATS)}
    for floor in floors:
        assert (floor.status, floor.category, floor.message) == ("answered", "correct", None)
        assert floor.phases.query_s is not None
        # On a busy machine even the smallest query may take longer than what is asked again.
        short = floor.phases.query_s < BELOW_S
        assert (floor.warm_query_s is not None) is short
        assert (floor.warm_queries > 0) is short
        assert floor.usage.peak_bytes is not None


def test_floors_come_in_rounds_before_the_first_run(tmp_path: Path, quick_worker: None) -> None:
    plan = plan_on("clingo", "pydatalog")
    session = header(plan)
    with RecordWriter(tmp_path) as writer:
        execute_plan(plan, session, writer, floors=True)
    kinds = [json.loads(line)["record"] for line in (tmp_path / "records.jsonl").read_text().splitlines()]
    assert kinds == ["session"] + ["floor"] * 2 * FLOOR_REPEATS + ["run"] * 2 + ["end"]
    records = read_records(tmp_path)
    assert [(one.engine, one.repeat) for one in records.floors] == [
        (engine, repeat) for repeat in range(FLOOR_REPEATS) for engine in ("clingo", "pydatalog")
    ]


def test_floors_that_are_there_are_not_measured_again(quick_worker: None) -> None:
    session = header(plan_on("clingo", "pydatalog"))
    some = list(measure_floors(session, measure))[:3]
    more = list(measure_floors(session, measure, has=some))
    assert [(one.engine, one.repeat) for one in more] == [("pydatalog", 1), ("clingo", 2), ("pydatalog", 2)]
    assert list(measure_floors(session, measure, has=[*some, *more])) == []


def test_session_killed_while_measuring_floors_goes_on(tmp_path: Path, quick_worker: None) -> None:
    """The file ends after two floors and half a line; resumed, each floor and each run is there once."""
    plan = plan_on("clingo", "pydatalog")
    session = header(plan)
    with RecordWriter(tmp_path) as writer:
        writer.write(session)
        for floor in itertools.islice(measure_floors(session, measure), 2):
            writer.write(floor)
    with (tmp_path / "records.jsonl").open("ab") as file:
        file.write(b'{"record":"floor","eng')
    before = read_records(tmp_path)
    assert len(before.floors) == 2
    with RecordWriter(tmp_path, resume=True) as writer:
        execute_plan(plan, session, writer, floors=True)
    after = read_records(tmp_path)
    keys = [(one.engine, one.repeat) for one in after.floors]
    assert sorted(keys) == [(engine, r) for engine in ("clingo", "pydatalog") for r in range(FLOOR_REPEATS)]
    assert after.floors[:2] == before.floors
    assert len(after.runs) == 2


def test_engine_that_cannot_answer_the_smallest_query_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "WORKER", (sys.executable, "-S", "-c", "import os; os.abort()"))
    floors = list(measure_floors(header(plan_on("clingo")), measure))
    assert {(one.status, one.category, one.phases.query_s) for one in floors} == {("crashed", "unknown", None)}


def test_run_says_what_the_engine_and_the_machine_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (1.25, 9.0, 9.0))
    plan = plan_on("clingo")
    session = header(plan)
    with RecordWriter(tmp_path) as writer:
        execute_plan(plan, session, writer)
    (run,) = read_records(tmp_path).runs
    assert run.options == session.engines["clingo"].options
    assert (run.machine.swapped_bytes is None) == (not Path("/proc/vmstat").exists())
    assert run.machine.load_1m == session.load_1m == 1.25
