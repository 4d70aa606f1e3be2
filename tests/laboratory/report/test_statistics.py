"""Medians, savings factors and bounds from synthetic records."""

from __future__ import annotations

import pytest

from hexlogic.laboratory.records.types import Run
from hexlogic.laboratory.report.claims.relations import REFERENCE, Counter, Relation
from hexlogic.laboratory.report.formatting import factor, listed, milliseconds
from hexlogic.laboratory.report.statistics import against, savings, summarise, work_counter
from tests.laboratory.report.records import run, thrice


def test_median_of_the_counted_runs_only() -> None:
    runs = [run("clusters", "none", "swipl", 99, warmup=True, counted=False)]
    runs += [run("clusters", "none", "swipl", ms, warm_ms=ms / 2) for ms in (5, 1, 3, 4, 2)]
    (cell,) = summarise(runs)
    assert (cell.counted, cell.answered) == (5, 5)
    assert cell.time_s == pytest.approx(0.003)
    assert cell.quartiles_s == pytest.approx((0.002, 0.004))
    assert cell.warm_s == pytest.approx(0.0015)


def test_timeout_has_a_floor_and_no_time() -> None:
    (cell,) = summarise([run("power-set", "none", "swipl", status="timeout", warmup=True)])
    assert (cell.status, cell.time_s, cell.warm_s) == ("timeout", None, None)
    assert cell.floor_s == pytest.approx(9.5)


def test_timeout_before_the_query_has_no_floor() -> None:
    (cell,) = summarise([run("power-set", "none", "swipl", status="timeout", asked_cpu_s=None)])
    assert cell.floor_s is None


def test_one_bad_run_decides() -> None:
    runs = [run("clusters", "none", "swipl", 1.0) for _ in range(4)] + [
        run("clusters", "none", "swipl", status="timeout")
    ]
    (cell,) = summarise(runs)
    assert (cell.status, cell.time_s, cell.counted, cell.answered) == ("timeout", None, 5, 4)


def test_one_wrong_answer_decides() -> None:
    runs = [run("clusters", "none", "swipl", 1.0), run("clusters", "none", "swipl", 1.0, category="wrong")]
    (cell,) = summarise(runs)
    assert (cell.category, cell.time_s) == ("wrong", None)


def test_cell_without_measurements_is_left_out() -> None:
    assert summarise([run("clusters", "none", "swipl", 1.0, warmup=True, counted=False)]) == ()


def test_savings_against_the_slowest_of_the_same_rule_set_and_engine() -> None:
    cells = summarise(
        [
            run("clusters", "none", "swipl", 10),
            run("clusters", "ground", "swipl", 40),
            run("clusters", "reorder", "swipl", 2),
            run("clusters", "none", "clingo", 1000),
            run("power-set", "none", "swipl", 2000),
        ]
    )
    found = {
        cell.pipeline: savings(cell, cells) for cell in cells if (cell.rule_set, cell.engine) == ("clusters", "swipl")
    }
    assert found == {"none": Relation(4), "ground": REFERENCE, "reorder": Relation(pytest.approx(20))}


def test_savings_against_a_timeout_are_a_bound_of_the_querys_share() -> None:
    cells = summarise([run("power-set", "none", "swipl", status="timeout"), run("power-set", "reorder", "swipl", 1)])
    saved = savings(cells[1], cells)
    assert saved.kind == "AtLeast"
    assert saved.value == pytest.approx(9500)
    assert savings(cells[0], cells).kind == "NoBaseline"


@pytest.mark.parametrize(
    "late",
    [
        run("x", "none", "swipl", status="timeout", asked_cpu_s=None),
        run("x", "none", "swipl", status="timeout", asked_cpu_s=9.9999),
        run("x", "none", "swipl", status="out-of-memory"),
    ],
    ids=["spent on building", "nearly", "memory"],
)
def test_an_unfinished_baseline_leaves_bounds_only(late: Run) -> None:
    """The slowest time is not known then, whatever the others took."""
    cells = summarise([late, *thrice("x", "ground", "swipl", 12), *thrice("x", "reorder", "swipl", 5)])
    found = {cell.pipeline: savings(cell, cells) for cell in cells}
    assert found["ground"].kind == "AtLeast"
    assert found["reorder"].kind == "AtLeast"
    assert 1 <= found["ground"].value < 1.01
    assert 2.2 < found["reorder"].value < 2.4
    for cell in cells[1:]:
        assert against(cell, cells[0]).decides == 0


def test_work_counter_is_the_engines_own() -> None:
    swipl, clingo, none = summarise(
        [run("x", "none", "swipl", 1, work=7), run("x", "none", "clingo", 1, work=8), run("x", "none", "pydatalog", 1)]
    )
    assert (work_counter(swipl), work_counter(clingo), work_counter(none)) == (
        Counter("inferences", 7),
        Counter("ground_rules", 8),
        None,
    )


@pytest.mark.parametrize("value", [1.0, 1.04, 9.96, 10.4, 99.6, 101, 999, 12345, 99999])
def test_a_bound_is_never_rounded_up(value: float) -> None:
    printed = factor(value, bound=True)
    assert printed.startswith(">= ")
    assert float(printed[3:-1].replace(",", "")) <= value


def test_milliseconds_keep_two_digits() -> None:
    shown = {0: "0", 1e-6: "0.0010", 0.0000999: "0.10", 0.00994: "9.9", 0.00999: "10", 1: "1,000"}
    assert {seconds: milliseconds(seconds) for seconds in shown} == shown


def test_lists_read_as_english() -> None:
    assert [listed(parts) for parts in ([], ["a"], ["a", "b"])] == ["", "a", "a and b"]


def parted(share: float, ms: float, engine: str = "swipl") -> list[Run]:
    return [run("x", "none", engine, ms * jitter, cpu_share=share) for jitter in (0.99, 1.0, 1.01)]


@pytest.mark.parametrize(("share", "clock"), [(1.0, "wall"), (0.85, "wall"), (0.79, "cpu"), (0.5, "cpu"), (1.3, "cpu")])
def test_where_wall_and_cpu_time_part_by_a_fifth_the_cpu_time_counts(share: float, clock: str) -> None:
    runs = [*parted(share, 100.0), *parted(1.0, 50.0, "clingo")]
    runs += [run("y", "none", "swipl", 100.0, cpu_share=1.0) for _ in range(3)]
    swipl, clingo, other = summarise(runs)
    assert (swipl.clock, swipl.parted) == (clock, 3 if clock == "cpu" else 0)
    assert swipl.time_s == pytest.approx(0.1 * (share if clock == "cpu" else 1))
    assert (clingo.clock, clingo.time_s) == ("wall", pytest.approx(0.05))
    # All cells of an engine are on one clock.
    assert (other.clock, other.parted, other.time_s) == (clock, 0, pytest.approx(0.1))


def test_below_the_grain_of_cpu_clocks_nothing_parts_and_old_records_have_wall_time() -> None:
    (short,) = summarise(parted(0.0, 9.0))
    assert (short.clock, short.parted) == ("wall", 0)
    mixed = [*parted(0.5, 100.0), run("y", "none", "swipl", 100.0)]
    assert {cell.clock for cell in summarise(mixed)} == {"wall"}
    assert [cell.parted for cell in summarise(mixed)] == [3, 0]


def test_a_short_query_keeps_its_wall_time_on_the_clock_of_cpu_time() -> None:
    """A coarse clock saw none of it."""
    short = [run("y", "none", "swipl", 2.0, cpu_share=0.0) for _ in range(3)]
    long, brief = summarise([*parted(0.5, 100.0), *short])
    assert (long.clock, long.time_s) == ("cpu", pytest.approx(0.05))
    assert (brief.clock, brief.time_s) == ("cpu", pytest.approx(0.002))
