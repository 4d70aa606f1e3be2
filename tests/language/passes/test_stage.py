"""Stages keep every answer and force clingo to follow the order of the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from hexlogic.games import RED, Hex, Position, load_board
from hexlogic.games.rulesets import load_rule_set, position_facts, win_query
from hexlogic.language import Atom, Program
from hexlogic.language.analysis.binding import is_legal
from hexlogic.language.engines import load_engine
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from tests.language.programs import input_facts, safe_programs
from tests.readable import readable

STAGE = Pipeline.parse("stage")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "w :- first(X), adjacent(X,Y), owns(Y), adjacent(Y,Z), last(Z).",
            ["w_stage(Y) :- first(X), adjacent(X,Y), owns(Y).", "w :- w_stage(Y), adjacent(Y,Z), last(Z)."],
        ),
        # what the head or a later literal needs is handed on, nothing else
        (
            "w(A,D) :- e(A,B), e(B,C), e(C,D), e(D,E), A < E.",
            [
                "w_stage(A,C) :- e(A,B), e(B,C).",
                "w_stage_2(A,D) :- w_stage(A,C), e(C,D).",
                "w(A,D) :- w_stage_2(A,D), e(D,E), A < E.",
            ],
        ),
        # the same beginning, with other names, is one stage
        (
            "w(Z) :- a(X), b(X,Y), c(Y,Z). v(C) :- a(A), b(A,B), d(B,C).",
            ["w_stage(Y) :- a(X), b(X,Y).", "w(Z) :- w_stage(Y), c(Y,Z).", "v(C) :- w_stage(B), d(B,C)."],
        ),
        # assignments and negations stay with the literal that binds what they need
        (
            "w(V) :- a(X), Y = X+1, b(Y,Z), not d(Z), c(Z,V).",
            ["w_stage(Z) :- a(X), Y = X+1, b(Y,Z), not d(Z).", "w(V) :- w_stage(Z), c(Z,V)."],
        ),
    ],
)
def test_one_predicate_for_each_prefix(before: str, after: list[str]) -> None:
    assert readable("\n".join(map(str, STAGE.apply(parse(before)).rules))) == "\n".join(after)


@pytest.mark.parametrize(
    "text", ["w(Y) :- a(X), b(X,Y), c(Y).", "w(Z) :- Y = X+1, a(X), b(Y), c(Y,Z).", ":- a(X), b(Y), c(Z)."]
)
def test_programs_that_stay_as_they_are(text: str) -> None:
    program = parse(text)
    assert STAGE.apply(program) is program


@settings(max_examples=80, deadline=None)
@given(safe_programs(), input_facts)
def test_stages_keep_the_least_model(program: Program, facts: tuple[Atom, ...]) -> None:
    after = Pipeline.parse("reorder,stage").apply(program)
    assert all(is_legal(rule) for rule in after.rules)
    old = {rule.head.predicate for rule in program.rules if rule.head is not None} | set(program.inputs)
    assert least_model(after, facts, only=old) == least_model(program, facts, only=old)


def ground_rules(pipeline: str, position: Position) -> int:
    program = Pipeline.parse(pipeline).apply(load_rule_set("power-set").instantiate(position.game))
    with load_engine("clingo").open(program) as session:
        answer = session.ask(position_facts(position), win_query(RED))
    assert not answer.holds
    return answer.counters["ground_rules"]


def test_select_all_then_check_grows_with_the_power_of_the_stones() -> None:
    """17 stones on 9x9 would give 17**8 selections; step by step they are a handful."""
    counts = []
    for size in (4, 5):
        middle = size // 2 * size
        stones = frozenset(middle + row * size + column for row in (0, 1) for column in range(1, size)) | {size}
        position = Position(Hex.square(size), stones)
        counts.append([ground_rules(f"ground,reorder:{order},stage", position) for order in ("naive", "cost")])
    (naive, step_by_step), (naive_5, step_by_step_5) = counts
    assert naive_5 > 5_000
    assert naive_5 > 5 * naive
    assert step_by_step_5 < 2 * step_by_step < 500


def test_step_by_step_finishes_on_the_difficult_board() -> None:
    assert ground_rules("ground,reorder:cost,stage", load_board("difficult-1").position) < 800
