"""The form in which the compiled machine grounds a sheet: the same game with fewer ground rules, on sheets with the
idioms of published ones and on random ones."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.ggp import StateMachine, read_kif
from hexlogic.ggp.language.opened import open_sheet
from hexlogic.ggp.language.sheet import PLAYED
from hexlogic.ggp.language.static_facts import possible_inputs
from hexlogic.ggp.propnet import ground_size
from hexlogic.ggp.propnet.ground_size import possible_sizes
from hexlogic.language.ground.program import ground_program
from hexlogic.language.passes import split
from hexlogic.language.syntax import Predicate
from tests.ggp.oracle import after, initial, look, walk
from tests.ggp.random_sheets import games

STEPS = " ".join(f"(succ {n} {n + 1})" for n in range(1, 17))
BOARD = " ".join(f"(beside {n} {n + 1}) (beside {n + 1} {n})" for n in range(1, 12))
PLACES = " ".join(f"(place {n})" for n in range(1, 13))
TURNS = """(role red) (role blue) (init (control red)) (other red blue) (other blue red)
(<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
(<= (legal ?r noop) (true (control ?o)) (other ?r ?o))
"""
LINKED = f"""{TURNS} {STEPS} {BOARD} {PLACES} (init (step 1))
(<= (legal ?r (put ?x)) (true (control ?r)) (place ?x) (not (taken ?x))) (<= (taken ?x) (true (linked ?k ?x)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (owner ?k ?r)) (true (step ?k)) (true (control ?r))) (<= (next (owner ?k ?r)) (true (owner ?k ?r)))
(<= (next (linked ?k ?x)) (does ?r (put ?x)) (true (step ?k)))
(<= (next (linked ?k ?x)) (moved ?e) (true (linked ?e ?x)) (true (step ?k)))
(<= (next (linked ?k ?x)) (true (linked ?k ?x)) (not (moved ?k)))
(<= (moved ?k) (does ?r (put ?x)) (true (owner ?k ?r)) (true (linked ?k ?y)) (beside ?x ?y))
(<= (won ?r) (true (linked ?k 3)) (true (linked ?k 7)) (true (owner ?k ?r)))
(<= terminal (won ?r)) (<= terminal (not open)) (<= open (place ?x) (not (taken ?x)))
(<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))
"""
"""What is linked is named by a step, and renamed by the step that links it to more."""

PIECES = " ".join(
    f"(piece p{number}) (init (pool p{number})) " + " ".join(f"(bit {n} p{number} {number >> n & 1})" for n in range(3))
    for number in range(8)
)
SETS = f"""{TURNS} {PIECES} (cell 1) (cell 2) (cell 3) (cell 4) (column 1) (column 2)
(<= (legal ?r (put ?p ?x ?y)) (true (control ?r)) (true (pool ?p)) (cell ?x) (column ?y) (not (full ?x ?y)))
(<= (full ?x ?y) (true (at ?x ?y ?p)))
(<= (next (at ?x ?y ?p)) (does ?r (put ?p ?x ?y))) (<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)))
(<= (next (pool ?p)) (true (pool ?p)) (not (gone ?p))) (<= (gone ?p) (does ?r (put ?p ?x ?y)))
(<= (set ?a ?b ?c ?d) (bit ?n ?a ?v) (bit ?n ?b ?v) (bit ?n ?c ?v) (bit ?n ?d ?v))
(<= line (true (at 1 ?y ?a)) (true (at 2 ?y ?b)) (true (at 3 ?y ?c)) (true (at 4 ?y ?d)) (set ?a ?b ?c ?d))
(<= open (cell ?x) (column ?y) (not (full ?x ?y))) (<= terminal line) (<= terminal (not open))
(<= (goal ?r 50) (role ?r) (not line)) (<= (goal ?r 100) line (true (control ?o)) (other ?r ?o))
(<= (goal ?r 0) line (true (control ?r)))
"""
"""Sets of four pieces with a property in common: a relation of very many tuples, of which rules ask for those on the
board."""

COUNTED = f"""{TURNS} {PLACES} {BOARD}
(<= (init (cell ?x none)) (place ?x) (distinct ?x 1) (distinct ?x 12)) (init (cell 1 red)) (init (cell 12 blue))
(<= (legal ?r (move ?x ?y)) (true (control ?r)) (true (cell ?x ?r)) (beside ?x ?y) (true (cell ?y none)))
(<= (legal ?r rest) (true (control ?r)))
(<= (next (cell ?y ?r)) (does ?r (move ?x ?y))) (<= (next (cell ?x none)) (does ?r (move ?x ?y)))
(<= (next (cell ?z ?c)) (true (cell ?z ?c)) (does ?r (move ?x ?y)) (apart ?z ?x) (apart ?z ?y))
(<= (next (cell ?z ?c)) (true (cell ?z ?c)) (does ?r rest)) (<= (apart ?x ?y) (place ?x) (place ?y) (distinct ?x ?y))
(<= (count ?x ?y ?z ?r all) (true (cell ?x ?r)) (true (cell ?y ?r)) (true (cell ?z ?r)))
(<= (count ?x ?y ?z ?r some) (without ?x ?r) (true (cell ?y ?r)) (without ?z ?r))
(<= (count ?x ?y ?z ?r none) (without ?x ?r) (without ?y ?r) (without ?z ?r))
(<= (without ?x ?r) (true (cell ?x ?c)) (role ?r) (distinct ?r ?c))
(<= (home red ?n) (count 10 9 8 red ?n)) (<= (home blue ?n) (count 3 4 5 blue ?n))
(<= terminal (home red some)) (<= terminal (home blue some)) (<= terminal (true (cell 6 ?r)) (distinct ?r none))
(<= (goal ?r 100) (home ?r some)) (<= (goal ?r 30) (home ?r none))
"""
"""A relation over any three places, asked about few; a relation that the first state and the moves need."""

JUMPS = f"""{TURNS} {PLACES} {BOARD} (init (step 1)) {STEPS}
(<= (init (cell ?x none)) (place ?x) (distinct ?x 1) (distinct ?x 2) (distinct ?x 12)) (init (cell 1 red))
(init (cell 2 blue)) (init (cell 12 blue)) (<= (apart ?x ?y) (place ?x) (place ?y) (distinct ?x ?y))
(<= (over ?r ?x ?y ?z) (beside ?x ?y) (beside ?y ?z) (distinct ?x ?z) (role ?r))
(<= (open ?r ?x ?y ?z) (true (cell ?x ?r)) (over ?r ?x ?y ?z) (true (cell ?z none)))
(<= (legal ?r (hop ?x ?u ?z)) (true (control ?r)) (open ?r ?x ?y ?u) (open ?r ?x ?v ?u) (over ?r ?u ?w ?z))
(<= (legal ?r rest) (true (control ?r)))
(<= (next (cell ?x none)) (does ?r (hop ?x ?u ?z))) (<= (next (cell ?z ?r)) (does ?r (hop ?x ?u ?z)))
(<= (next (cell ?y none)) (does ?r (hop ?x ?u ?z)) (over ?r ?x ?y ?u) (distinct ?y ?z))
(<= (next (cell ?p ?c)) (true (cell ?p ?c)) (does ?r (hop ?x ?u ?z)) (apart ?p ?x) (apart ?p ?z)
    (not (over ?r ?x ?p ?u)))
(<= (next (cell ?p ?c)) (true (cell ?p ?c)) (does ?r rest))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 12)))
(<= (goal ?r 100) (true (cell 5 ?r))) (<= (goal ?r 10) (role ?r) (not (true (cell 5 ?r))))
"""
"""Moves with several parts, and a frame axiom that compares each place with all of them."""

GAMES = {"linked": LINKED, "sets": SETS, "counted": COUNTED, "jumps": JUMPS}
LESS = {"linked": 3, "counted": 2, "jumps": 1.3}


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", GAMES)
def test_the_compiled_machine_plays_the_same_game(name: str):
    sheet = read_kif(GAMES[name])
    steps = 0
    with StateMachine.from_sheet(sheet, "compiled") as machine:
        for seed in range(2):
            for seen in walk(sheet, seed, 14):
                assert machine.is_terminal(seen.state) == seen.terminal
                for role in machine.roles:
                    assert machine.legal_moves(seen.state, role) == tuple(sorted(seen.legal.get(role, ()), key=str))
                    values = sorted(term.value for term in seen.goals.get(role, ()))
                    assert list(machine.goals(seen.state, role)) == values
                if seen.moves is not None:
                    assert machine.next_state(seen.state, seen.moves) == seen.next
                    steps += 1
    assert steps > 8


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", LESS)
def test_fewer_ground_rules(name: str):
    sheet = read_kif(GAMES[name])
    whole = ground_program(sheet, possible_inputs(sheet), wanted=PLAYED)
    with StateMachine.from_sheet(sheet, "compiled") as machine:
        assert machine.ground_size[0] * LESS[name] < len(whole.rules)


@pytest.mark.parametrize("name", GAMES)
def test_no_ground_rule_mentions_what_no_state_changes(name: str):
    """`succ`, boards and pieces are folded: an atom is a fact, a move, or depends on one."""
    with StateMachine.from_sheet(read_kif(GAMES[name]), "compiled") as machine:
        ground = machine.compiled.ground.ground
    assert all(rule.body for rule in ground.rules)
    for atom in {part for rule in ground.rules for part in (rule.head, *rule.body)}:
        assert any(below < ground.inputs for below in ground.below([atom])), ground.atoms[atom]


def test_sizes_are_those_of_all_states_together():
    found = possible_sizes(open_sheet(read_kif(LINKED)))
    assert found.size(Predicate("beside", 2)) == 22
    assert 16 * 12 <= found.size(Predicate("true_linked", 2)) <= 17 * 17
    assert found.size(Predicate("taken", 1)) >= 12


@pytest.mark.takes_seconds
@given(text=games(), seed=st.integers(0, 99))
@settings(max_examples=30)
def test_random_sheets_rewritten_wherever_that_can_be(text: str, seed: int):
    """Whether it pays or not, every rewriting is made; the reference semantics says the same of both sheets."""
    sheet, draw = read_kif(text), random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ground_size, "_FEW", 0.0)
        patch.setattr(split, "_GAIN", 1.5)
        changed = ground_size.small_grounding(sheet)
    state = initial(sheet)
    assert state == initial(changed)
    for _ in range(4):
        legal, goals, over = look(sheet, state)
        assert tuple({role: set(found) for role, found in part.items()} for part in (legal, goals)) == tuple(
            {role: set(found) for role, found in part.items()} for part in look(changed, state)[:2]
        )
        assert look(changed, state)[2] == over
        roles = tuple(sorted(legal, key=str))
        joint = tuple(draw.choice(sorted(legal[role], key=str)) for role in roles)
        state, other = (after(one, state, roles, joint) for one in (sheet, changed))
        assert state == other
