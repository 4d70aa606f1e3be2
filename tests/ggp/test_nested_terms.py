"""Sheets whose terms stand inside each other: a type may have no end where the ground atoms are few, and a relation of
all lists may have too many where the game needs few."""

from __future__ import annotations

import random

import pytest

from hexlogic.ggp import StateMachine, read_kif
from hexlogic.ggp.machines.side_by_side import SideBySide
from tests.ggp.oracle import walk
from tests.ggp.reasoners_here import REASONERS, SWIPL

SAME = """(role r) (index 1) (index 2) (index 3) (init (at 1)) (<= (same ?x ?x) (index ?x))
(<= (same (at ?x) (at ?x)) (index ?x)) (<= (equal ?x ?y) (same ?x ?y))
(<= (legal r (go ?x)) (index ?x) (true (at ?y)) (not (same ?x ?y))) (<= (next (at ?x)) (does r (go ?x)))
(<= (next (was ?f)) (true ?f) (index ?x) (same ?f (at ?x))) (<= terminal (true (was ?f)) (equal ?f (at 3))) (goal r 7)
"""
"""`was(at(1))` and `at(1)` are facts, so that the type of facts contains itself; no rule makes terms grow."""

LETTERS = " ".join(f"(letter l{number})" for number in range(30))


def all_lists(length: int) -> str:
    """The rule for all lists of so many letters."""
    term, body = "nil", ""
    for number in range(length):
        term, body = f"(list ?x{number} {term})", f"{body} (letter ?x{number})"
    return f"(<= (is-list {term}) {body})"


LISTS = f"""(role r) {LETTERS} (init (held nil)) (is-list nil) {" ".join(map(all_lists, range(1, 20)))}
(<= (legal r (take l3)) (true (held nil))) (<= (legal r (take l4)) (true (held (list ?x nil))))
(<= (next (held (list ?x ?tail))) (does r (take ?x)) (true (held ?tail)) (is-list ?tail))
(<= terminal (true (held (list ?x (list ?y nil))))) (goal r 7)
"""
"""30^19 lists, of which three come up."""


@pytest.mark.parametrize("reasoner", REASONERS)
def test_a_type_without_an_end_is_played(reasoner: str):
    sheet = read_kif(SAME)
    with StateMachine.from_sheet(sheet, reasoner) as machine:
        for seen in walk(sheet, 3, 8):
            assert machine.is_terminal(seen.state) == seen.terminal
            assert set(machine.legal_moves(seen.state, "r")) == set(seen.legal[machine.roles[0]])
            if seen.moves is not None:
                assert machine.next_state(seen.state, seen.moves) == seen.next


@SWIPL
def test_all_lists_are_too_many_to_be_ground():
    sheet = read_kif(LISTS)
    with StateMachine.from_sheet(sheet) as machine, StateMachine.from_sheet(sheet, "swipl") as prover:
        assert machine.analysis is not None
        assert "swipl answers for each state" in machine.analysis
        assert machine.playouts(3).mean_steps == 2
        assert SideBySide(machine, prover).play(random.Random(1)) is None
