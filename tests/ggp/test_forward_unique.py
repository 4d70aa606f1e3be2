"""Moves that are listed without a look whether they are there: each comes once, and others are not taken for such."""

from __future__ import annotations

from collections import Counter

import pytest

from hexlogic.ggp import read_kif
from hexlogic.ggp.forward import evaluator, kernel, views
from hexlogic.language.propagation.lanes import seeded
from tests.ggp.reasoners_here import ForwardMachine
from tests.ggp.test_forward import SUCC, agree

BOARD = f"""(role r) (role s) (init (clock 1)) {SUCC} (c 1) (c 2) (c 3) (c 4) (c 5) (kind p) (kind q) (dir f) (dir g)
(init (at 1 p)) (init (at 3 q)) (init (at 4 p)) (near 1 2) (near 2 3) (near 3 4) (near 4 5)
(far 1 3) (far 2 4) (far 3 5) (over 1 2 3) (over 2 3 4) (over 3 4 5) (wide 1 2) (wide 1 3) (wide 2 4)
(slow p) (fast q) (any p) (any q) (<= (step ?x f ?y) (near ?x ?y)) (<= (step ?x g ?y) (near ?y ?x))
(<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n)) (<= terminal (true (clock 7))) (legal s wait)
(<= (next (at ?y ?k)) (does r (go ?x ?y)) (true (at ?x ?k)))
(<= (next (at ?x ?k)) (true (at ?x ?k)) (not (left ?x)) (not (hit ?x))) (<= (left ?x) (does r (go ?x ?y)))
(<= (hit ?y) (does r (go ?x ?y))) (<= (taken ?x) (true (at ?x ?k)))
(legal r wait) (<= (goal ?p 100) (role ?p) (taken 5)) (<= (goal ?p 0) (role ?p) (not (taken 5)))
"""
GO = "(<= (legal r (go ?x ?y)) (true (at ?x ?k)) {})"
SHEETS = {
    "one rule": (False, GO.format("(near ?x ?y)")),  # two kinds may stand on a place, for all that is known
    "one rule that names the kind": (True, GO.format("(near ?x ?y)").replace("?k", "p")),
    "rules that share no move": (True, (GO.format("(near ?x ?y)") + GO.format("(far ?x ?y)")).replace("?k", "p")),
    "rules that share moves": (False, (GO.format("(near ?x ?y)") + GO.format("(wide ?x ?y)")).replace("?k", "p")),
    "a place between that follows": (True, GO.format("(over ?x ?z ?y) (taken ?z)").replace("?k", "p")),
    "a place between that does not": (False, GO.format("(near ?x ?y) (c ?z) (taken ?z)").replace("?k", "p")),
    "kinds that differ": (
        True,
        """(<= (legal r (put ?k ?x)) (true (at ?x ?k)) (slow ?k)) (<= (legal r (put ?k ?x)) (true (at ?x ?k)) (fast ?k))
        (<= (left ?x) (does r (put ?k ?x)))""",
    ),
    "kinds that may be one": (
        False,
        """(<= (legal r (put ?k ?x)) (true (at ?x ?k)) (any ?k)) (<= (legal r (put ?k ?x)) (true (at ?x ?k)) (fast ?k))
        (<= (left ?x) (does r (put ?k ?x)))""",
    ),
    "a walk that comes to a place twice": (
        False,
        """(<= (open ?x ?x ?d) (c ?x) (dir ?d)) (<= (open ?x ?y ?d) (step ?x ?d ?y))
        (<= (open ?x ?z ?d) (step ?x ?d ?y) (not (taken ?y)) (open ?y ?z ?d))
        (<= (legal r (slide ?x ?y ?d)) (true (at ?x p)) (open ?x ?y ?d)) (<= (left ?x) (does r (slide ?x ?y ?d)))""",
    ),
    "a test at the end": (
        True,
        GO.format("(near ?x ?y) (not (taken ?y))").replace("?k", "p")
        + GO.format("(far ?x ?y) (true (at ?y q))").replace("?k", "p"),
    ),
    "two moves of one test": (
        True,
        """(<= (legal r (go ?x ?y)) (true (at ?x p)) (near ?x ?y) (not (taken ?y)))
        (<= (legal r (send ?x ?y)) (true (at ?x p)) (near ?x ?y) (not (taken ?y)))
        (<= (left ?x) (does r (send ?x ?y)))""",
    ),
}


@pytest.mark.parametrize("name", SHEETS)
def test_moves_come_once(monkeypatch, name: str):
    """The states are those of clingo, no list has a move twice, and only lists that are proved have no table."""
    monkeypatch.setattr(evaluator, "with_kept_views", lambda opened, *_: opened)
    is_unique, rules = SHEETS[name]
    if "walk" in name:
        monkeypatch.setattr(views, "PUT", 1000.0)
    sheet = read_kif(BOARD + rules)
    with ForwardMachine(sheet) as machine:
        assert agree(sheet, machine, 4) > 20
        here, random = machine.states.evaluator, seeded(1)
        legal = [here.opened.pairs[done] for done in here.opened.done if done.arity > 1]
        derived = [here.relations.of(view) for view in legal if here.opened.program.defining(view)]
        assert {not relation.tables for relation in derived} == {is_unique}
        assert machine.states.enter(machine.initial_state)
        moves = here.legal()
        assert len({(predicate, tuple(numbers)) for predicate, numbers in moves}) == len(moves)
        narrow, wide, state = here.arrays()
        drawn: Counter[object] = Counter()
        for _ in range(3_000):
            kernel.restore(narrow, wide, state)
            assert kernel.draw(narrow, wide, random)
            drawn.update((move.name, *row) for move, row in here._tuples(here.opened.done, narrow, wide))
        del drawn["does_wait", 0], drawn["does_wait", 1]
        mean = 3_000 / (1 + len(drawn))
        assert all(abs(count - mean) < 5 * mean**0.5 for count in drawn.values())
