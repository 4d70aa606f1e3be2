"""Views that lead along what no state changes, asked from the terms that are given: the states are those of clingo."""

from __future__ import annotations

import random

import pytest

from hexlogic.ggp import read_kif
from hexlogic.ggp.forward import views
from tests.ggp.reasoners_here import ForwardMachine
from tests.ggp.test_forward import SUCC, agree

_BOARD = f"""(role r) (init (clock 1)) {SUCC} (c 1) (c 2) (c 3) (c 4) (c 5) (c 6) (dir f) (dir g)
(init (at 1)) (init (at 4)) (init (own a 2)) (init (own b 5)) (init (own a 6))
(<= (step ?x f ?y) (succ ?x ?y) (c ?x) (c ?y)) (<= (step ?x g ?y) (succ ?y ?x) (c ?x) (c ?y))
(<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n)) (<= terminal (true (clock 8)))
(<= (next (own ?p ?x)) (true (own ?p ?x)) (not (does r (go ?x ?x)))) (<= (next (own b ?x)) (does r (go ?x 3)))
(<= (next (at ?y)) (does r (go ?x ?y))) (<= (next (at ?x)) (true (at ?x)) (not (gone ?x)))
(<= (gone ?x) (does r (go ?x ?y))) (legal r wait) (<= (goal r 0) (not (via 1 6 f))) (<= (goal r 100) (via 1 6 f))
"""
_GUARDS = (
    "(not (true (at {0})))",
    "(true (own ?p {0}))",
    "(not (true (own a {0})))",
    "(distinct {0} 3)",
    "(c {0})",
    "(not (free {0} {0}))",
    "(ok {0} ?q)",
)
_BASES = (
    "(<= (open ?x ?y ?d) (step ?x ?d ?y) {0})",
    "(<= (open ?x ?x ?d) (c ?x) (dir ?d) {0})",
    "(<= (open ?x 2 ?d) (c ?x) (dir ?d) (true (at 2)) {0})",
    "(<= (open ?x ?z ?d) (dir ?d) (c ?x) (true (own ?q ?z)) {0})",
)
_USES = (
    "(<= (legal r (go ?x ?y)) (true (at ?x)) (dir ?d) (open ?x ?y ?d))",
    "(<= (legal r (go ?x ?x)) (true (own ?p ?x)) (open ?x ?x ?d) (dir ?d))",
    "(<= (legal r (look ?x ?d)) (true (at ?x)) (dir ?d) (open ?x ?y ?d) {0})",
    "(<= (legal r (turn ?x ?z)) (true (at ?x)) (open ?x ?y f) (open ?y ?z g) (distinct ?x ?z))",
    "(<= (legal r (stay ?x)) (true (at ?x)) (not (open ?x 3 f)) (not (open ?x 5 g)))",
    "(<= (legal r (meet ?x)) (true (at ?x)) (open ?x ?y ?d) (dir ?d) (true (own ?p ?y)) {0})",
    "(<= (legal r (two ?y)) (true (at ?x)) (open ?x ?y f) (open ?y ?y g))",
    "(<= (legal r (far ?x ?y)) (true (at ?x)) (far ?x (p ?y)) {0})",
    "(<= (legal r (near ?x)) (true (at ?x)) (far ?x ?z))",
)


def _sheet(draw: random.Random) -> str:
    """A sheet whose view `open` goes along a row in two directions."""

    def guard(*names: str) -> str:
        return " ".join(draw.sample(_GUARDS, draw.randint(0, 2))).format(draw.choice(names))

    rules = [rule.format(guard("?x")) for rule in draw.sample(_BASES, draw.randint(1, 3))]
    rules.append(f"(<= (open ?x ?z ?d) (step ?x ?d ?y) {guard('?x', '?y')} (open ?y ?z ?d))")
    rules.append("(<= (via ?x ?z ?d) (step ?x ?d ?y) (open ?y ?u ?d) (step ?u ?d ?z))")
    if draw.random() < 0.3:  # two views that ask for each other
        rules.append(f"(<= (hop ?x ?z) (open ?x ?y f) (open ?y ?z g) {guard('?x', '?z')})")
        rules.append(f"(<= (open ?x ?z ?d) (dir ?d) (hop ?x ?z) {guard('?x', '?z')})")
    rules.append(f"(<= (far ?x (p ?z)) (c ?x) (dir ?d) (open ?x ?z ?d) {guard('?x', '?z')})")
    rules.append(f"(<= (far ?x ?z) (succ ?x ?y) {guard('?x', '?y')} (far ?y ?z))")
    rules += ["(<= (ok ?x a) (true (own a ?x)) (true (clock ?n)))", "(<= (ok ?x ?n) (true (at ?x)) (true (clock ?n)))"]
    rules.append("(<= (free ?x ?y) (c ?x) (c ?y) (not (true (at ?x))) (not (true (own b ?y))))")
    rules += [rule.format(guard("?y")) for rule in draw.sample(_USES, draw.randint(2, 4))]
    draw.shuffle(rules)
    return _BOARD + "\n".join(rules)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_walks(monkeypatch, first: int):
    """Views are asked wherever they can be; most of the sheets have a walk."""
    monkeypatch.setattr(views, "PUT", 1000.0)
    walks = 0
    for seed in range(first, first + 20):
        sheet = read_kif(_sheet(random.Random(seed)))
        with ForwardMachine(sheet) as machine:
            assert agree(sheet, machine, 1) > 6, seed
            asked = machine.states.evaluator.relations.tested
            walks += any(len(each.columns) < view.arity for view, each in asked.items())
    assert walks > 10


_LINES = (
    _BOARD
    + """
(<= (taken ?x) (true (at ?x))) (<= (taken ?x) (true (own ?p ?x)))
(<= (open ?x ?x ?d) (c ?x) (dir ?d) (not (taken ?x)))
(<= (open ?x ?z ?d) (step ?x ?d ?y) (not (taken ?x)) (open ?y ?z ?d))
(<= (via ?x ?y ?d) (step ?x ?d ?y)) (<= (via ?x ?z ?d) (step ?x ?d ?y) (open ?y ?u ?d) (step ?u ?d ?z))
(<= (legal r (go ?x ?y)) (true (at ?x)) (dir ?d) (via ?x ?y ?d) (not (true (at ?y))))
"""
)


def test_a_walk_makes_no_tuples(monkeypatch):
    """States, tuples looked at and tuples made in games of queens on a line: with walks, and with all stretches."""
    monkeypatch.setattr(views, "PUT", 1000.0)
    totals = []
    for is_walked in (True, False):
        if not is_walked:
            monkeypatch.setattr(views, "_given_columns", lambda *_: None)
        with ForwardMachine(read_kif(_LINES)) as machine:
            assert agree(read_kif(_LINES), machine, 3) > 20
            asked = machine.states.evaluator.relations.tested
            assert any(len(each.columns) < view.arity for view, each in asked.items()) == is_walked
            assert machine.states.enter(machine.initial_state)
            states, counts = machine.states.profile(20, 1, 100)
            totals.append((states, *(sum(column) for column in zip(*counts.values(), strict=True))))
    assert totals == [(160, 6189, 1553), (160, 7605, 2097)]
