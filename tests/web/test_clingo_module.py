"""The stand-in for the module `clingo` finds what the module finds: models, ground programs, proofs."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType

import clingo
import pytest

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Position, game_names, load_game
from hexlogic.games.rulesets import load_rule_set, position_facts, rule_set_names, win_query
from hexlogic.language import Program
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.ground.program import GroundProgram, ground_text
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.proofs.bounded import choice_of_stones
from hexlogic.proofs.deciding import AtomPair, Ruling, decide
from hexlogic.proofs.joint import joint_program
from hexlogic.web.in_page.clingo_module import clingo_module, read_symbol


def instance(game: str, name: str, size: int = 3) -> Program:
    return load_rule_set(name).instantiate(load_game(game).of_size(size))


NAMES = [(game, name) for game in game_names() for name in rule_set_names(game)]
SETS = [pair for pair in NAMES if not growing_predicates(instance(*pair))]
"""Those that clingo can ground."""


def run(text: str, options: str) -> tuple[int, str, str]:
    """The program that comes with the module: it reads standard input as clingo-wasm does."""
    command = [sys.executable, "-m", "clingo", *options.split()]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@contextmanager
def using(module: ModuleType) -> Iterator[None]:
    before = sys.modules["clingo"]
    sys.modules["clingo"] = module
    try:
        yield
    finally:
        sys.modules["clingo"] = before


STAND_IN = clingo_module(run)


@pytest.mark.takes_seconds(keep=5)
@pytest.mark.parametrize(("game", "name"), SETS)
def test_the_models_of_all_rule_sets_are_the_same(game: str, name: str) -> None:
    board = load_game(game).of_size(3)
    draw = random.Random(name)
    cells = draw.sample(board.cells, 6)
    facts = position_facts(Position(board, frozenset(cells[:3]), frozenset(cells[3:])))
    program = instance(game, name)
    with using(STAND_IN):
        found = least_model(program, facts)
    assert found == least_model(program, facts)
    assert len(found) > len(board.cells)


def rules_of(program: GroundProgram) -> set[tuple[str, frozenset[str], frozenset[str]]]:
    def named(numbers: tuple[int, ...]) -> frozenset[str]:
        return frozenset(str(program.atoms[number]) for number in numbers)

    return {
        (str(program.atoms[rule.head]) if rule.head >= 0 else "", named(rule.positive), named(rule.negative))
        for rule in (*program.rules, *program.constraints)
    }


@pytest.mark.takes_seconds(keep=5)
@pytest.mark.parametrize(("game", "name"), SETS)
def test_the_ground_programs_of_all_rule_sets_are_the_same(game: str, name: str) -> None:
    text = f"{instance(game, name, 2)}{choice_of_stones(load_game(game).of_size(2))}"
    with using(STAND_IN):
        found = ground_text(text)
    expected = ground_text(text)
    assert rules_of(found) == rules_of(expected)
    assert found.facts == expected.facts
    assert found.atoms[: found.inputs] == expected.atoms[: expected.inputs]


def decided(left: Program, right: Program) -> list[Ruling]:
    joint = joint_program(left, right)
    questions = [AtomPair(player, *map(str, joint.question(win_query(player)))) for player in PLAYERS]
    rulings = decide(f"{joint.program}{choice_of_stones(load_game('hex').of_size(3))}", questions)
    return [replace(ruling, ground_s=0, solve_s=0, cpu_s=0, choices=0, conflicts=0) for ruling in rulings]


def test_proofs_and_the_smallest_counter_example_are_the_same() -> None:
    flood = instance("hex", "follow-line-tabled")
    slip = flood + parse("wins(red) :- owns(red,1), owns(red,5), owns(red,9).")
    for other in (instance("hex", "clusters"), instance("hex", "maker-breaker"), slip):
        with using(STAND_IN):
            found = decided(flood, other)
        assert found == decided(flood, other)
        assert found[-1].verdict == ("different" if other is slip else "equal")
        assert found[-1].model == (("owns(red,1)", "owns(red,5)", "owns(red,9)") if other is slip else ())


def test_what_clingo_refuses_is_told_in_its_own_words() -> None:
    with using(STAND_IN), pytest.raises(EngineError, match="unsafe"):
        ground_text("a(X).")


@pytest.mark.parametrize("text", ["a", "-7", "f(a,-2,g(h(1),b))", "'left'reach(red,3)", "_x1'", "-p(3)"])
def test_symbols_are_read_as_clingo_writes_them(text: str) -> None:
    def spelled(symbol: clingo.Symbol) -> object:
        if symbol.type.name == "Number":
            return symbol.number
        return symbol.name, symbol.positive, [spelled(argument) for argument in symbol.arguments]

    symbol = read_symbol(text)
    assert str(symbol) == text
    assert spelled(symbol) == spelled(clingo.parse_term(text))  # type: ignore[arg-type]  # of the same shape


@pytest.mark.parametrize("text", ["A", "f(a b)", '"text"', "f((1,2"])
def test_what_is_no_term_of_the_rule_language_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no term|unpack"):
        read_symbol(text)
