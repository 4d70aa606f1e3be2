"""Geometric means over pairs, and the choice that follows from what was measured."""

from __future__ import annotations

from statistics import geometric_mean
from types import SimpleNamespace

import msgspec
import pytest

from hexlogic.laboratory.records.types import Run
from hexlogic.laboratory.report.advice import choices, recommend
from hexlogic.laboratory.report.claims.relations import Relation, Timed, pooled
from hexlogic.laboratory.report.statistics import summarise
from tests.laboratory.report.records import run


def test_geometric_mean_over_pairs_and_its_interval() -> None:
    def pairs(values: list[float]) -> Relation:
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
    assert [one.pipeline for one in verdict.equals] == ["ground,reorder"]
    assert recommend(summarise(runs[:1]), "swipl") is None


def test_who_gave_up_on_small_boards_is_not_the_choice_for_all() -> None:
    """Boards beyond the first without an answer are not tried: most candidates were asked about small ones only."""

    def on(size: int, *arguments: object, **options: object) -> list[Run]:
        one = run(*arguments, **options)
        return [msgspec.structs.replace(one, task=f"difficult-1@{size}", repeat=repeat) for repeat in range(3)]

    runs = [one for size in (3, 5, 9, 19) for one in on(size, "clusters", "none", "swipl", 1.0)]
    for rule_set in ("winning-sets", "power-set-extended", "follow-line"):
        runs += on(3, rule_set, "none", "swipl", 0.01) + on(5, rule_set, "none", "swipl", status="timeout")
    (found,) = choices(SimpleNamespace(configurations=summarise(runs)))
    assert (found.choice.rule_set, found.choice.solved) == ("clusters", 4)
