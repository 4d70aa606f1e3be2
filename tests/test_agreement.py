"""Every rule set on every engine through every pipeline gives the oracle's answer."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from hexlogic.engines import load_engine
from hexlogic.games import Hex, Position, all_boards, has_won, load_board, one_per_column_chain, winning_chain
from hexlogic.logic import Program
from hexlogic.rulesets import load_rule_set, position_facts, rule_set_names, win_query
from tests.agreement import (
    INSTALLED,
    PIPELINES,
    PLAYERS,
    POLYNOMIAL,
    all_red_stone_sets,
    expected,
    finishes,
    program_of,
)

SIZES = ((1, 1), (1, 5), (6, 1), (2, 4), (4, 3), (4, 4), (3, 6), (6, 6))
_CHECKED: set[tuple[str, Program]] = set()


def check_all(engine: str, rule_set: str, pipeline: str, game: Hex) -> None:
    program = program_of(rule_set, pipeline, game)
    if load_engine(engine).supports(program) is not None or (engine, program) in _CHECKED:
        return  # another pipeline gave this very program: its answers were checked there
    with load_engine(engine).open(program) as session:
        for position in all_red_stone_sets(game):
            facts = position_facts(position)
            for player in PLAYERS:
                answer = session.ask(facts, win_query(player)).holds
                assert answer == expected(rule_set, position, player), (player, position.to_text())
    _CHECKED.add((engine, program))


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("rule_set", rule_set_names())
@pytest.mark.parametrize("engine", INSTALLED)
def test_every_stone_set_of_the_small_boards(engine: str, rule_set: str, pipeline: str) -> None:
    for game in (Hex(2, 2), Hex(2, 3), Hex(3, 2)):
        check_all(engine, rule_set, pipeline, game)


def too_long_on_3x3(engine: str, rule_set: str, pipeline: str) -> bool:
    """What would take minutes here; the smaller boards cover it."""
    if engine == "egglog":
        return pipeline not in ("none", "ground,reorder")  # it plans its own joins; a question costs 2 ms
    naive = pipeline in ("none", "ground", "reorder:naive")
    return rule_set == "power-set-extended" and naive and engine != "clingo"


@pytest.mark.parametrize("rule_set", rule_set_names())
@pytest.mark.parametrize("engine", INSTALLED)
def test_every_stone_set_of_3x3(engine: str, rule_set: str) -> None:
    for pipeline in PIPELINES:
        if not too_long_on_3x3(engine, rule_set, pipeline):
            check_all(engine, rule_set, pipeline, Hex.square(3))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    game = Hex(*draw(st.sampled_from(SIZES)))
    owners = draw(st.lists(st.sampled_from("RB."), min_size=len(game.cells), max_size=len(game.cells)))
    stones = {colour: frozenset(c for c, o in zip(game.cells, owners, strict=True) if o == colour) for colour in "RB"}
    return Position(game, stones["R"], stones["B"])


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(position=positions(), pipeline=st.sampled_from(PIPELINES))
@pytest.mark.parametrize("rule_set", rule_set_names())
@pytest.mark.parametrize("engine", INSTALLED)
def test_random_positions_up_to_6x6(engine: str, rule_set: str, position: Position, pipeline: str) -> None:
    assume(finishes(rule_set, pipeline, position))
    program = program_of(rule_set, pipeline, position.game)
    if load_engine(engine).supports(program) is not None:
        return
    with load_engine(engine).open(program) as session:
        for player in PLAYERS:
            answer = session.ask(position_facts(position), win_query(player)).holds
            assert answer == expected(rule_set, position, player)


@pytest.mark.parametrize("board", all_boards(), ids=lambda board: board.name)
@pytest.mark.parametrize("rule_set", POLYNOMIAL)
@pytest.mark.parametrize("engine", INSTALLED)
def test_the_named_boards(engine: str, rule_set: str, board: object) -> None:
    named = load_board(board.name)  # type: ignore[attr-defined]
    if engine == "pydatalog" and named.position.game.rows > 9 and rule_set != "follow-line-tabled":
        return  # the others take pyDatalog minutes on a dense 11x11 board
    for pipeline in ("ground,reorder",) if engine == "pydatalog" else PIPELINES[:5]:
        program = program_of(rule_set, pipeline, named.position.game)
        if load_engine(engine).supports(program) is not None:
            return
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
