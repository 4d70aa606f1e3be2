"""Medians, savings factors and bounds from synthetic records."""

from __future__ import annotations

import pytest
from records_for_report import run

from hexlogic.report.stats import savings, summarise, work_counter
from hexlogic.report.words import factor, listed, milliseconds


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
    assert {pipeline: saved and round(saved.factor, 6) for pipeline, saved in found.items()} == {
        "none": 4,
        "ground": 1,
        "reorder": 20,
    }
    assert not any(saved and saved.bound for saved in found.values())


def test_savings_against_a_timeout_are_a_bound_of_the_querys_share() -> None:
    cells = summarise([run("power-set", "none", "swipl", status="timeout"), run("power-set", "reorder", "swipl", 1)])
    saved = savings(cells[1], cells)
    assert saved is not None
    assert saved.bound
    assert saved.factor == pytest.approx(9500)
    assert savings(cells[0], cells) is None


def test_out_of_memory_is_no_baseline() -> None:
    cells = summarise([run("x", "none", "swipl", status="out-of-memory"), run("x", "reorder", "swipl", 1)])
    saved = savings(cells[1], cells)
    assert saved is not None
    assert (saved.factor, saved.bound) == (1.0, False)


def test_work_counter_is_the_engines_own() -> None:
    swipl, clingo, none = summarise(
        [run("x", "none", "swipl", 1, work=7), run("x", "none", "clingo", 1, work=8), run("x", "none", "pydatalog", 1)]
    )
    assert (work_counter(swipl), work_counter(clingo), work_counter(none)) == (
        ("inferences", 7),
        ("ground_rules", 8),
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
