"""Pairs of columns as one, and relations joined ahead: the states are those of clingo."""

from __future__ import annotations

import random

import pytest

from hexlogic.ggp import read_kif
from hexlogic.ggp.forward import pairs, static_joins
from tests.ggp.reasoners_here import ForwardMachine
from tests.ggp.sheets_of_columns import random_sheet
from tests.ggp.test_forward import SUCC, agree

BOARD = f"""(role w) (role b) (init (turn w)) (other w b) (other b w) {SUCC}
(init (cell 1 1 w)) (init (cell 1 2 w)) (init (cell 3 3 b)) (init (cell 3 2 b)) (init (at 2 2)) (n 1) (n 2) (n 3)
(<= (to ?x ?y ?x ?v) (n ?x) (n ?y) (succ ?y ?v) (n ?v)) (<= (to ?x ?y ?u ?y) (n ?x) (n ?y) (n ?u) (distinct ?x ?u))
(<= (legal ?r (go ?x ?y ?u ?v)) (true (turn ?r)) (true (cell ?x ?y ?r)) (to ?x ?y ?u ?v) (not (true (cell ?u ?v ?r))))
(<= (legal ?r pass) (true (turn ?r))) (<= (legal ?r wait) (true (turn ?o)) (other ?r ?o))
(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
(<= (next (cell ?u ?v ?r)) (does ?r (go ?x ?y ?u ?v)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (left ?x ?y)))
(<= (left ?x ?y) (does ?r (go ?x ?y ?u ?v))) (<= (left ?u ?v) (does ?r (go ?x ?y ?u ?v)))
(<= (next (at ?u ?v)) (does ?r (go ?x ?y ?u ?v))) (<= (next (at ?x ?y)) (true (at ?x ?y)) (does ?r pass))
(<= (aligned ?p) (true (cell ?x ?y ?p)) (true (at ?x ?v)))
(<= (ahead ?p) (true (cell ?x ?y ?p)) (succ ?x ?u) (succ ?y ?v) (not (true (cell ?u ?v ?p))))
(<= (corner ?p) (true (cell 1 ?y ?p)) (true (cell ?y ?y ?p)))
(<= terminal (not (ahead w))) (<= terminal (true (cell 3 3 w))) (<= terminal (true (cell 1 1 b)) (not (corner w)))
(<= (goal ?r 100) (aligned ?r) (not (corner ?r))) (<= (goal ?r 50) (aligned ?r) (corner ?r))
(<= (goal ?r 0) (role ?r) (not (aligned ?r)))
"""
"""Cells whose file or rank is named alone, twice, or outside of the board."""

FREE = """(role r) (init (at 1)) (n 1) (n 2) (n 3) (after 1 2) (after 2 3)
(<= (legal r (think ?x ?y)) (n ?x) (n ?y)) (legal r go)
(<= (next (seen ?x ?y)) (does r (think ?x ?y))) (<= (next (seen ?x ?y)) (true (seen ?x ?y)))
(<= (next (at ?x)) (true (at ?x)) (does r (think ?u ?v))) (<= (next (at ?y)) (true (at ?x)) (after ?x ?y) (does r go))
(<= terminal (true (at 3))) (<= (goal r 100) (true (seen 1 2))) (<= (goal r 0) (not (true (seen 1 2))))
"""
"""Moves of two values that are legal in each state."""

TEAMS = """(role r) (init (in b low)) (init (in a low)) (after low mid) (after mid high)
(<= (legal r (lift ?t)) (true (in ?t ?x)) (after ?x ?y)) (<= (legal r stop) (true (in a ?x)))
(<= (next (in ?t ?x)) (true (in ?t ?x)) (not (lifted ?t))) (<= (lifted ?t) (does r (lift ?t)))
(<= (next (in ?t ?y)) (does r (lift ?t)) (true (in ?t ?x)) (after ?x ?y))
(<= (rank b ?x) (true (in b ?x)) (not (true (in a ?x)))) (<= (rank c ?x) (true (in a ?x)))
(<= (mark a ?x) (true (in a ?x))) (<= (mark b ?x) (true (in b ?x)))
(<= done (rank b mid) (mark b mid)) (<= done (rank c high) (mark a low)) (<= done (mark b high) (true (in b high)))
(<= (even ?x) (rank b ?x) (mark b ?x)) (<= done (even mid) (mark b mid))
(<= terminal done) (<= (goal r 100) (even mid)) (<= (goal r 50) (rank c mid) (not (even mid)))
(<= (goal r 0) (not (even mid)) (not (rank c mid)))
"""
"""The same terms, once in a column with a and b, once in one with b and c."""

ALIKE = """(role r) (init (at 1)) (init (lit a)) (after 1 2) (after 2 3) (after 3 4) (beside a b) (beside b c)
(legal r one) (legal r two)
(<= (next (lit ?y)) (does r ?m) (distinct ?m two) (true (lit ?x)) (beside ?x ?y) (beside ?y ?z))
(<= (next (lit a)) (does r two))
(<= (next (at ?z)) (does r ?m) (distinct ?m one) (true (at ?x)) (after ?x ?y) (after ?y ?z))
(<= (next (at ?y)) (does r one) (true (at ?x)) (after ?x ?y))
(<= terminal (true (at 4))) (<= terminal (true (at 3)))
(<= (goal r 100) (true (at 4))) (<= (goal r 0) (not (true (at 4))))
"""
"""A variable for moves of several kinds, none of them the one excluded, beside two relations that no state changes."""

SURE = """(role r) (n 1) (n 2) (n 3) (path 1 2) (path 2 3) (init (at 1 2))
(<= (legal r (go ?x)) (n ?x)) (<= (next (at ?x ?y)) (does r (go ?x)) (path ?x ?y))
(<= (next (at 1 2)) (true (at ?x ?y)) (path ?y ?z))
(<= (goal r 100) (n 1)) (<= (goal r 0) (true (at 3 3))) (<= (goal r 0) (n 2) (not (true (at 3 1))))
(<= terminal (true (at 2 3)))
"""
"""Goals that follow from what no state changes, once pairs that never come up are left out."""

GAMES = {"board": BOARD, "free": FREE, "teams": TEAMS, "alike": ALIKE, "sure": SURE}


@pytest.mark.takes_seconds(keep=3)
@pytest.mark.parametrize("name", GAMES)
def test_states_with_pairs_are_those_of_clingo(name):
    sheet = read_kif(GAMES[name])
    with ForwardMachine(sheet) as machine:
        assert agree(sheet, machine, 6) > 6


@pytest.mark.takes_seconds(keep=2)
@pytest.mark.parametrize("seed", range(12))
def test_states_of_random_sheets_are_those_of_clingo(monkeypatch, seed):
    """With all pairs and joins that can be made, worthwhile or not; every third has rules that begin alike."""
    if seed % 2:
        monkeypatch.setattr(pairs._Pairing, "_score", lambda *_: 1)
        monkeypatch.setattr(static_joins, "_SAVED", float("inf"))
    sheet = read_kif(random_sheet(random.Random(seed), alike=0 if seed % 3 else 3))
    with ForwardMachine(sheet) as machine:
        assert machine.states is not None
        assert agree(sheet, machine, 2) > 6
