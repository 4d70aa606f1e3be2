"""The compiled follower against clingo: random stratified programs, inputs that come and go, one after the other."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.errors import StratificationError
from hexlogic.games import Hex, Position, has_won
from hexlogic.games.rulesets import load_rule_set, win_query
from hexlogic.language import Atom, Program
from hexlogic.language.engines.compiled import build_follower
from hexlogic.language.ground.program import Layout, ground_program
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_atom
from hexlogic.language.walk import predicates
from tests.language.programs import input_facts, safe_programs


@settings(max_examples=80, deadline=None)
@given(program=safe_programs(), facts=input_facts, data=st.data())
def test_the_least_model_after_every_change(program: Program, facts: tuple[Atom, ...], data: st.DataObject) -> None:
    inputs = tuple(dict.fromkeys(facts))
    follower = build_follower(program, inputs, (), tuple(predicates(program)))
    given_now: list[int] = []
    for _ in range(12):
        rest = [number for number in range(len(inputs)) if number not in given_now]
        if given_now and (not rest or data.draw(st.booleans())):
            given_now.pop()
            follower.undo()
        elif rest:
            number = data.draw(st.sampled_from(rest))
            given_now.append(number)
            follower.add(number)
        chosen = [inputs[number] for number in given_now]
        model = least_model(program, chosen, only=predicates(program))
        assert (follower.true_atoms() | follower.layout.facts) & model == model
        assert follower.true_atoms() <= model | set(chosen)


CASES = ["clusters", "clusters-labelled", "follow-line-tabled", "maker-breaker", "winning-sets"]


@pytest.mark.parametrize("name", CASES)
def test_random_games_with_undos(name: str) -> None:
    game, chance = Hex.square(4), random.Random(name)
    inputs = [parse_atom(f"owns({player},{cell})") for player in ("red", "blue") for cell in game.cells]
    follower = build_follower(load_rule_set(name).instantiate(game), inputs, [win_query("red"), win_query("blue")])
    stones: dict[str, set[int]] = {"red": set(), "blue": set()}
    history: list[tuple[str, int]] = []
    copies = []
    for _ in range(400):
        free = sorted(set(game.cells) - stones["red"] - stones["blue"])
        if history and (not free or chance.random() < 0.45):
            player, cell = history.pop()
            stones[player].remove(cell)
            found = follower.undo()
        else:
            player, cell = chance.choice(("red", "blue")), chance.choice(free)
            history.append((player, cell))
            stones[player].add(cell)
            found = follower.add(cell - 1 + (16 if player == "blue" else 0))
        position = Position(game, frozenset(stones["red"]), frozenset(stones["blue"]))
        assert found == has_won(position, "red") | has_won(position, "blue") << 1
        if chance.random() < 0.02:
            copies.append((follower.copy(), follower.true_atoms()))
    # What happened to the original did not reach the copies.
    assert all(copy.true_atoms() == atoms for copy, atoms in copies)
    for _ in history:
        follower.undo()
    assert (
        follower.true_atoms()
        == build_follower(
            load_rule_set(name).instantiate(game), inputs, [win_query("red"), win_query("blue")]
        ).true_atoms()
    )


def test_an_input_may_be_derived_as_well() -> None:
    program = parse("#defined p/1. p(2) :- p(1). q :- p(2), not p(3). #show q/0. #show p/1.")
    follower = build_follower(program, map(parse_atom, ["p(1)", "p(2)", "p(3)"]), [parse_atom("q"), parse_atom("p(2)")])
    assert [follower.add(0), follower.add(1), follower.add(2)] == [3, 3, 2]
    assert [follower.undo(), follower.undo(), follower.undo()] == [3, 3, 0]


def test_what_is_always_or_never_true() -> None:
    program = parse("#defined p/1. q(1). q(2) :- p(1). #show q/1.")
    follower = build_follower(program, [parse_atom("p(1)")], list(map(parse_atom, ["q(3)", "q(1)", "q(2)"])))
    assert [follower.add(0), follower.undo()] == [0b110, 0b010]
    assert follower.is_true(parse_atom("q(1)"))
    assert not follower.is_true(parse_atom("q(2)"))


def test_negation_inside_a_recursion_is_refused() -> None:
    program = parse("#defined p/1. a :- p(1), not b. b :- p(1), not a. #show a/0.")
    with pytest.raises(StratificationError):
        Layout(ground_program(program, [parse_atom("p(1)")]))


def test_levels_rise_from_body_to_head() -> None:
    ground = ground_program(
        load_rule_set("maker-breaker").instantiate(Hex.square(3)),
        [parse_atom(f"owns({player},{cell})") for player in ("red", "blue") for cell in range(1, 10)],
    )
    layout = Layout(ground)
    for rule in ground.rules:
        assert all(layout.level[part] <= layout.level[rule.head] for part in rule.positive)
        assert all(layout.level[part] < layout.level[rule.head] for part in rule.negative)
