"""Magic keeps the answers to the queries, stays stratified, and derives a fraction where calls are bound."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.errors import StratificationError, UnknownNameError
from hexlogic.games import RED, Hex, Position, has_won, load_board
from hexlogic.games.rulesets import load_rule_set, position_facts, win_query
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.analysis.binding import is_legal, unsafe_variables
from hexlogic.language.analysis.dependence import strata
from hexlogic.language.engines import load_engine
from hexlogic.language.ground.solving import holds, least_model
from hexlogic.language.names import is_reserved
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from tests.language.programs import input_facts, safe_programs
from tests.readable import readable

MAGIC = Pipeline.parse("magic")
PATH = "path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z). "


VARIANTS = ("magic", "magic:supplementary", "magic:subsumptive", "magic:subsumptive+supplementary")


def rules_of(text: str, pipeline: str = "magic") -> list[str]:
    return readable("\n".join(map(str, Pipeline.parse(pipeline).apply(parse(text)).rules))).split("\n")


def test_the_demand_goes_where_the_call_is_bound() -> None:
    assert rules_of(PATH + "goal(Y) :- start(X), path(X,Y). #show goal/1.") == [
        "path_bf(X,Y) :- demand_path_bf(X), edge(X,Y).",
        "path_bf(X,Z) :- demand_path_bf(X), path_bf(X,Y), edge(Y,Z).",
        "demand_path_bf(X) :- start(X).",
        "goal(Y) :- start(X), path_bf(X,Y).",
    ]


def test_the_order_of_the_text_is_the_strategy() -> None:
    # the call comes first: nothing is bound, and there is nothing to do
    program = parse(PATH + "goal(Y) :- path(X,Y), start(X). #show goal/1.")
    assert MAGIC.apply(program) is program


def test_one_predicate_may_be_asked_in_several_ways() -> None:
    rules = rules_of(
        "sg(X,X) :- person(X). sg(X,Y) :- up(X,U), sg(V,U), down(V,Y). goal(Y) :- me(X), sg(X,Y). #show goal/1."
    )
    assert "demand_sg_bf(X) :- me(X)." in rules
    assert "demand_sg_fb(U) :- demand_sg_bf(X), up(X,U)." in rules
    assert "sg_bf(X,Y) :- demand_sg_bf(X), up(X,U), sg_fb(V,U), down(V,Y)." in rules


def test_what_is_once_asked_with_nothing_bound_is_computed_in_full() -> None:
    rules = rules_of(PATH + "goal(Y) :- start(X), path(X,Y). all(X) :- path(X,X). #show goal/1. #show all/1.")
    assert "goal(Y) :- start(X), path(X,Y)." in rules
    assert not any("demand" in rule for rule in rules)


def test_computed_head_arguments_are_compared_at_the_end() -> None:
    rules = rules_of("p(X+1,Y) :- q(X,Y). w(Y) :- s(X), p(X,Y). #show w/1.")
    assert "p_bf(X+1,Y) :- demand_p_bf(D), q(X,Y), D = X+1." in rules


def test_facts_among_rules_stay_facts() -> None:
    rules = rules_of("p(1..3,4). p(X,Y) :- q(X,Y). w(Y) :- s(X), p(X,Y). #show w/1.")
    assert "p_bf(1..3,4)." in rules


def test_new_names_are_reserved() -> None:
    text = PATH + "demand_path_bf(1). goal(Y) :- start(X), path(X,Y), demand_path_bf(Y). #show goal/1."
    program = parse(text)
    new = MAGIC.apply(program)
    assert {predicate.name for predicate in new.heads - program.heads if not is_reserved(predicate.name)} == set()
    again = MAGIC.apply(parse(str(new)))
    assert all(is_reserved(predicate.name) for predicate in again.heads - program.heads), "it can be read again"


def test_rules_that_no_query_needs_go() -> None:
    rules = rules_of(PATH + "other(X) :- path(X,X). goal(Y) :- start(X), path(X,Y). #show goal/1.")
    assert not any(rule.startswith("other") for rule in rules)


@pytest.mark.parametrize(
    "text",
    [
        PATH,
        "p(X) :- q(X), r(X). #show p/1.",
        # the constraint must stay readable, so what it speaks about stays
        PATH + ":- path(X,X), not loop(X). goal(Y) :- start(X), path(X,Y). #show goal/1.",
        # facts for path may come at run time
        "#defined path/2. " + PATH + "goal(Y) :- start(X), path(X,Y). #show goal/1.",
    ],
    ids=["no query", "nothing derived is called", "constraint", "input with rules"],
)
def test_programs_that_stay_as_they_are(text: str) -> None:
    program = parse(text)
    assert MAGIC.apply(program) is program


def test_a_negated_predicate_is_narrowed_too() -> None:
    rules = rules_of(PATH + "cut(X,Y) :- node(X), node(Y), not path(X,Y). #show cut/2.")
    assert "demand_path_bb(X,Y) :- node(X), node(Y)." in rules
    assert "cut(X,Y) :- node(X), node(Y), not path_bb(X,Y)." in rules


def test_stratified_negation_stays_stratified() -> None:
    # who is asked about p depends on p's own answers, by way of the negation: p and q must be computed in full
    text = (
        "#defined e/2. p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), e(Y,Z). a(X) :- s(X). a(Y) :- a(X), not p(X,X), e(X,Y)."
        "s(1). b(Y) :- a(X), p(X,Y). #show b/1."
    )
    changed = MAGIC.apply(parse(text))
    strata(changed)
    assert "p(X,Y) :- e(X,Y)." in map(str, changed.rules)
    tricky = (
        "q(X) :- c(X,Y), not r(Y). r(Y) :- d(Y,Z), t(Z). t(Z) :- m(Z). t(Z) :- t(Y), d(Y,Z)."
        "w(X) :- k(X), q(X), t(X). #show w/1."
    )
    strata(MAGIC.apply(parse(tricky)))


def test_recursion_through_negation_is_refused() -> None:
    with pytest.raises(StratificationError):
        MAGIC.apply(parse("p(X) :- e(X), not q(X). q(X) :- e(X), not p(X). #show p/1."))


def test_supplementary_joins_the_literals_before_a_call_once() -> None:
    text = PATH + "goal(Z) :- me(X), knows(X,Y), path(Y,Z), path(Z,Y). #show goal/1."
    rules = rules_of(text, "magic:supplementary")
    assert [rule for rule in rules if "goal" in rule] == [
        "goal_before(Y) :- me(X), knows(X,Y).",
        "demand_path_bf(Y) :- goal_before(Y).",
        "goal_before_2(Y,Z) :- goal_before(Y), path_bf(Y,Z).",
        "demand_path_bb(Z,Y) :- goal_before_2(Y,Z).",
        "goal(Z) :- goal_before_2(Y,Z), path_bb(Z,Y).",
    ]
    assert sum("knows" in rule for rule in rules) == 1
    assert sum("knows" in rule for rule in rules_of(text)) == 3


def test_subsumptive_answers_a_call_from_one_that_binds_less() -> None:
    text = PATH + "goal(Y) :- me(X), path(X,Y). ring(X,Y) :- pair(X,Y), path(X,Y). #show goal/1. #show ring/2."
    rules = rules_of(text, "magic:subsumptive")
    assert any("path_bb" in rule for rule in rules_of(text))
    assert not any("path_bb" in rule for rule in rules)
    assert "demand_path_bf(X) :- pair(X,Y)." in rules
    assert "ring(X,Y) :- pair(X,Y), path_bf(X,Y)." in rules


@pytest.mark.parametrize("option", ["both", "supplementary+", "supplementary+both"])
def test_an_unknown_variant_is_refused(option: str) -> None:
    with pytest.raises(UnknownNameError, match="variant of magic"):
        Pipeline.parse(f"magic:{option}")


@pytest.mark.takes_seconds
@settings(max_examples=240, deadline=None)
@given(
    safe_programs(),
    input_facts,
    st.sampled_from([("r", 1), ("s", 2), ("p", 1), ("q", 2)]),
    st.booleans(),
    st.sampled_from(VARIANTS),
)
def test_magic_keeps_the_answers(
    program: Program, facts: tuple[Atom, ...], asked: tuple[str, int], ordered: bool, variant: str
) -> None:
    program = dataclasses.replace(program, queries=(Predicate(*asked),))
    before = Pipeline.parse("reorder").apply(program) if ordered else program
    after = Pipeline.parse(variant).apply(before)
    strata(after)
    assert not any(unsafe_variables(rule) for rule in after.rules)
    if ordered:
        assert all(is_legal(rule) for rule in after.rules)
    assert least_model(after, facts, only=program.queries) == least_model(program, facts, only=program.queries)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("board", "before", "after"),
    [
        ("all-red", 14653, 1354),
        ("dense-1", 4052, 190),
        ("dense-2", 3702, 195),
        ("dense-3", 2911, 138),
        ("dense-4", 6061, 627),
    ],
)
def test_clingo_derives_a_fifth_at_most_on_full_boards(board: str, before: int, after: int) -> None:
    position = load_board(board).position
    program = load_rule_set("clusters").instantiate(position.game)
    derived = []
    for pipeline in ("ground,reorder", "ground,reorder,magic"):
        changed = Pipeline.parse(pipeline).apply(program)
        rules = [rule.head.predicate for rule in changed.rules if rule.head is not None and rule.body]
        derived.append(len(least_model(changed, position_facts(position), only=rules)))
    assert derived == [before, after]
    assert derived[0] >= 5 * derived[1]


def test_the_whole_ground_program_shrinks_to_a_fifth_on_the_board_full_of_red() -> None:
    position = load_board("all-red").position
    program = load_rule_set("clusters").instantiate(position.game)
    ground_rules = []
    for pipeline in ("ground,reorder", "ground,reorder,magic"):
        with load_engine("clingo").open(Pipeline.parse(pipeline).apply(program)) as session:
            answer = session.ask(position_facts(position), win_query(RED))
        assert answer.holds
        ground_rules.append(answer.counters["ground_rules"])
    assert ground_rules[0] >= 5 * ground_rules[1]


def test_visited_lists_are_made_along_lines_only() -> None:
    """After magic gringo comes to an end: `unvisited` is asked about the lists of lines and their tails alone."""
    program = Pipeline.parse("ground,reorder,magic").apply(load_rule_set("follow-line").instantiate(Hex.square(3)))
    for stones in range(0, 2**9, 7):
        position = Position(Hex.square(3), frozenset(cell for cell in range(1, 10) if stones >> cell - 1 & 1))
        assert holds(program, win_query(RED), position_facts(position)) is has_won(position, RED)
