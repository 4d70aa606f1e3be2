"""Ratios paired by task, the verdict that follows from them, and what changed between two programs."""

from __future__ import annotations

import msgspec
import pytest
from records_for_report import run

from hexlogic.logic.parser import parse
from hexlogic.report.changes import compare_programs
from hexlogic.report.ratios import bootstrap_interval, geometric_mean, pair_pipelines
from hexlogic.report.stats import summarise
from hexlogic.report.verdict import judge


def test_geometric_mean_and_its_interval() -> None:
    assert geometric_mean([1.0, 100.0]) == pytest.approx(10)
    low, high = bootstrap_interval([10.0] * 5)
    assert (low, high) == pytest.approx((10, 10))
    values = [1.5, 2.0, 3.0, 2.2, 1.8, 2.6]
    low, high = bootstrap_interval(values)
    assert 1.5 < low < geometric_mean(values) < high < 3.0
    assert bootstrap_interval(values[::-1]) == (low, high)
    # Twice the logarithms, twice the interval.
    squared = bootstrap_interval([value**2 for value in values])
    assert squared == pytest.approx((low**2, high**2))


def test_pairs_are_counted_before_they_are_averaged() -> None:
    runs = [
        run("clusters", "none", "swipl", 8.0),
        run("clusters", "reorder", "swipl", 2.0),
        run("maker-breaker", "none", "swipl", 16.0),
        run("maker-breaker", "reorder", "swipl", 1.0),
        run("power-set", "none", "swipl", status="timeout"),
        run("power-set", "reorder", "swipl", 1.0),
        run("follow-line", "none", "swipl", status="unsupported"),
        run("follow-line", "reorder", "swipl", 1.0),
        run("winning-sets", "none", "swipl", 1.0),
    ]
    pair = pair_pipelines(summarise(runs), "swipl", "reorder")
    assert pair is not None
    assert (pair.asked, pair.solved_before, pair.solved, pair.lost) == (3, 2, 3, 0)
    assert pair.mean == pytest.approx(8)
    assert pair.at_least == pytest.approx((4 * 16 * 9500) ** (1 / 3))
    lost = [*runs, run("clusters-labelled", "none", "swipl", 1.0)]
    lost.append(run("clusters-labelled", "reorder", "swipl", status="timeout"))
    pair = pair_pipelines(summarise(lost), "swipl", "reorder")
    assert pair is not None
    assert (pair.lost, pair.at_least) == (1, None)
    alone = pair_pipelines(summarise(runs), "swipl", "reorder", rule_set="clusters")
    assert alone is not None
    assert (alone.mean, alone.interval) == (pytest.approx(4), None)


def test_the_verdict_prefers_answers_to_speed_and_few_passes_to_many() -> None:
    runs = [
        run("power-set", "none", "swipl", 0.001, complete=False),
        run("clusters", "none", "swipl", 1.0),
        run("clusters", "reorder", "swipl", 0.5),
        run("clusters", "ground,reorder", "swipl", 0.49),
        run("maker-breaker", "reorder", "swipl", 0.1),
    ]
    late = msgspec.structs.replace(run("maker-breaker", "reorder", "swipl", status="timeout"), task="snake")
    more = [msgspec.structs.replace(one, task="snake") for one in runs[1:4]]
    verdict = judge(summarise([*runs, *more, late]), "swipl")
    assert verdict is not None
    assert (verdict.choice.rule_set, verdict.choice.pipeline, verdict.choice.solved) == ("clusters", "reorder", 2)
    assert [one.pipeline for one in verdict.equals] == ["ground,reorder"]
    assert verdict.left_out == ("power-set",)
    # Only clusters was asked with every pipeline; hardly more savings are not worth a second pass.
    assert verdict.passes is not None
    assert (verdict.passes.pipeline, verdict.passes.asked) == ("reorder", 2)
    assert verdict.passes.mean == pytest.approx(2)
    assert judge(summarise(runs[:1]), "swipl") is None


def test_changed_literals() -> None:
    before = parse("p(X) :- q(X), r(X,Y), s(Y), s(Y). q(1..9). t(X) :- q(X).")
    after = parse("p(X) :- s(Y), r(X,Y), u(X). q(1..9). v(1). v(2).")
    lines = compare_programs(before, after)
    texts = [("".join(p.text for p in left), "".join(p.text for p in right)) for left, right in lines]
    assert texts == [
        ("p(X) :- q(X), r(X,Y), s(Y), s(Y).", "p(X) :- s(Y), r(X,Y), u(X)."),
        ("q(1..9).", "q(1..9)."),
        ("t(X) :- q(X).", ""),
        ("", "v(1)."),
        ("", "v(2)."),
    ]
    left, right = lines[0]
    assert [piece.text for piece in left if piece.kind == "gone"] == ["q(X)", "s(Y)"]
    assert [piece.text for piece in right if piece.kind == "new"] == ["u(X)"]
    moved = [piece.text for side in (left, right) for piece in side if piece.kind == "moved"]
    assert len(moved) == 2
    assert len(set(moved)) == 1
    same = compare_programs(before, before)
    assert {piece.kind for line in same for side in line for piece in side} == {"same"}
