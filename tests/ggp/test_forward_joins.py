"""Joins that rules share, and lists of what a step changes: the states are those of clingo."""

from __future__ import annotations

from hexlogic.ggp import read_kif
from hexlogic.ggp.forward import evaluator, sheet_code, views
from hexlogic.ggp.language.opened import open_sheet
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Predicate
from tests.ggp.reasoners_here import ForwardMachine
from tests.ggp.test_forward import SUCC, agree

LEAPS = f"""(role r) (init (clock 1)) {SUCC} (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (init (at 1)) (init (at 2))
(init (at 5)) (<= (near ?x ?y) (n ?x) (n ?y) (succ ?x ?y)) (<= (near ?x ?y) (n ?x) (n ?y) (succ ?y ?x))
(<= (legal r (leap ?x ?z)) (true (at ?x)) (near ?x ?y) (true (at ?y)) (near ?y ?z) (not (true (at ?z))))
(<= (legal r (twice ?x ?u)) (true (at ?x)) (near ?x ?y) (true (at ?y)) (near ?y ?z) (not (true (at ?z))) (near ?z ?u)
(distinct ?u ?y) (not (true (at ?u)))) (<= (legal r (hold ?x)) (true (at ?x)) (near ?x ?y) (true (at ?y)))
(<= (legal r (step ?x ?y)) (true (at ?x)) (near ?x ?y) (not (true (at ?y)))) (legal r wait)
(<= (from ?x) (does r (leap ?x ?z))) (<= (from ?x) (does r (twice ?x ?z))) (<= (from ?x) (does r (step ?x ?z)))
(<= (next (at ?z)) (does r (leap ?x ?z))) (<= (next (at ?z)) (does r (twice ?x ?z)))
(<= (next (at ?z)) (does r (step ?x ?z))) (<= (next (at ?x)) (true (at ?x)) (not (from ?x)))
(<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n)) (<= terminal (true (clock 12)))
(<= (goal r 100) (true (at 6))) (<= (goal r 0) (not (true (at 6))))
"""
"""Moves whose rules begin alike, one of them with a pair that only has to be there."""

MARKS = f"""(role r) (init (clock 1)) {SUCC} (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)
(<= (init (mark ?x)) (n ?x)) (<= (init (at ?x)) (n ?x)) (<= (legal r (go ?x)) (n ?x))
(<= (next (at ?x)) (true (at ?x)) (not (does r (go ?x))))
(<= (sees ?x ?y) (n ?x) (n ?y) (distinct ?x ?y)) (<= (next (mark ?y)) (true (at ?x)) (sees ?x ?y))
(<= (next (mark ?y)) (true (mark ?y)) (not (does r (go ?y))))
(<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n)) (<= terminal (true (clock 6)))
(<= (goal r 100) (true (mark 1))) (<= (goal r 0) (not (true (mark 1))))
"""


def test_rules_whose_joins_begin_alike_share_their_loops(monkeypatch):
    """States, tuples looked at, and tuples made, of games with steps, jumps and double jumps: with and without."""
    totals = []
    for is_shared in (True, False):
        if not is_shared:
            monkeypatch.setattr(sheet_code, "beginning", lambda rule, _: rule)
        with ForwardMachine(read_kif(LEAPS)) as machine:
            assert agree(read_kif(LEAPS), machine, 3) > 20
            assert machine.states.enter(machine.initial_state)
            states, counts = machine.states.profile(20, 1, 100)
            totals.append((states, *(sum(column) for column in zip(*counts.values(), strict=True))))
    assert totals == [(240, 5626, 2732), (240, 10068, 2716)]


def test_a_list_of_what_comes_grows_by_what_comes_twice(monkeypatch):
    """Nine marks, each for up to eight places: more than the list holds at first."""
    grown, enlarge = [], evaluator.Evaluator._enlarge
    monkeypatch.setattr(evaluator.Evaluator, "_enlarge", lambda made, full: grown.append(full) or enlarge(made, full))
    with ForwardMachine(read_kif(MARKS)) as machine:
        opened = machine.states.evaluator.opened
        (marks,) = (true for true in opened.state if true.name == "true_mark")
        coming = machine.states.evaluator.relations.of(opened.pairs[marks])
        assert not coming.tables
        assert agree(read_kif(MARKS), machine, 1) > 4
        assert coming.address in grown


TURNS = f"""(role w) (role b) (init (turn w)) (init (clock 1)) (init (seen a)) (init (at w 1)) (init (at b 3)) {SUCC}
(n 1) (n 2) (n 3) (n 4) (other w b) (other b w) (<= (near ?x ?y) (n ?x) (n ?y) (succ ?x ?y)) (near 4 1)
(<= (legal ?r (go ?x)) (true (turn ?r)) (can ?r ?x) (not (held ?r ?x))) (<= (legal ?r rest) (role ?r))
(<= (legal ?r (far ?x)) (true (turn ?r)) (way ?r ?x)) (<= (way ?r ?y) (true (at ?r ?x)) (near ?x ?y))
(<= (way ?r ?y) (way ?r ?x) (near ?x ?y) (not (held ?r ?y)))
(<= (can ?r ?y) (true (at ?r ?x)) (near ?x ?y) (not (true (at ?r ?y))))
(<= (held ?r ?x) (true (at ?o ?x)) (other ?r ?o))
(<= (moves ?r) (can ?r ?x) (n ?x)) (<= terminal (true (turn ?r)) (not (moves ?r))) (<= terminal (true (clock 12)))
(<= (bound ?r) (held ?r 4)) (<= (next (seen w)) (true (turn w)) (bound b))
(<= (next (at ?r ?x)) (does ?r (go ?x))) (<= (next (at ?r ?x)) (does ?r (far ?x)))
(<= (next (at ?r ?x)) (true (at ?r ?x)) (does ?r rest)) (<= (next (seen ?p)) (true (seen ?p)))
(<= (next (seen b)) (true (turn b)) (true (at b 2))) (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
(<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n)) (<= (known ?p) (true (seen ?p)))
(<= (goal w 100) (true (turn w)) (known w)) (<= (goal w 50) (true (turn b)) (known b))
(<= (goal b 20) (true (turn b)) (known b)) (<= (goal b 70) (true (turn w)) (bound w))
"""
"""Views that are asked for with the role whose turn it is, one of them by another one, and one that is asked for with
constants only, whose terms have other numbers."""


def test_views_are_derived_for_the_terms_that_they_are_asked_for(monkeypatch):
    """`moves`, `can` and `way` have the turn in their rules; `held`, which others ask for too, and `known` have not."""
    opened = open_sheet(read_kif(TURNS))
    turn = Predicate("true_turn", 1)
    made = views.only_where_asked(opened, Statistics({turn: 1.0}), ())
    old = {*opened.program.rules}
    named = [rule for rule in made.program.rules if rule not in old]
    assert {rule.conclusion.name for rule in named} == {"moves", "can", "way"}
    assert all(next(rule.literals).atom.predicate == turn for rule in named)
    monkeypatch.setattr(evaluator, "with_kept_views", lambda opened, *_: opened)
    with ForwardMachine(read_kif(TURNS)) as machine:
        assert agree(read_kif(TURNS), machine, 6) > 30
