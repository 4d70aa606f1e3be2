"""Every rule set through the optimiser's pipelines gives the oracle's answer on all red stone sets of 3x3."""

from __future__ import annotations

import shutil

import pytest

from hexlogic.games import RED, Hex, has_won
from hexlogic.games.rulesets import position_facts, rule_set_names, win_query
from hexlogic.language.engines import Engine, load_engine
from hexlogic.language.ground.solving import holds
from tests.agreement import all_red_stone_sets, expected, program_of

pytestmark = pytest.mark.many_cases(keep=3)

GAME = Hex.square(3)
POSITIONS = list(all_red_stone_sets(GAME))
PIPELINES = (
    "ground,reorder:cost,prune",
    "ground,reorder,magic,prune",
    "unfold,ground,reorder:cost,magic,stage",
    "project,ground,reorder",
)


def check(engine: Engine, rule_set: str, pipeline: str, every: int) -> None:
    program = program_of(rule_set, pipeline, GAME)
    if engine.supports(program) is not None:
        # visited lists: the adapter's test is syntactic, after magic clingo itself comes to an end;
        # an equivalence: the closing rules say what it means
        assert rule_set == "clusters-union" or (engine.name, rule_set) == ("clingo", "follow-line")
        for position in POSITIONS[::8] if "magic" in pipeline or rule_set == "clusters-union" else ():
            assert holds(program, win_query(RED), position_facts(position)) == has_won(position, RED)
        return
    with engine.open(program) as session:
        for position in POSITIONS[::every]:
            answer = session.ask(position_facts(position), win_query(RED)).holds
            assert answer == expected(rule_set, position, RED), position.to_text()


@pytest.mark.takes_seconds(keep=10)
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("rule_set", rule_set_names())
def test_clingo(rule_set: str, pipeline: str) -> None:
    check(load_engine("clingo"), rule_set, pipeline, 1)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.skipif(shutil.which("swipl") is None, reason="swipl is not installed")
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("rule_set", rule_set_names())
def test_swipl(rule_set: str, pipeline: str) -> None:
    if rule_set == "follow-line" and "magic" in pipeline:
        return  # the demand for lists is found from the longer list: bottom-up only
    check(load_engine("swipl"), rule_set, pipeline, 11)


@pytest.mark.takes_seconds(keep=6)
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("rule_set", [name for name in rule_set_names() if name != "follow-line"])
def test_egglog(rule_set: str, pipeline: str) -> None:
    check(load_engine("egglog"), rule_set, pipeline, 5)
