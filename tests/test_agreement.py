"""Every rule set on every engine through every pipeline gives the oracle's answer."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from hexlogic.games import Hex, Position, all_boards, has_won, load_board, winning_chain
from hexlogic.games.rulesets import load_rule_set, position_facts, rule_set_names, win_query
from hexlogic.language import Program
from hexlogic.language.engines import load_engine
from tests.agreement import (
    INSTALLED,
    PIPELINES,
    PLAYERS,
    POLYNOMIAL,
    all_red_stone_sets,
    expected,
    finishes,
    one_per_column_chain,
    program_of,
)

pytestmark = pytest.mark.many_cases(keep=2)

SIZES = ((1, 1), (1, 5), (6, 1), (2, 4), (4, 3), (4, 4), (3, 6), (6, 6))


def supported(engine: str, rule_set: str, pipeline: str, game: Hex) -> Program:
    """The program of a configuration; the test is skipped where the engine cannot run it."""
    program = program_of(rule_set, pipeline, game)
    if why := load_engine(engine).supports(program):
        pytest.skip(f"{engine} does not run {rule_set}: {why}")
    return program


def check_answers(engine: str, rule_set: str, program: Program, positions: Iterable[Position]) -> None:
    with load_engine(engine).open(program) as session:
        for position in positions:
            facts = position_facts(position)
            for player in PLAYERS:
                answer = session.ask(facts, win_query(player)).holds
                assert answer == expected(rule_set, position, player), (player, position.to_text())


@pytest.mark.takes_seconds(keep=12)
@pytest.mark.parametrize("rule_set", rule_set_names())
@pytest.mark.parametrize("engine", INSTALLED)
def test_every_stone_set_of_3x3(engine: str, rule_set: str) -> None:
    """One pipeline for all positions; that the passes change no answer on any of them is proved (tests/proofs).

    Two engines are asked about a sample: pyDatalog takes 30 ms for an answer, and the proofs ask clingo about all
    positions at once."""
    game = Hex.square(3)
    program = supported(engine, rule_set, "ground,reorder", game)
    positions = list(all_red_stone_sets(game))
    if engine in ("clingo", "pydatalog"):
        positions = random.Random(f"{engine} {rule_set}").sample(positions, 64)
    check_answers(engine, rule_set, program, positions)


def too_long_on_3x3(engine: str, rule_set: str, pipeline: str) -> bool:
    """What would take seconds for a position; the smaller boards cover it."""
    naive = pipeline in ("none", "ground", "reorder:naive")
    return rule_set == "power-set-extended" and naive and engine != "clingo"


@pytest.mark.takes_seconds(keep=20)
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("rule_set", rule_set_names())
@pytest.mark.parametrize("engine", INSTALLED)
def test_stone_sets_of_small_boards_by_every_pipeline(engine: str, rule_set: str, pipeline: str) -> None:
    draw = random.Random(f"{engine} {rule_set} {pipeline}")
    for game in (Hex(2, 3), Hex(3, 2), Hex(3, 3)):
        if len(game.cells) == 9 and too_long_on_3x3(engine, rule_set, pipeline):
            continue
        program = supported(engine, rule_set, pipeline, game)
        check_answers(engine, rule_set, program, draw.sample(list(all_red_stone_sets(game)), 8))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    game = Hex(*draw(st.sampled_from(SIZES)))
    owners = draw(st.lists(st.sampled_from("RB."), min_size=len(game.cells), max_size=len(game.cells)))
    stones = {colour: frozenset(c for c, o in zip(game.cells, owners, strict=True) if o == colour) for colour in "RB"}
    return Position(game, stones["R"], stones["B"])


@pytest.mark.takes_seconds(keep=32)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(position=positions(), pipeline=st.sampled_from(PIPELINES))
@pytest.mark.parametrize("rule_set", rule_set_names())
@pytest.mark.parametrize("engine", INSTALLED)
def test_random_positions_up_to_6x6(engine: str, rule_set: str, position: Position, pipeline: str) -> None:
    supported(engine, rule_set, "ground,reorder", Hex.square(3))
    assume(finishes(rule_set, pipeline, position))
    program = program_of(rule_set, pipeline, position.game)
    assume(load_engine(engine).supports(program) is None)
    check_answers(engine, rule_set, program, [position])


@pytest.mark.takes_seconds(keep=28)
@pytest.mark.parametrize("board", all_boards(), ids=lambda board: board.name)
@pytest.mark.parametrize("rule_set", POLYNOMIAL)
@pytest.mark.parametrize("engine", INSTALLED)
def test_the_named_boards(engine: str, rule_set: str, board: object) -> None:
    named = load_board(board.name)  # type: ignore[attr-defined]
    if engine == "pydatalog" and rule_set != "follow-line-tabled":
        pytest.skip("pyDatalog takes up to a minute for a board of this size; it is asked about small ones")
    draw = random.Random(f"{engine} {rule_set} {named.name}")
    pipeline = "ground,reorder" if engine == "pydatalog" else draw.choice(PIPELINES[:5])
    program = supported(engine, rule_set, pipeline, named.position.game)
    with load_engine(engine).open(program) as session:
        for player in PLAYERS:
            answer = session.ask(position_facts(named.position), win_query(player)).holds
            assert answer == (named.expected == player), (pipeline, player)


def test_the_power_set_misses_the_snake() -> None:
    snake = load_board("snake").position
    chain = winning_chain(snake, "red")
    assert chain is not None
    assert len(chain) > 30
    assert has_won(snake, "red")
    assert not one_per_column_chain(snake, "red")
    assert not load_rule_set("power-set").complete
    program = program_of("power-set", "ground,reorder", snake.game)
    for engine in ("clingo", "swipl"):
        if engine in INSTALLED:
            with load_engine(engine).open(program) as session:
                assert not session.ask(position_facts(snake), win_query("red")).holds


def test_only_unsupported_engines_are_left_out() -> None:
    # the pairs that no test above reaches: visited lists have no end bottom-up, and one rule set needs union-find
    engines = ("clingo", "egglog", "pydatalog", "swipl")
    missing = {
        (engine, rule_set)
        for engine in engines
        for rule_set in rule_set_names()
        if load_engine(engine).supports(program_of(rule_set, "none", Hex.square(3))) is not None
    }
    lists = {("clingo", "follow-line"), ("egglog", "follow-line")}
    assert missing == lists | {(engine, "clusters-union") for engine in engines if engine != "egglog"}
