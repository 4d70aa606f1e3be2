"""Forward chaining on sheets with the idioms of published ones: it agrees with clingo, state by state and in what
random games come to."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.ggp import StateMachine, read_kif
from hexlogic.ggp.forward import evaluator, kept, views
from hexlogic.ggp.forward.llvm_code import NARROW
from hexlogic.ggp.forward.llvm_code import WIDE as WIDE_POINTER
from hexlogic.ggp.forward.static_tables import StaticTables
from hexlogic.ggp.language.opened import open_sheet
from hexlogic.ggp.language.static_facts import roles_of
from hexlogic.ggp.language.types import Types
from hexlogic.ggp.machines.reasoners.compiled import SheetStates
from hexlogic.language.parser import parse
from hexlogic.language.syntax import Predicate
from tests.ggp.reasoners_here import SWIPL, ForwardMachine

SUCC = " ".join(f"(succ {n} {n + 1})" for n in range(1, 12))
COMPONENTS = f"""(role red) (role blue) (init (control red)) (init (step 1)) {SUCC}
(row a) (row b) (row c) (col 1) (col 2) (col 3) (nextrow a b) (nextrow b c) (nextcol 1 2) (nextcol 2 3)
(<= (legal ?r (place ?m ?n)) (true (control ?r)) (row ?m) (col ?n)
    (not (true (cell ?m ?n red))) (not (true (cell ?m ?n blue))))
(<= (legal red noop) (true (control blue))) (<= (legal blue noop) (true (control red)))
(<= (next (cell ?m ?n ?r)) (does ?r (place ?m ?n))) (<= (next (cell ?m ?n ?r)) (true (cell ?m ?n ?r)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (owner ?k ?r)) (true (step ?k)) (true (control ?r))) (<= (next (owner ?k ?r)) (true (owner ?k ?r)))
(<= (next (linked ?k ?m ?n)) (does ?r (place ?m ?n)) (true (step ?k)))
(<= (next (linked ?k ?m ?n)) (moved ?e) (true (linked ?e ?m ?n)) (true (step ?k)))
(<= (next (linked ?k ?m ?n)) (true (linked ?k ?m ?n)) (not (moved ?k)))
(<= (next (control red)) (true (control blue))) (<= (next (control blue)) (true (control red)))
(<= (moved ?k) (does ?r (place ?x ?y)) (true (owner ?k ?r)) (true (linked ?k ?m ?n)) (beside ?x ?y ?m ?n))
(<= (beside ?j ?k ?j ?n) (nextcol ?k ?n) (row ?j)) (<= (beside ?j ?k ?j ?n) (nextcol ?n ?k) (row ?j))
(<= (beside ?j ?k ?m ?k) (nextrow ?j ?m) (col ?k)) (<= (beside ?j ?k ?m ?k) (nextrow ?m ?j) (col ?k))
(<= (beside ?j ?k ?m ?n) (nextrow ?m ?j) (nextcol ?k ?n)) (<= (beside ?j ?k ?m ?n) (nextrow ?j ?m) (nextcol ?n ?k))
(<= redpath (true (linked ?k a ?i)) (true (linked ?k c ?j)) (true (owner ?k red)))
(<= bluepath (true (linked ?k ?i 1)) (true (linked ?k ?j 3)) (true (owner ?k blue)))
(<= (goal red 100) redpath) (<= (goal red 0) (not redpath))
(<= (goal blue 100) bluepath) (<= (goal blue 0) (not bluepath))
(<= terminal redpath) (<= terminal bluepath)
"""
"""Hex without a cycle: each stone's component is named by the step that made it."""

SETS = """(role w) (role b) (init (pool p00)) (init (pool p01)) (init (pool p10)) (init (pool p11)) (init (turn w))
(init (at 1 none)) (init (at 2 none)) (init (at 3 none)) (other w b) (other b w) (place 1) (place 2) (place 3)
(bit 1 p00 0) (bit 2 p00 0) (bit 1 p01 1) (bit 2 p01 0) (bit 1 p10 0) (bit 2 p10 1) (bit 1 p11 1) (bit 2 p11 1)
(<= (legal ?r (put ?p ?x)) (true (turn ?r)) (true (pool ?p)) (true (at ?x none)))
(<= (legal ?r noop) (true (turn ?o)) (other ?r ?o))
(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
(<= (next (pool ?p)) (true (pool ?p)) (not (gone ?p))) (<= (gone ?p) (does ?r (put ?p ?x)))
(<= (next (at ?x ?p)) (does ?r (put ?p ?x)))
(<= (next (at ?x ?p)) (true (at ?x ?p)) (does ?r (put ?q ?y)) (distinct ?x ?y))
(<= (set ?p ?q ?s) (bit ?n ?p ?v) (bit ?n ?q ?v) (bit ?n ?s ?v))
(<= line (true (at 1 ?p)) (true (at 2 ?q)) (true (at 3 ?s)) (set ?p ?q ?s))
(<= full (not open)) (<= open (true (at ?x none)))
(<= terminal line) (<= terminal full)
(<= (goal ?r 100) line (true (turn ?o)) (other ?r ?o)) (<= (goal ?r 0) line (true (turn ?r)))
(<= (goal ?r 50) (role ?r) (not line))
"""
"""Pieces with properties, and sets of pieces that have one in common."""

JUMPS = f"""(role w) (role b) (init (turn w)) (init (step 1)) {SUCC} (other w b) (other b w)
(file 1) (file 2) (file 3) (file 4) (file 5) (near 1 2) (near 2 3) (near 3 4) (near 4 5)
(<= (beside ?x ?y) (near ?x ?y)) (<= (beside ?x ?y) (near ?y ?x))
(init (cell 1 w)) (init (cell 2 w)) (init (cell 3 none)) (init (cell 4 b)) (init (cell 5 b))
(<= (legal ?r (walk ?x ?y)) (true (turn ?r)) (true (cell ?x ?r)) (beside ?x ?y) (true (cell ?y none)))
(<= (legal ?r (jump (from ?x) (to ?z))) (true (turn ?r)) (over ?r ?x ?y ?z))
(<= (over ?r ?x ?y ?z) (true (cell ?x ?r)) (other ?r ?o) (beside ?x ?y) (beside ?y ?z) (distinct ?x ?z)
    (true (cell ?y ?o)) (true (cell ?z none)))
(<= (legal ?r pass) (true (turn ?r)) (not (moves ?r))) (<= (legal ?r pass) (true (turn ?o)) (other ?r ?o))
(<= (moves ?r) (true (cell ?x ?r)) (beside ?x ?y) (true (cell ?y none))) (<= (moves ?r) (over ?r ?x ?y ?z))
(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (cell ?y ?r)) (does ?r (walk ?x ?y))) (<= (next (cell ?z ?r)) (does ?r (jump (from ?x) (to ?z))))
(<= (next (cell ?x none)) (empties ?x)) (<= (empties ?x) (does ?r (walk ?x ?y)))
(<= (empties ?x) (does ?r (jump (from ?x) (to ?z))))
(<= (empties ?y) (does ?r (jump (from ?x) (to ?z))) (over ?r ?x ?y ?z))
(<= (fills ?y) (does ?r (walk ?x ?y))) (<= (fills ?z) (does ?r (jump (from ?x) (to ?z))))
(<= (next (cell ?x ?p)) (true (cell ?x ?p)) (not (empties ?x)) (not (fills ?x)))
(<= terminal (true (step 9))) (<= terminal (true (turn ?r)) (not (has ?r))) (<= (has ?r) (true (cell ?x ?r)))
(<= (goal ?r 100) (role ?r) (other ?r ?o) (not (has ?o))) (<= (goal ?r 30) (has ?r) (other ?r ?o) (has ?o))
(<= (goal ?r 0) (role ?r) (not (has ?r)))
"""
"""Wide rules, moves with compound terms inside, and what a jump takes."""

MANY = " ".join(f"(n {number})" for number in range(18))
LARGE = f"""(role r) {MANY} (init (at 0)) (<= (legal r (go ?x)) (n ?x) (not (true (at ?x))))
(<= (triple ?x ?y ?z) (true (at ?x)) (n ?y) (n ?z)) (<= (next (at ?x)) (does r (go ?x)))
(<= (next (at ?x)) (true (at ?x)) (free ?x)) (<= (free ?x) (triple ?x ?y ?z) (distinct ?y ?z))
(<= (next (seen ?x ?y ?z)) (triple ?x ?y ?z)) (<= terminal (triple 3 3 3)) (goal r 40)
"""
"""More tuples in a relation than it has room for at first."""

FEW = " ".join(f"(n {number})" for number in range(8))
WIDE = f"""(role r) {FEW} (init (at 0)) (<= (legal r (go ?x)) (n ?x) (true (at ?y)) (near ?y ?x 0 1 2 3))
(<= (near ?a ?b ?c ?d ?e ?f) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (distinct ?a ?b) (not (true (at ?b))))
(<= (next (at ?x)) (does r (go ?x))) (<= terminal (true (at 7))) (goal r 5)
"""
"""A relation of many tuples in each state, of which a few are asked for."""

VIEWS = """(role w) (role b) (n 1) (n 2) (n 3) (n 4) (beside 1 2) (beside 2 3) (beside 3 4) (beside 4 1)
(init (turn w)) (init (cell 1 2 w)) (init (cell 2 3 b)) (other w b) (other b w)
(<= (taken ?x ?y) (true (cell ?x ?y ?c))) (<= (filled ?x ?y) (taken ?x ?y)) (<= (has ?c) (true (cell ?x ?y ?c)))
(<= (first ?y) (true (cell 1 ?y ?c))) (<= (diagonal ?x) (true (cell ?x ?x ?c))) (<= any (true (cell ?x ?y b)))
(<= (moved ?x) (does ?r (put ?x ?y))) (<= (column ?y) (filled ?x ?y))
(<= (legal ?r (put ?x ?y)) (true (turn ?r)) (n ?x) (n ?y) (not (filled ?x ?y)) (not (diagonal ?y)))
(<= (legal ?r (lift ?x)) (true (turn ?r)) (first ?x) (not (column 4)))
(<= (legal ?r rest) (true (turn ?r))) (<= (legal ?r rest) (true (turn ?o)) (other ?r ?o))
(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o)) (<= (next (cell ?x ?y ?r)) (does ?r (put ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (moved ?y)) (not (gone ?x ?y)))
(<= (gone 1 ?x) (does ?r (lift ?x))) (<= (gone ?x ?y) (does ?r (put ?z ?y)) (filled ?x ?y) (beside ?x ?z) (first ?x))
(<= terminal (not (has b))) (<= terminal (column 1) (column 4)) (<= terminal (true (cell ?x 3 w)) (not any))
(<= (goal ?r 100) (role ?r) (not (has ?r))) (<= (goal ?r 20) (has ?r) (first 2))
(<= (goal ?r 30) (has ?r) (not (first 2)))
"""
"""Relations that select and project the tuples of another one, asked for and negated, also of one another."""

GAMES = {"components": COMPONENTS, "sets": SETS, "jumps": JUMPS, "large": LARGE, "views": VIEWS}


def agree(sheet, machine, games):
    """Play random games side by side with clingo; the number of states in which all answers are the same."""
    draw = random.Random(1)
    states = 0
    with StateMachine.from_sheet(sheet, "clingo") as oracle:
        for _ in range(games):
            state = oracle.initial_state
            while True:
                states += 1
                assert machine.is_terminal(state) == oracle.is_terminal(state)
                for role in oracle.roles:
                    assert machine.goals(state, role) == oracle.goals(state, role)
                if oracle.is_terminal(state):
                    break
                moves = [oracle.legal_moves(state, role) for role in oracle.roles]
                assert [machine.legal_moves(state, role) for role in oracle.roles] == moves
                joint = [draw.choice(own) for own in moves]
                following = oracle.next_state(state, joint)
                assert machine.next_state(state, joint) == following
                state = following
    return states


@pytest.mark.takes_seconds(keep=5)
@pytest.mark.parametrize("name", GAMES)
def test_random_states_are_the_same_as_those_of_clingo(name):
    sheet = read_kif(GAMES[name])
    with ForwardMachine(sheet) as machine:
        assert agree(sheet, machine, 4) > 8


PIECES = f"""(role w) (role b) (init (turn w)) {SUCC}
(init (at 1 w)) (init (at 2 w)) (init (at 9 b)) (init (at 10 b))
(<= (legal ?r (step ?x ?y)) (true (turn ?r)) (true (at ?x ?r)) (ahead ?r ?x ?y) (open ?y) (not (met ?r)))
(<= (ahead w ?x ?y) (succ ?x ?y)) (<= (ahead b ?x ?y) (succ ?y ?x)) (<= (legal ?r pass) (true (turn ?r)))
(<= (open ?y) (succ ?x ?y) (not (taken ?y))) (<= (taken ?x) (true (at ?x ?p))) (<= (legal w wait) (true (turn b)))
(<= (legal b wait) (true (turn w))) (<= (pair ?x ?y) (true (at ?x ?p)) (true (at ?y ?p)) (succ ?x ?y))
(<= (met ?p) (pair ?x ?y) (true (at ?x ?p)) (true (at ?z ?q)) (distinct ?p ?q) (succ ?y ?z) (not (true (at ?y ?q))))
(<= (next (at ?y ?r)) (does ?r (step ?x ?y))) (<= (next (at ?z ?r)) (true (at ?z ?r)) (not (left ?z)))
(<= (left ?x) (does ?r (step ?x ?y))) (<= (next (turn w)) (true (turn b))) (<= (next (turn b)) (true (turn w)))
(<= terminal (met w) (met b)) (<= (goal ?r 70) (met ?r)) (<= (goal ?r 20) (role ?r) (not (met ?r)))
"""
"""Pieces that walk to each other: a relation joined with itself."""


LINE = " ".join(f"(beyond e {n} {n + 1}) (beyond w {n + 1} {n})" for n in range(1, 9))
FLIPS = f"""(role b) (role r) (other b r) (other r b) (init (turn b)) (init (at 4 b)) (init (at 5 r)) (init (at 6 r))
{LINE} (init (at 2 b)) (<= (ends ?d ?x ?p) (true (at ?x ?p)) (beyond ?d ?x ?y) (other ?p ?q) (true (at ?y ?q)))
(<= (ends ?d ?x ?p) (true (at ?x ?p)) (beyond ?d ?x ?y) (true (at ?y ?p)) (ends ?d ?y ?p))
(<= (legal ?p (put ?x)) (true (turn ?p)) (free ?x) (beyond ?d ?x ?y) (other ?p ?q) (true (at ?y ?q)) (ends ?d ?y ?q))
(<= (free ?x) (beyond ?d ?x ?y) (not (taken ?x))) (<= (taken ?x) (true (at ?x ?p))) (<= (legal ?p pass) (role ?p))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q)) (<= (next (at ?x ?p)) (does ?p (put ?x)))
(<= (next (at ?x ?p)) (true (at ?x ?p)) (not (turned ?x))) (<= (turned ?x) (does ?p (put ?y)) (flips ?y ?x ?p))
(<= (flips ?y ?x ?p) (beyond ?d ?y ?x) (other ?p ?q) (true (at ?x ?q)) (ends ?d ?x ?q) (does ?p (put ?y)))
(<= (next (at ?x ?p)) (turned ?x) (does ?p (put ?y))) (<= terminal (true (at 9 ?p))) (<= terminal (true (at 1 ?p)))
(<= (goal ?p 60) (role ?p) (ends e 4 ?p)) (<= (goal ?p 10) (role ?p) (not (ends e 4 ?p)))
"""
"""Stones on a line that turn others: a view asks for itself at the next place."""


def test_views_that_are_kept_count_what_a_new_state_counts(monkeypatch):
    """Moves, and views that read others and one relation twice, after each step and as derived from the facts alone."""
    monkeypatch.setattr(kept._Keeping, "_saved", lambda *_: 1.0)
    sheet = read_kif(PIECES)
    with ForwardMachine(sheet) as machine, ForwardMachine(sheet) as fresh:
        followed, derived = machine.states.evaluator, fresh.states.evaluator
        opened = followed.opened
        names = {predicate.name for predicate in opened.kept}
        assert {"taken", "open", "pair", "met", "legal_step"} <= names
        assert "legal_step" in {legal.name for legal in opened.gates}
        draw, state, states = random.Random(3), machine.initial_state, 0

        def counts(asked):
            tables = {predicate: asked.relations.of(predicate).counts for predicate in opened.kept}
            begins = {predicate: int(asked.arrays()[1][table.address]) for predicate, table in tables.items()}
            narrow = asked.arrays()[0]
            return {name: narrow[at : at + tables[name].keys].tolist() for name, at in begins.items()}

        while states < 30 and not machine.is_terminal(state):
            derived.enter(followed.facts_now())
            assert counts(followed) == counts(derived)
            state = machine.next_state(state, [draw.choice(machine.legal_moves(state, role)) for role in machine.roles])
            states += 1
        assert states > 4


def test_a_view_along_a_chain_is_asked_for():
    """A walk asks for itself at the next place, which no state changes; a circle of places would never end."""
    rules = parse("next(1,2). next(2,3). line(X,C) :- on(X,C). line(X,C) :- next(X,Y), line(Y,C), on(X,C).").rules
    tuples = {Predicate("next", 2): np.array([(0, 1), (1, 2)], np.int32)}
    circle = {Predicate("next", 2): np.array([(0, 1), (1, 0)], np.int32)}
    branching = {Predicate("next", 2): np.array([(0, 1), (0, 2)], np.int32)}
    given = [views._given_columns(rules[2:], StaticTables(each, Types(rules))) for each in (tuples, circle, branching)]
    assert given == [{0, 1}, None, None]
    with ForwardMachine(read_kif(FLIPS)) as machine:
        tested = machine.states.evaluator.relations.tested
        assert any(predicate.name.endswith("ends") for predicate in tested)
        assert agree(read_kif(FLIPS), machine, 6) > 20


def test_a_step_derives_what_goes_and_what_comes_and_not_what_stays():
    """The cells of the jumping game stay by one frame rule; they are never written again."""
    with ForwardMachine(read_kif(JUMPS)) as machine:
        opened = machine.states.evaluator.opened
        (cells,) = (true for true in opened.state if true.name.startswith("true_cell"))
        goes = opened.drops[cells]
        assert goes is not None
        coming = opened.program.defining(opened.pairs[cells])
        assert len(coming) == 3  # of a walk, a jump, and what is emptied
        assert all(cells not in {item.atom.predicate for item in rule.literals} for rule in coming)
        assert opened.program.defining(goes)


@pytest.mark.takes_seconds
def test_random_games_come_to_what_they_come_to_on_clingo():
    """Red's mean goal on the 3x3 board, over so many games that five standard errors are 8 points."""
    sheet = read_kif(COMPONENTS)
    with StateMachine.from_sheet(sheet, "compiled") as compiled, ForwardMachine(sheet) as machine:
        own, other = (one.playouts(1_000, 3) for one in (machine, compiled))
        assert sum(own.goals) == sum(other.goals) == 100_000
        assert abs(own.mean_goals[0] - other.mean_goals[0]) < 11
        assert abs(own.mean_steps - other.mean_steps) < 0.5
        assert machine.playouts(50, 7) == machine.playouts(50, 7)


def test_what_is_asked_with_bound_arguments_alone_is_not_derived_in_full(monkeypatch):
    monkeypatch.setattr(evaluator, "_BUDGET", 20_000)
    with ForwardMachine(read_kif(WIDE)) as machine:
        moves = machine.legal_moves(machine.initial_state, "r")
        assert sorted(map(str, moves)) == sorted(f"go({number})" for number in range(1, 8))
        assert machine.playouts(5, 1).goals == (25,)


@SWIPL
def test_a_sheet_with_all_lists_of_a_length_is_asked_for_single_ones():
    """There are 10 ** 20 lists; a path without repetition is one that is looked for."""
    variables = [f"?x{number}" for number in range(20)]
    ends = "nil"
    for variable in variables:
        ends = f"(list {variable} {ends})"
    points = " ".join(f"(point {number}) (near {number} {(number + 1) % 10})" for number in range(10))
    text = f"""(role r) {points} (init (at 0)) (init (free 0)) (init (free 1)) (init (free 2)) (islist nil)
(<= (islist (list ?x nil)) (point ?x)) (<= (islist (list ?x (list ?y nil))) (point ?x) (point ?y))
(<= (islist (list ?x (list ?y (list ?z nil)))) (point ?x) (point ?y) (point ?z))
(<= (islist {ends}) {" ".join(f"(point {variable})" for variable in variables)})
(<= (added ?x nil (list ?x nil)) (point ?x))
(<= (added ?x (list ?y ?l) (list ?y ?m)) (point ?y) (point ?x) (distinct ?x ?y) (islist ?l) (added ?x ?l ?m)
    (islist ?m))
(<= (path ?x ?x ?seen) (true (free ?x)) (islist ?seen))
(<= (path ?x ?z ?seen) (true (free ?x)) (near ?x ?y) (added ?x ?seen ?more) (path ?y ?z ?more))
(<= (legal r (go ?x)) (true (at ?y)) (point ?x) (path ?y ?x nil)) (<= (next (at ?x)) (does r (go ?x)))
(<= (next (free ?x)) (true (free ?x))) (<= terminal (true (at 2))) (<= (goal r 100) (true (at 2))) (goal r 0)"""
    with ForwardMachine(read_kif(text)) as machine:
        moves = machine.legal_moves(machine.initial_state, "r")
        assert sorted(map(str, moves)) == ["go(0)", "go(1)", "go(2)"]
        state = machine.next_state(machine.initial_state, [moves[1]])
        assert not machine.is_terminal(state)
        assert sorted(map(str, machine.legal_moves(state, "r"))) == ["go(1)", "go(2)"]


def test_a_sample_that_is_cut_short_is_enough(monkeypatch):
    """The first state is within the budget, a game is not."""
    monkeypatch.setattr(evaluator, "_BUDGET", 300)
    sheet = read_kif(JUMPS)
    with ForwardMachine(sheet) as machine:
        assert agree(sheet, machine, 3) > 8


def test_a_state_with_too_many_tuples_is_refused(monkeypatch):
    monkeypatch.setattr(evaluator, "_BUDGET", 20_000)
    text = WIDE.replace("(near ?y ?x 0 1 2 3)", "(near ?y ?x ?c ?d ?e ?f)")
    sheet = read_kif(text)
    with pytest.raises(evaluator.TooManyTuples, match=r"^too many tuples are derived in a state$"):
        SheetStates(open_sheet(sheet), roles_of(sheet))
    with ForwardMachine(sheet) as machine:
        assert machine.analysis.endswith("answers for each state: terms grow or are too many")
        assert len(machine.legal_moves(machine.initial_state, "r")) == 7


def test_facts_are_no_code(monkeypatch):
    """LLVM would spend its time on code that runs once."""
    texts = []
    made = evaluator.MachineCode
    monkeypatch.setattr(evaluator, "MachineCode", lambda text, **options: texts.append(text) or made(text, **options))
    for count in (10, 300):
        facts = " ".join(f"(n {number})" for number in range(count))
        text = f"""(role r) {facts} (init (at 0)) (<= (legal r (go ?x)) (n ?x)) (<= (next (at ?x)) (does r (go ?x)))
(<= terminal (true (at 9))) (<= (big ?x) (n ?x) (distinct ?x 0)) (<= (goal r 5) (true (at ?x)) (big ?x))"""
        with ForwardMachine(read_kif(text)) as machine:
            machine.playouts(1, 1)
    small, large = texts[1], texts[3]
    assert large.count("define") == small.count("define")
    assert len(large) < 1.1 * len(small)


def test_machine_code_that_the_garbage_collector_finds_is_given_back_in_order():
    """In a process of its own, as what goes wrong there ends it."""
    text = """
import gc
from hexlogic.ggp.forward.llvm_code import MachineCode
code = "define void @phase_0(ptr %narrow, ptr %wide) nounwind {\\n  ret void\\n}" if NEW else \
    "define void @phase_0(i32* %narrow, i64* %wide) nounwind {\\n  ret void\\n}"
for is_optimised in (True, False) * 10:
    machine = MachineCode(code, is_optimised=is_optimised)
    assert machine.address("phase_0")
    machine.itself = machine
    del machine
    gc.collect()
print("all gone")
"""
    text = f"NEW = {WIDE_POINTER == 'ptr'}\n" + text
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "all gone\n"), done.stderr


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True), st.integers(0, 3))
def test_numbers_of_terms_are_dense_and_lead_back(constants, depth):
    facts = " ".join(f"p({'f(' * depth}{one}{',k)' * depth})." for one in constants)
    kind = Types(parse(facts).rules).of((Predicate("p", 1), 0))
    assert kind.size == len(constants)
    assert [kind.number(kind.term(number)) for number in range(kind.size)] == list(range(kind.size))


def test_python_may_end_while_machine_code_runs_in_a_thread():
    """What a thread runs is not given back: a server is told to stop while a player thinks."""
    text = """
import ctypes, threading, time
from hexlogic.ggp.forward.llvm_code import MachineCode
code = MachineCode('''define void @spin(i8* %at) {
entry:
  br label %again
again:
  store volatile i8 1, i8* %at
  br label %again
}'''.replace("i8*", POINTER), is_optimised=False)
byte = ctypes.create_string_buffer(1)
spin = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(code.address("spin"))
threading.Thread(target=spin, args=[byte], daemon=True).start()
time.sleep(0.2)
"""
    pointer = "ptr" if NARROW == "ptr" else "i8*"
    ended = subprocess.run([sys.executable, "-c", text.replace("POINTER", repr(pointer))], timeout=60)
    assert ended.returncode == 0
