"""Ratios paired by task, the verdict that follows from them, and what changed between two programs."""

from __future__ import annotations

from statistics import geometric_mean

import msgspec
import pytest
from records_for_report import run

from hexlogic.logic.parser import parse
from hexlogic.report.changes import compare_programs
from hexlogic.report.claims.phrases import raw_factor
from hexlogic.report.claims.relations import AtLeast, NoBaseline, Once
from hexlogic.report.claims.timing import Timed, pooled
from hexlogic.report.claims.values import Estimate
from hexlogic.report.ratios import pair_pipelines
from hexlogic.report.recommendation import recommend
from hexlogic.report.statistics import summarise


def test_geometric_mean_over_pairs_and_its_interval() -> None:
    def pairs(values: list[float]) -> Estimate:
        found = pooled([(Timed((value,)), Timed((1.0,))) for value in values])
        assert found is not None
        return found

    assert pairs([1.0, 100.0]).value == pytest.approx(10)
    assert pooled([(Timed((10.0,)), Timed((1.0,)))]) is None
    same = pairs([10.0] * 5)
    assert (same.low, same.value, same.high) == pytest.approx((10, 10, 10))
    values = [1.5, 2.0, 3.0, 2.2, 1.8, 2.6]
    found = pairs(values)
    assert 1.5 < found.low < geometric_mean(values) < found.high < 3.0
    # Twice the logarithms, twice the interval.
    squared = pairs([value**2 for value in values])
    assert (squared.low, squared.high) == pytest.approx((found.low**2, found.high**2))


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
    assert raw_factor(pair.answered)[0] == pytest.approx(8)
    # Two ratios as different as 4 and 16 say nothing of their mean: the bound takes the lower end of its interval.
    assert isinstance(pair.relation, AtLeast)
    assert pair.relation.factor.value < (4 * 16 * 9500) ** (1 / 3)
    lost = [*runs, run("clusters-labelled", "none", "swipl", 1.0)]
    lost.append(run("clusters-labelled", "reorder", "swipl", status="timeout"))
    pair = pair_pipelines(summarise(lost), "swipl", "reorder")
    assert pair is not None
    assert pair.lost == 1
    assert isinstance(pair.relation, NoBaseline)
    alone = pair_pipelines(summarise(runs), "swipl", "reorder", rule_set="clusters")
    assert alone is not None
    assert alone.relation == Once(pytest.approx(4))


def test_the_verdict_prefers_answers_to_speed_and_few_passes_to_many() -> None:
    runs = [
        one
        for jitter in (0.99, 1.0, 1.01)
        for one in (
            run("power-set", "none", "swipl", 0.001 * jitter, complete=False),
            run("clusters", "none", "swipl", 1.0 * jitter),
            run("clusters", "reorder", "swipl", 0.5 * jitter),
            run("clusters", "ground,reorder", "swipl", 0.49 * jitter),
            run("maker-breaker", "reorder", "swipl", 0.1 * jitter),
        )
    ]
    late = msgspec.structs.replace(run("maker-breaker", "reorder", "swipl", status="timeout"), task="snake")
    more = [msgspec.structs.replace(one, task="snake") for one in runs if one.rule_set == "clusters"]
    verdict = recommend(summarise([*runs, *more, late]), "swipl")
    assert verdict is not None
    assert (verdict.choice.rule_set, verdict.choice.pipeline, verdict.choice.solved) == ("clusters", "reorder", 2)
    assert [one.pipeline for one, _ in verdict.equals] == ["ground,reorder"]
    assert verdict.left_out == ("power-set",)
    # Only clusters was asked with every pipeline; hardly more savings are not worth a second pass.
    assert verdict.passes is not None
    assert (verdict.passes.pipeline, verdict.passes.asked) == ("reorder", 2)
    assert raw_factor(verdict.passes.relation)[0] == pytest.approx(2)
    assert recommend(summarise(runs[:1]), "swipl") is None


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
