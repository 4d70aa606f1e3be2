"""Columns of one type in which few of its terms come: what never comes is not there, and nothing is lost."""

from __future__ import annotations

import random

import pytest

from hexlogic.ggp import read_kif
from hexlogic.ggp.forward import kept
from hexlogic.ggp.machines import State
from tests.ggp.reasoners_here import ForwardMachine
from tests.ggp.test_forward import agree

FILES = """(role w) (role b) (other w b) (other b w) (along a b) (along b c) (along c d)
(coordinate a) (coordinate b) (coordinate c) (coordinate d)
(coordinate 1) (coordinate 2) (coordinate 3) (coordinate 4)
(init (turn w)) (init (on a 1)) (init (on 2 b)) (init (on b b))
(<= (run ?x ?y) (along ?x ?y) (true (on ?x ?n))) (<= (run ?x ?z) (run ?x ?y) (along ?y ?z))
(<= (pair ?x ?y ?m ?n) (along ?x ?y) (true (on ?x ?m)) (true (on ?y ?n)))
(<= (last d) (true (on d ?n))) (<= (last c) (true (on ?n c))) (<= (lost ?x) (along ?x a) (true (on ?x ?n)))
(<= (legal ?r (put ?x ?y)) (true (turn ?r)) (coordinate ?x) (coordinate ?y) (not (run ?x ?y)) (not (true (on ?x ?y))))
(<= (legal ?r (lift ?x)) (true (turn ?r)) (true (on ?y ?x)) (not (last ?x)) (not (lost ?y)))
(<= (legal ?r (hop ?x ?z)) (true (turn ?r)) (true (on ?y ?x)) (run ?x ?z))
(<= (legal ?r (swap ?x ?y)) (true (turn ?r)) (true (on ?n ?x)) (true (on ?y ?m)) (pair ?x ?y ?n ?m))
(<= (legal ?r pass) (true (turn ?r))) (<= (legal ?r pass) (true (turn ?o)) (other ?r ?o))
(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o)) (<= (next (on ?x ?y)) (does ?r (put ?x ?y)))
(<= (next (on ?z ?x)) (does ?r (hop ?x ?z))) (<= (next (on ?y ?x)) (does ?r (swap ?x ?y)))
(<= (next (on ?x ?y)) (true (on ?x ?y)) (not (gone ?x ?y)))
(<= (gone ?y ?x) (does ?r (lift ?x)) (true (on ?y ?x))) (<= (gone ?x ?x) (does ?r (swap ?x ?y)))
(<= terminal (run a d) (last c)) (<= terminal (pair c d 1 4)) (<= (goal ?r 70) (role ?r) (last ?x))
(<= (goal ?r 20) (role ?r) (not (last c)) (not (last d)))
"""
"""Files and ranks have one type, facts may have either in each column; views have files alone in some."""


@pytest.mark.parametrize("is_kept", [False, True])
def test_what_cannot_stand_in_a_column_is_not_there(monkeypatch, is_kept):
    """Views with few numbers are asked for with any, negated and not, recursive, with constants, and never true."""
    monkeypatch.setattr(kept._Keeping, "_saved", lambda *_: 1.0 if is_kept else -1.0)
    sheet = read_kif(FILES)
    with ForwardMachine(sheet) as machine:
        assert bool(machine.states.evaluator.opened.kept) == is_kept
        assert agree(sheet, machine, 8) > 40


def test_a_state_that_rules_never_reach_is_answered_as_by_clingo():
    """Facts have the room of their type: a player may be given any state."""
    sheet = read_kif(FILES)
    with ForwardMachine(sheet) as machine, ForwardMachine(sheet) as fresh:
        draw, words = random.Random(7), sorted({"a", "b", "c", "d", "1", "2", "3", "4"})
        for _ in range(10):
            facts = " ".join(f"(init (on {draw.choice(words)} {draw.choice(words)}))" for _ in range(5))
            given = State(read_state(f"(init (turn b)) {facts}"))
            for role in machine.roles:
                assert machine.legal_moves(given, role) == fresh._other.legal_moves(given, role)


def read_state(text):
    return frozenset(rule.head.arguments[0] for rule in read_kif(text).rules)
