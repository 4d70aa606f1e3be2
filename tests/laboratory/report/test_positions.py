"""Many positions in the report: the page, the row of the front page, and what is said where a method did not finish."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

import pytest

from hexlogic.laboratory.records.store import FILE_NAME
from hexlogic.laboratory.records.types import Category, Exit, Measured, Phases, Status
from hexlogic.laboratory.report.advice import advise
from hexlogic.laboratory.report.build import make_report
from hexlogic.laboratory.report.document import Table
from hexlogic.laboratory.report.results import Results, read_results
from hexlogic.laboratory.report.topics.positions import judged_positions
from hexlogic.laboratory.runs.kinds.positions import Method, PositionsRun
from hexlogic.process.limits import Termination
from tests.laboratory.report.folders import measured, stored
from tests.laboratory.report.records import encoded, session


def judged(
    rule_set: str,
    method: Method,
    cpu_s: Sequence[float],
    *,
    size: int = 9,
    positions: int = 1000,
    status: Status = "answered",
    category: Category = "correct",
) -> list[PositionsRun]:
    """A run for each of `cpu_s`, the CPU seconds of all its positions."""
    termination: Termination = "cpu-limit" if status == "timeout" else "completed"
    return [
        PositionsRun(
            key=f"{rule_set} {method} {size} {repeat}",
            rule_set=rule_set,
            rule_set_hash="h",
            size=size,
            method=method,
            seed=repeat,
            warmup=False,
            repeat=repeat,
            counted=True,
            positions=positions if status == "answered" else None,
            phases=Phases(load_s=1.0, query_cpu_s=spent_s if status == "answered" else None),
            usage=Measured(cpu_s=2.0, wall_s=2.0, peak_bytes=10**8),
            termination=termination,
            exit=Exit(code=0, signal=None),
            status=status,
            category=category if status == "answered" else "unknown",
            message="the referee says otherwise" if category == "wrong" else None,
        )
        for repeat, spent_s in enumerate(cpu_s)
    ]


def results_of(folder: Path, runs: Sequence[PositionsRun]) -> Results:
    file = stored(folder / "records", measured(), session()) / FILE_NAME
    *lines, end = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines, encoded(runs), end]))
    return read_results([folder / "records"])


RUNS = [
    *judged("follow-line-tabled", "packed", [0.0010, 0.0011, 0.0009]),
    *judged("follow-line-tabled", "asked", [1.0, 1.1, 0.9]),
    *judged("clusters", "packed", [0.0050, 0.0051, 0.0049]),
    *judged("clusters", "asked", [], positions=0),
    *judged("clusters", "packed", [0.0001, 0.0001, 0.0001], size=5),
]


def test_the_front_page_has_a_row_for_millions_of_positions(tmp_path):
    results = results_of(tmp_path, RUNS)
    (row,) = [one for one in advise(results) if one.tool == "millions of positions"]
    assert (row.rule_set, row.engine, row.against) == ("follow-line-tabled", "Batch, packed", "asked one by one")
    assert row.cost == "1.0 µs a position, n = 9"
    assert row.relation.kind == "Faster"
    assert row.relation.value == pytest.approx(1000)
    assert row.repeat.startswith("hexlogic bench --rules follow-line-tabled --positions 9 ")


def test_the_page_says_what_was_measured(tmp_path):
    results = results_of(tmp_path, RUNS)
    report = make_report(results)
    (page,) = [one for one in report.pages if one.name == "positions"]
    assert page.finding.startswith("follow-line-tabled judges a position of 9x9 in 1.0 µs (packed)")
    (table,) = [block for block in page.blocks if isinstance(block, Table)]
    assert len(table.rows) == 4
    times = {
        (judged.rule_set, judged.size, judged.pipeline): judged.position_s
        for judged in judged_positions(*results.suites)
    }
    for rule_set, size, method in times:
        own = [run for run in RUNS if (run.rule_set, run.size, run.method) == (rule_set, size, method)]
        every = [(run.phases.query_cpu_s or 0.0) / (run.positions or 1) for run in own]
        assert times[rule_set, size, method] == statistics.median(every)


def test_a_method_that_met_the_limit_has_no_time_and_makes_no_factor(tmp_path):
    late = judged("clusters", "asked", [1.0, 1.0], status="timeout")
    results = results_of(tmp_path, [*RUNS[6:9], *late])
    first, second = judged_positions(*results.suites)
    assert (first.pipeline, first.position_s) == ("packed", 0.005 / 1000)
    assert (second.pipeline, second.position_s) == ("asked", None)
    (row,) = [one for one in advise(results) if one.tool == "millions of positions"]
    assert row.relation.kind == "NoBaseline"


def test_wrong_positions_are_an_alarm_and_no_advice(tmp_path):
    wrong = judged("clusters", "packed", [0.001, 0.001], category="wrong")
    results = results_of(tmp_path, wrong)
    assert not [one for one in advise(results) if one.tool == "millions of positions"]
    report = make_report(results)
    assert any(text.startswith("WRONG ANSWER: clusters, many positions of 9x9, packed") for text in report.alarms)


def test_without_such_runs_there_is_no_page(tmp_path):
    report = make_report(read_results([stored(tmp_path / "records", measured(), session())]))
    assert "positions" not in [page.name for page in report.pages]
    assert "- Many positions: `hexlogic bench --positions 9`." in report.markdown()
