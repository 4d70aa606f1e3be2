"""What is said of times that are too near the floor or vary, and of a machine that was busy with something else."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hexlogic.laboratory.records.store import RecordFile
from hexlogic.laboratory.records.types import Category, Floor, Measured, Phases, Run
from hexlogic.laboratory.report import render_report
from hexlogic.laboratory.report.quality import doubt_marks, explain_marks, warm_mark
from hexlogic.laboratory.report.statistics import ConfigurationStats, summarise
from hexlogic.laboratory.report.terminal import report_data
from hexlogic.process.limits import Load
from tests.laboratory.report.records import records, run


def floor(engine: str, ms: float | None, warm_ms: float | None = None, category: Category = "correct") -> Floor:
    return Floor(
        engine=engine,
        repeat=0,
        phases=Phases(solve_s=None if ms is None else ms / 1000),
        warm_query_s=None if warm_ms is None else warm_ms / 1000,
        warm_queries=0,
        usage=Measured(cpu_s=0.2, wall_s=0.3, peak_bytes=None),
        status="crashed" if ms is None else "answered",
        category="unknown" if ms is None else category,
        message=None,
    )


def cell(times_ms: list[float], floors: list[Floor], warm_ms: float | None = None) -> ConfigurationStats:
    (made,) = summarise([run("clusters", "none", "clingo", ms, warm_ms=warm_ms) for ms in times_ms], floors)
    return made


def text_of(file: RecordFile) -> str:
    return " ".join(render_report(file).split())


@pytest.mark.parametrize(("ms", "near"), [(0.5, True), (0.89, True), (0.91, False), (5.0, False)])
def test_below_three_times_the_median_floor_is_marked(ms: float, near: bool) -> None:
    floors = [floor("clingo", one) for one in (0.1, 0.3, 8.0)]
    made = cell([ms], floors)
    assert made.near_floor is near
    assert doubt_marks(made) == ("*" if near else "")


def test_floor_of_another_engine_or_with_a_wrong_answer_does_not_count() -> None:
    made = cell([0.5], [floor("swipl", 0.4), floor("clingo", 0.4, category="wrong"), floor("clingo", None)])
    assert (made.smallest_s, made.near_floor) == (None, False)


def test_query_asked_again_has_a_floor_of_its_own() -> None:
    made = cell([5.0], [floor("clingo", 0.3, 0.05)], warm_ms=0.14)
    assert (doubt_marks(made), warm_mark(made)) == ("", "*")
    assert warm_mark(cell([5.0], [floor("clingo", 0.3)], warm_ms=0.14)) == ""


@pytest.mark.parametrize(
    ("times_ms", "unsteady"),
    [
        ([100, 100, 100, 100, 100], False),
        ([96, 98, 100, 102, 104], False),
        ([90, 94, 100, 105, 110], True),
        ([100, 100, 100, 100, 900], False),
        ([100, 200], False),
    ],
    ids=["same", "4 %", "11 %", "one outlier", "two runs say nothing"],
)
def test_spread_above_ten_percent_is_marked(times_ms: list[float], unsteady: bool) -> None:
    made = cell(times_ms, [])
    assert made.unsteady is unsteady
    assert doubt_marks(made) == ("!" if unsteady else "")


def test_marks_are_counted_and_explained_in_the_closing_lines() -> None:
    runs = [run("clusters", "none", "clingo", ms) for ms in (0.5, 0.7, 0.9)]
    runs += [run("clusters", "ground", "clingo", ms) for ms in (50.0, 50.0, 50.0)]
    file = replace_floors(records(runs), floor("clingo", 0.3, 0.04))
    text = render_report(file)
    assert "0.70*!" in text
    assert "50*" not in text
    flat = " ".join(text.split())
    assert "* in 1 of 2 cells: below 3 times the smallest query" in flat
    assert "(0.30 ms, again 0.040 ms on clingo)" in flat
    assert "! in 1 of 2 cells: the time varies" in flat
    cells = report_data(file)["cells"]
    assert isinstance(cells, list)
    assert [(one["near_floor"], one["unsteady"]) for one in cells] == [(True, True), (False, False)]


def test_nothing_is_explained_that_is_not_there() -> None:
    assert explain_marks([cell([50.0, 50.0, 50.0], [floor("clingo", 0.3)])]) == []


def replace_floors(file: RecordFile, *floors: Floor) -> RecordFile:
    return RecordFile(file.session, (*file.runs, *floors), file.end, file.warnings, file.resumed)


def with_machine(load: float | None, swapped: int | None, runs: int = 10, wall_s: float = 1.3) -> list[Run]:
    """Runs of one CPU second: with 1.3 s of wall time the processor was shared."""
    one = run("clusters", "none", "swipl", 1.0, wall_s=wall_s)
    return [replace(one, machine=Load(load_1m=load, swapped_bytes=swapped))] * runs


def test_load_above_the_processors_is_told() -> None:
    assert "above the 2 processors in 10 of 20 measured runs, up to 4.5" in text_of(
        records(with_machine(4.5, 0) + with_machine(1.0, 0))
    )
    quiet = text_of(records(with_machine(1.9, 0) + with_machine(None, None)))
    assert "load average" not in quiet
    # The first runs still feel the warm-ups in the average.
    assert "load average" not in text_of(records(with_machine(2.1, 0, 2) + with_machine(1.1, 0, 40)))


def test_load_on_other_processors_is_no_reason_for_doubt() -> None:
    assert "load average" in text_of(records(with_machine(4.5, 0, wall_s=1.21)))
    undisturbed = records(with_machine(4.5, 0, wall_s=1.05))
    before = RecordFile(replace(undisturbed.session, load_1m=3.2), undisturbed.runs, undisturbed.end)
    assert "load average" not in text_of(before)


def test_load_of_warm_ups_is_our_own() -> None:
    warm = [replace(one, warmup=True) for one in with_machine(9.0, 0)]
    assert "load average" not in text_of(records(warm + with_machine(1.0, 0)))


def test_load_before_the_start_is_told() -> None:
    file = records(with_machine(1.0, 0))
    busy = RecordFile(replace(file.session, load_1m=3.2), file.runs, file.end)
    assert "The load average was 3.2 before the start, above the 2 processors" in text_of(busy)


def test_swapping_is_told() -> None:
    assert "swapped 6.0 MB in 3 of 13 runs" in text_of(records(with_machine(1.0, 2_000_000, 3) + with_machine(1.0, 0)))
    assert "swapped" not in text_of(records(with_machine(1.0, 0)))


def test_engine_without_a_floor_is_told() -> None:
    file = replace_floors(records(with_machine(1.0, 0)), floor("swipl", None), floor("clingo", 0.3))
    assert "The smallest query got no right answer on swipl" in text_of(file)
    assert "right answer on clingo" not in text_of(file)
