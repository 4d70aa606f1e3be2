"""Deterministic work counters on `difficult-1`: what the savings in the README rest on."""

from __future__ import annotations

import pytest

from hexlogic.games import load_board
from hexlogic.games.rulesets import position_facts, win_query
from hexlogic.language.engines import load_engine
from tests.agreement import INSTALLED, program_of

needs_swipl = pytest.mark.skipif("swipl" not in INSTALLED, reason="swipl is not installed; .ci/run installs it")


def counters(engine: str, rule_set: str, pipeline: str) -> dict[str, int]:
    position = load_board("difficult-1").position
    with load_engine(engine).open(program_of(rule_set, pipeline, position.game)) as session:
        answer = session.ask(position_facts(position), win_query("red"))
    assert not answer.holds
    return dict(answer.counters)


@needs_swipl
@pytest.mark.parametrize(
    ("rule_set", "pipeline", "inferences", "bar"),
    [
        ("clusters", "none", 137_708, 144_000),
        ("clusters", "ground", 4_809, 9_100),
        ("clusters", "reorder", 1_849, 1_876),
        ("clusters", "ground,reorder", 638, 656),
        ("clusters", "ground,reorder,prune", 638, 656),
        ("power-set", "reorder", 38_920, 51_152),
        ("power-set", "ground,reorder", 9_957, 9_961),
    ],
)
def test_inferences_are_pinned_at_or_below_the_hand_made_orders(
    rule_set: str, pipeline: str, inferences: int, bar: int
) -> None:
    assert counters("swipl", rule_set, pipeline) == {"inferences": inferences}
    assert inferences <= bar


@pytest.mark.parametrize("rule_set", ["power-set", "clusters"])
def test_order_makes_no_difference_to_clingo(rule_set: str) -> None:
    work = [counters("clingo", rule_set, pipeline) for pipeline in ("none", "reorder", "ground", "ground,reorder")]
    assert work.count(work[0]) == len(work)
    assert work[0]["ground_rules"] > 0
