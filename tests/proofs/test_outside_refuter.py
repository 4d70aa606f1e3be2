"""anthem-cx finds no counter-example for the rule sets that are proved equal, and finds one for wrong variants."""

from __future__ import annotations

import dataclasses
import random

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.language import Program
from hexlogic.language.parser import parse
from tests.proofs.brute_force import answers
from tests.proofs.mutants import mutants_of
from tests.proofs.outside import Refused, as_input, counter_example, stones_of_a_board

BOARD = Hex.square(3)
STRUCTURE = ("owns/2", "adjacent/2", "first/2", "last/2")
"""Read as inputs, these are any relations at all: no board is assumed."""
SYMMETRIC = ":- adjacent(X,Y), not adjacent(Y,X)."
GROUNDABLE = [name for name in rule_set_names() if name != "follow-line"]


def text_of(name: str) -> str:
    return as_input(parse(load_rule_set(name).text))


def on_board(program: Program, folder) -> str | None:
    """A position of 3x3 on which the program and the reference differ."""
    reference = load_rule_set(Hex.reference).instantiate(BOARD)
    largest = len(BOARD.cells) + 1
    assuming = stones_of_a_board(BOARD)
    return counter_example(folder, as_input(reference), as_input(program), assuming=assuming, sizes=(largest, largest))


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("left", "right", "assuming"),
    [
        ("follow-line-tabled", "clusters", ""),
        ("clusters", "clusters-union", SYMMETRIC),
        ("clusters", "clusters-labelled", SYMMETRIC),
        ("follow-line-tabled", "clusters-union", SYMMETRIC),
        ("follow-line-tabled", "clusters-labelled", SYMMETRIC),
    ],
)
def test_equal_pairs_have_no_counter_example_in_any_small_structure(tmp_path, left, right, assuming):
    assert counter_example(tmp_path, text_of(left), text_of(right), inputs=STRUCTURE, assuming=assuming) is None


@pytest.mark.parametrize("name", ["clusters-union", "clusters-labelled"])
def test_the_symmetry_that_bridges_need_is_needed(tmp_path, name):
    found = counter_example(tmp_path, text_of("clusters"), text_of(name), inputs=STRUCTURE)
    assert found is not None
    assert "adjacent(" in found


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", [name for name in GROUNDABLE if load_rule_set(name).complete])
def test_complete_rule_sets_have_no_counter_example_on_3x3(tmp_path, name):
    assert on_board(load_rule_set(name).instantiate(BOARD), tmp_path) is None


def test_the_incomplete_rule_set_has_one(tmp_path):
    found = on_board(load_rule_set("power-set").instantiate(BOARD), tmp_path)
    assert found is not None
    assert found.count("owns(") >= 4  # the smallest win that it misses has four stones


def variants(name: str, count: int, seed: int) -> list[tuple[str, Program, bool]]:
    """Mutants of a rule set that engines take, and whether the answers changed, by brute force."""
    original = load_rule_set(name).instantiate(BOARD)
    found = []
    mutants = mutants_of(load_rule_set(name), BOARD)
    for mutant in random.Random(seed).sample(mutants, len(mutants)):
        try:
            program = mutant.rules.instantiate(BOARD)
        except HexlogicError:
            continue
        found.append((str(mutant), program, answers(program, BOARD) != answers(original, BOARD)))
        if len(found) == count:
            break
    return found


def assert_agrees_with_brute_force(name: str, count: int, folder) -> None:
    judged = variants(name, count, 20191)
    wrong = [str(words) for words, program, changed in judged if (on_board(program, folder) is not None) != changed]
    assert not wrong, "\n".join(wrong)
    assert any(changed for _, _, changed in judged)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", ["clusters", "clusters-labelled", "follow-line-tabled", "maker-breaker"])
def test_mutants_that_change_an_answer_have_a_counter_example(tmp_path, name):
    assert_agrees_with_brute_force(name, 5, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GROUNDABLE if load_rule_set(name).complete])
def test_many_mutants_have_a_counter_example_just_when_they_change_an_answer(tmp_path, name):
    assert_agrees_with_brute_force(name, 60, tmp_path)


WINS = "wins(P) :- same_cluster(P,X,Y), starts(P,X), last(P,Y)."
COLUMNS = (*STRUCTURE, "column/2")


@pytest.mark.parametrize(
    ("left", "right", "inputs"),
    [
        # A predicate that nobody defines.
        ("", ("clusters", WINS, "wins(P) :- reach(P,X), last(P,X)."), STRUCTURE),
        # Two values of one constant, written out.
        (
            ("clusters", WINS, WINS.replace(".", ", column(X,C), C <= 4.")),
            ("clusters", WINS, WINS.replace(".", ", column(X,C), C <= 400.")),
            COLUMNS,
        ),
        # Two intervals in a body.
        (
            ("clusters", WINS, WINS.replace(".", ", column(Y,1..4).")),
            ("clusters", WINS, WINS.replace(".", ", column(Y,1..8).")),
            COLUMNS,
        ),
        # A constraint narrows the inputs that one side answers for.
        ("", ("clusters", WINS, WINS + ":- owns(P,X), column(X,C), C > 1."), COLUMNS),
    ],
    ids=["undefined predicate", "constants", "intervals", "constraint"],
)
def test_falsehoods_have_a_counter_example(tmp_path, left, right, inputs):
    def text(edit) -> str:
        if not edit:
            return text_of("follow-line-tabled")
        name, old, new = edit
        shipped = text_of(name)
        assert old in shipped
        return shipped.replace(old, new)

    assert counter_example(tmp_path, text(left), text(right), inputs=inputs) is not None


@pytest.mark.parametrize(
    "rule",
    [
        "adjacent(X,Z) :- adjacent(X,Y), adjacent(Y,Z).",
        "first(P,X) :- last(P,X).",
        "owns(P,X) :- first(P,X), last(Q,X).",
    ],
)
def test_who_defines_an_input_is_refused(tmp_path, rule):
    """The board's predicates are inputs here, and no program may add to an input."""
    with pytest.raises(Refused, match="in the head of the right program"):
        counter_example(tmp_path, text_of("clusters"), text_of("clusters") + rule, inputs=STRUCTURE)


@pytest.mark.parametrize("rule", ["adjacent(X,Z) :- adjacent(X,Y), adjacent(Y,Z).", "first(P,X) :- last(P,X)."])
def test_who_adds_to_the_board_has_a_counter_example_on_it(tmp_path, rule):
    rules = load_rule_set("clusters").instantiate(BOARD)
    program = dataclasses.replace(rules, rules=(*rules.rules, *parse(rule).rules))
    assert on_board(program, tmp_path) is not None
