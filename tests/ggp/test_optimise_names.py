"""Proofs about sheets that spell the names which a proof could use, and games that must not be called the same."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from hexlogic.ggp import read_kif
from hexlogic.ggp.language.static_facts import closed_inputs
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.side_by_side import SideBySide
from hexlogic.ggp.machines.state_machine import AT_ONCE
from hexlogic.ggp.optimise import GameStates
from hexlogic.ggp.optimise.equality import DONE_IS_LEGAL, agree_in_all_states
from hexlogic.language import Atom, Literal, Predicate, Program
from hexlogic.language.walk import rename_rule
from hexlogic.proofs.joint import one_step_miter
from hexlogic.proofs.question import equal

FRAME = (
    "(role r) (init a) (legal r go) (<= (legal r stay) (true a)) (<= (next a) (does r go)) (<= (next b) (does r stay))"
    "(<= (next b) (true b)) (goal r 1) "
)
WORDS = ("one", "two", "three")
TEXT = FRAME + "(<= one (true a)) (<= two (true b)) (<= two one (true b)) (<= three two (not one)) (<= terminal three)"
NAMES = (
    ("q", "before_q", "after_q"),
    ("terminal_", "before_terminal", "after_terminal"),
    ("before_legal", "after_legal", "illegal_"),
    ("before_next", "differ_", "illegal"),
    ("differ", "before_differ", "after_differ"),
    ("before_terminal", "differ_", "before_before_terminal"),
    ("before_true", "after_does", "before_does"),
)


def others(sheet: Program) -> Iterator[Program]:
    """The sheet with one relation in one body exchanged for another one, or negated; those that stay stratified."""
    for number, rule in enumerate(sheet.rules):
        for position, item in enumerate(rule.body):
            if not isinstance(item, Literal) or item.atom.name not in WORDS:
                continue
            for word, positive in itertools.product(WORDS, (True, False)):
                body = (*rule.body[:position], Literal(Atom(word), positive), *rule.body[position + 1 :])
                if rule.head and rule.head.name in WORDS and WORDS.index(word) >= WORDS.index(rule.head.name):
                    continue
                yield sheet.with_rules((*sheet.rules[:number], rule.with_body(body), *sheet.rules[number + 1 :]))


def same_by_exploring(sheet: Program, other: Program) -> bool:
    with StateMachine.first_of(sheet, AT_ONCE) as old, StateMachine.first_of(other, AT_ONCE) as new:
        difference, visited = SideBySide(old, new).explore(1000, float("inf"))
    assert visited or difference is not None
    return visited


def renamed(sheet: Program, names: tuple[str, ...]) -> Program:
    new = {Predicate(word, 0): name for word, name in zip(WORDS, names, strict=True)}
    return sheet.with_rules(tuple(rename_rule(rule, new) for rule in sheet.rules))


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("names", NAMES, ids="-".join)
def test_names_change_nothing_in_what_is_proved(names: tuple[str, ...]) -> None:
    sheet = read_kif(TEXT)
    proved = 0
    for other in others(sheet):
        plain = agree_in_all_states(sheet, other, 5.0)
        assert agree_in_all_states(renamed(sheet, names), renamed(other, names), 5.0) == plain
        if plain is not None:
            assert same_by_exploring(sheet, other)
            proved += 1
    assert proved > 0


def test_a_relation_named_like_the_copy_of_another() -> None:
    """`q` rests on `before_q` in one sheet only; reading the other sheet's `q` for it would make them equal."""
    left = read_kif(FRAME + "(<= q (true a)) (<= before_q (true b)) (<= terminal q)")
    right = read_kif(FRAME + "(<= q before_q) (<= before_q (true b)) (<= terminal q)")
    for one, other in ((left, right), (right, left)):
        assert agree_in_all_states(one, other, 5.0) is None
        assert equal(one, other, GameStates(games=0)).difference is not None


def test_a_rule_that_derives_a_fact_of_the_state() -> None:
    """What `true` holds then is more than what was assumed: the question step by step is not asked."""
    left = read_kif(FRAME + "(<= (true b) (true a)) (<= terminal (true b))")
    right = read_kif(FRAME + "(<= terminal (true b))")
    for one, other in ((left, right), (right, left)):
        assert one_step_miter(one, other, closed_inputs(one) or (), DONE_IS_LEGAL) is None
        assert agree_in_all_states(one, other, 5.0) is None
    assert agree_in_all_states(left, left, 5.0) is not None


def test_constants_and_constraints_are_no_part_of_a_sheet_and_prove_nothing() -> None:
    from hexlogic.language.parser import parse

    sheet = read_kif(FRAME + "(<= terminal (true b))")
    for text in ("#const b = a.", ":- true(b)."):
        assert agree_in_all_states(sheet, sheet + parse(text), 5.0) is None
        assert agree_in_all_states(sheet + parse(text), sheet, 5.0) is None


def test_integers_that_clingo_would_change_prove_nothing() -> None:
    frame = "(role r) (init 1) (legal r go) (<= (next 1) (does r go)) (goal r 1) "
    left, right = read_kif(frame + "(<= terminal (true 4294967297))"), read_kif(frame + "(<= terminal (true 1))")
    for one, other in ((left, right), (right, left)):
        assert agree_in_all_states(one, other, 5.0) is None


def test_roles_in_another_order_are_another_game() -> None:
    """Joint moves list the roles in the order of the sheet: a match cannot go on where the order changes."""
    text = (
        "(init a) (<= (legal ?r go) (role ?r)) (<= terminal (true b)) (<= (goal ?r 1) (role ?r)) (<= (next b) (true a))"
    )
    left, right = read_kif("(role red) (role blue)" + text), read_kif("(role blue) (role red)" + text)
    found = equal(left, right, GameStates())
    assert not found.proved
    assert str(found) == "DIFFERENT the roles are red, blue before and blue, red after"
    assert equal(left, left, GameStates()).proved


def test_a_declaration_without_end_is_compared_as_text() -> None:
    """`base` cannot be listed: what its rules are must be the same, or nothing is proved."""
    grows = "(base (n z)) (<= (base (n (s ?x))) (base (n ?x)))"
    left, right = (read_kif(FRAME + "(<= terminal (true b))" + grows + more) for more in ("", "(base (m z))"))
    assert equal(left, left, GameStates(games=2)).proved
    found = equal(left, right, GameStates(games=2))
    assert found.difference is None
    assert not found.proved
    assert str(found).endswith("base/1 has no end, and its rules are not the same: no proof")


def test_games_that_repeat_are_not_counted_as_different_ones() -> None:
    sheet = read_kif("(role r) (init a) (legal r go) (<= (next b) (true a)) (<= terminal (true b)) (goal r 1)")
    found = equal(sheet, sheet, GameStates(games=20))
    assert (found.games, found.different) == (20, 1)
    assert str(found).startswith(
        "equal in 20 random games, 1 of them different; proved equal in all 2 reachable states"
    )
