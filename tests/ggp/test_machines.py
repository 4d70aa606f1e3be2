"""State machines: every reasoner says of every state what the reference semantics says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hexlogic.errors import EngineError, GameError, MoveError, RuleSyntaxError, UnknownNameError, UnsafeRuleError
from hexlogic.ggp import State, StateMachine, read_kif, read_sheet, read_term, write_term
from hexlogic.ggp.machines import state_machine
from hexlogic.language import Integer, Program, Symbol, Term
from tests.ggp.oracle import initial, look, value, walk, walk_of
from tests.ggp.reasoners_here import REASONERS, SWIPL
from tests.ggp.sheets import GAMES, IDS, symbol

pytestmark = pytest.mark.many_cases(keep=2)

every_reasoner = pytest.mark.parametrize("reasoner", REASONERS)
every_game = pytest.mark.parametrize("path", GAMES, ids=IDS)


def check_walk(machine: StateMachine, sheet: Program, seeds: int, longest: int = 30) -> None:
    """Play along random games of the reference semantics and compare everything at each state."""
    assert machine.initial_state == initial(sheet)
    for seed in range(seeds):
        for seen in walk(sheet, seed, longest):
            compare(machine, seen.state, seen.legal, seen.goals, seen.terminal)
            if seen.moves is not None:
                assert machine.next_state(seen.state, seen.moves) == seen.next


def compare(
    machine: StateMachine,
    state: State,
    legal: dict[Term, tuple[Term, ...]],
    goals: dict[Term, tuple[Term, ...]],
    terminal: bool,
) -> None:
    assert machine.is_terminal(state) == terminal
    for role in machine.roles:
        assert machine.legal_moves(state, role) == tuple(sorted(legal.get(role, ()), key=str))
        assert machine.goals(state, role) == tuple(sorted(term.value for term in goals.get(role, ())))
        expected = value(goals.get(role, ()))
        if expected is None:
            with pytest.raises(GameError, match=r"^the goal of \S+ is "):
                machine.goal(state, role)
        else:
            assert machine.goal(state, role) == expected


@pytest.mark.takes_seconds(keep=8)
@every_reasoner
@every_game
def test_every_state_is_what_the_rules_say(path: Path, reasoner: str):
    with StateMachine.from_sheet(read_sheet(path), reasoner) as machine:
        assert machine.initial_state == walk_of(path, 0)[0].state
        for seed in range(2):
            for seen in walk_of(path, seed):
                compare(machine, seen.state, seen.legal, seen.goals, seen.terminal)
                if seen.moves is not None:
                    after = machine.next_state(seen.state, seen.moves)
                    assert after == seen.next
                    assert hash(after) == hash(seen.next)
                    assert {after: 1}[State(frozenset(after.facts))] == 1


@pytest.mark.takes_seconds(keep=4)
@every_reasoner
@every_game
def test_states_may_be_asked_about_in_any_order(path: Path, reasoner: str):
    """What was asked before leaves no trace, no table and no assignment."""
    seen = [item for seed in range(2) for item in walk_of(path, seed)]
    random.Random(1).shuffle(seen)
    with StateMachine.from_sheet(read_sheet(path), reasoner) as machine:
        for item in seen[:25]:
            if item.moves is not None:
                assert machine.next_state(item.state, item.moves) == item.next
            compare(machine, item.state, item.legal, item.goals, item.terminal)


@pytest.mark.takes_seconds(keep=4)
@every_reasoner
@every_game
def test_playouts(path: Path, reasoner: str):
    with StateMachine.from_sheet(read_sheet(path), reasoner) as machine:
        done = machine.playouts(12, seed=5)
        machine.legal_moves(machine.initial_state, machine.roles[0])
        assert machine.playouts(12, seed=5) == done
        assert done.games == 12
        assert len(done.goals) == len(machine.roles)
        assert all(0 <= total <= 1200 for total in done.goals)
        assert done.steps >= 12
        some = {machine.playouts(4, seed=seed) for seed in range(12)}
        assert len(some) > 1 or done.steps % 12 == 0  # the games differ, unless all are equally long and good
        end = next((seen for seen in walk_of(path, 0) if seen.terminal), None)
        if end is not None:
            over = machine.playouts(3, start=end.state)
            assert over.steps == 0
            assert over.goals == tuple(3 * (value(end.goals[role]) or 0) for role in machine.roles)


@pytest.mark.takes_seconds(keep=8)
@every_game
def test_playouts_end_in_states_that_games_end_in(path: Path):
    """Mean goals and lengths of a few hundred games agree between the reasoners, within four standard errors."""
    found = []
    for parameter in REASONERS:
        if not any(mark.args[0] for mark in parameter.marks):
            with StateMachine.from_sheet(read_sheet(path), parameter.values[0]) as machine:
                ones = [machine.playouts(1, seed=seed) for seed in range(80)]
            figures = [
                [one.steps for one in ones],
                *([one.goals[role] for one in ones] for role in range(len(ones[0].goals))),
            ]
            found.append(figures)
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            mean = abs(sum(one) - sum(two)) / 80
            spread = sum((x - sum(part) / 80) ** 2 / 80 for part in (one, two) for x in part)
            assert mean <= 4 * (spread / 80) ** 0.5 + 1e-9


@pytest.mark.takes_seconds(keep=4)
@every_reasoner
@every_game
def test_an_illegal_move_changes_nothing(path: Path, reasoner: str):
    seen = walk_of(path, 1)[0]
    with StateMachine.from_sheet(read_sheet(path), reasoner) as machine:
        assert seen.moves is not None
        for wrong in (symbol("Nonsense"), Integer(5), read_term("(a (b 1) -7)")):
            with pytest.raises(MoveError, match="no legal move of"):
                machine.next_state(seen.state, (*seen.moves[:-1], wrong))
        with pytest.raises(MoveError, match="moves for"):
            machine.next_state(seen.state, (*seen.moves, seen.moves[0]))
        assert machine.next_state(seen.state, seen.moves) == seen.next
        compare(machine, seen.state, seen.legal, seen.goals, seen.terminal)


@every_game
def test_terms_are_written_and_read(path: Path):
    for seen in walk_of(path, 0):
        for term in [*seen.state.facts, *(move for moves in seen.legal.values() for move in moves)]:
            assert read_term(write_term(term)) == term
            assert read_term(f"\n{write_term(term).replace('(', ' ( ').replace(')', ' ) ')} ; end") == term


ODD = """
(ROLE Red) (role 007) (role w''x)
(init (Cell 1 (at -3 a-b))) (init not) (init 12) (init (|| (f (g (h (i 0))))))
(<= (legal ?r (Put ?x)) (role ?r) (true (Cell ?n ?x)))
(<= (legal ?r (mod 1 is)) (role ?r) (true not))
(<= (legal ?r 5) (role ?r))
(<= (next (Cell ?n (at 2147483648 ?x))) (does ?r (Put ?x)) (true (Cell ?n ?x)) (distinct ?r Red))
(<= (next (done ?m)) (does ?r ?m))
(<= (next not) (true 12))
(<= (done+ ?n) (true (done 5)) (true (done ?n)))
(<= (terminal) (done+ ?n))
(<= (goal Red 100) terminal)
(<= (goal Red 0) (not terminal))
(<= (goal 007 -5) (not (true not)))
(<= (goal 007 30) (true not))
(goal w''x 2)
"""


@every_reasoner
def test_odd_words_and_deep_terms(reasoner: str):
    sheet = read_kif(ODD)
    with StateMachine.from_kif(ODD, reasoner) as machine:
        assert tuple(map(write_term, machine.roles)) == ("Red", "007", "w''x")
        check_walk(machine, sheet, seeds=6, longest=12)
        assert machine.goal(machine.initial_state, "007") == 30
        assert read_term("(|| (f (g (h (i 0)))))") in machine.initial_state.facts


COUNTER = """
(role r) (init (at z))
(<= (legal r up) (true (at ?n)))
(<= (next (at (s ?n))) (does r up) (true (at ?n)))
(<= terminal (true (at (s (s (s (s z)))))))
(<= (goal r 100) terminal)
(<= (goal r 0) (not terminal))
"""
BASE = """
(base (at z)) (base (at (s z))) (base (at (s (s z)))) (base (at (s (s (s z))))) (base (at (s (s (s (s z))))))
(input r up)
"""


@every_reasoner
def test_terms_that_grow_without_a_declaration(reasoner: str):
    with StateMachine.from_kif(COUNTER, reasoner) as machine:
        check_walk(machine, read_kif(COUNTER), seeds=1)
        assert machine.playouts(3).steps == 12


@every_reasoner
def test_what_base_leaves_out_is_played_as_well(reasoner: str):
    text = COUNTER + "(base (at z)) (base (at (s z))) (base (at (s (s (s (s z)))))) (input r up)"
    with StateMachine.from_kif(text, reasoner) as machine:
        check_walk(machine, read_kif(text), seeds=1)


@every_reasoner
def test_a_state_that_somebody_made_up(reasoner: str):
    sheet = read_kif(COUNTER)
    state = State(frozenset({read_term("(at (s (s nowhere)))"), Symbol("other")}))
    with StateMachine.from_kif(COUNTER, reasoner) as machine:
        compare(machine, state, *look(sheet, state))
        after = machine.next_state(state, (Symbol("up"),))
        assert set(map(write_term, after.facts)) == {"(at (s (s (s nowhere))))"}
        compare(machine, machine.initial_state, *look(sheet, initial(sheet)))


@every_reasoner
def test_a_game_without_a_first_fact(reasoner: str):
    text = "(role r) (legal r go) (<= (next going) (does r go)) (<= terminal (true going)) (<= (goal r 7) terminal)"
    with StateMachine.from_kif(text, reasoner) as machine:
        assert machine.initial_state == State(frozenset())
        check_walk(machine, read_kif(text), seeds=1)
        assert machine.playouts(4).goals == (28,)


@every_reasoner
def test_views_of_moves_are_made_anew_for_every_move(reasoner: str):
    """A recursive view that depends on the move: an old table would tell of the move before."""
    text = """
    (role r) (init (n 1)) (edge 1 2) (edge 2 3) (edge 1 4) (edge 4 5) (by l 2) (by r 4) (by l 3) (by r 5)
    (<= (reach ?y) (does r ?d) (true (n ?x)) (edge ?x ?y) (by ?d ?y))
    (<= (reach ?y) (reach ?x) (edge ?x ?y))
    (legal r l) (legal r r)
    (<= (next (n ?y)) (reach ?y))
    (<= terminal (not (true (n 1))))
    (<= (goal r 1) (true (n 3))) (<= (goal r 2) (true (n 5)))
    """
    with StateMachine.from_kif(text, reasoner) as machine:
        start = machine.initial_state
        for _ in range(2):
            for move, expected in (("l", {2, 3}), ("r", {4, 5})):
                after = machine.next_state(start, (Symbol(move),))
                assert after.facts == {read_term(f"(n {number})") for number in expected}
        assert machine.playouts(40, seed=3).steps == 40
        assert 40 < machine.playouts(40, seed=3).goals[0] < 80


BASIS = "(role red) (role Blue) (init a) (<= (legal ?r go) (role ?r) (true a)) (legal Blue wait) "


@every_reasoner
@pytest.mark.parametrize(
    ("rules", "error"),
    [
        ("(<= (next a) (true a))", "a random game was not over after 50 steps"),
        ("(<= (next b) (true a))", "red has no legal move in a state that is not terminal"),
        ("(<= terminal (true a))", "the goal of red is no value in a state (each role needs one value)"),
        ("(<= terminal (true a)) (goal red 1) (goal Blue 3) (goal Blue 100)", "the goal of Blue is 3 and 100 in a "),
        ("(<= terminal (true a)) (goal red 1) (goal Blue High)", "the goal of Blue is High, which is no number"),
        ("(<= terminal (true a)) (goal red 1) (goal Blue High) (goal Blue 1)", "the goal of Blue is High, which is "),
    ],
)
def test_no_proper_game(reasoner: str, rules: str, error: str):
    with StateMachine.from_kif(BASIS + rules, reasoner) as machine:
        with pytest.raises(GameError) as caught:
            machine.playouts(3, seed=1, longest=50)
        assert str(caught.value).startswith(error)
        assert machine.legal_moves(machine.initial_state, "Blue") == (Symbol("go"), Symbol("wait"))


@every_reasoner
def test_games_exactly_as_long_as_allowed(reasoner: str):
    with StateMachine.from_kif(COUNTER + BASE, reasoner) as machine:
        assert machine.playouts(2, longest=4).steps == 8
        with pytest.raises(GameError, match="not over after 3 steps"):
            machine.playouts(2, longest=3)


@every_reasoner
def test_roles_are_asked_by_text_and_unknown_ones_are_refused(reasoner: str):
    text = "(role b) (role a) (<= (role ?x) (extra ?x)) (extra z) (extra c) (role b)"
    with StateMachine.from_kif(text, reasoner) as machine:
        assert tuple(map(str, machine.roles)) == ("b", "a", "c", "z")
        with pytest.raises(UnknownNameError, match="unknown role 'A'"):
            machine.legal_moves(machine.initial_state, "A")
        with pytest.raises(UnknownNameError):
            machine.goal(machine.initial_state, Integer(1))


@every_reasoner
@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("(init a)", GameError, "the sheet names no role ((role red))"),
        ("(role r) (<= (legal r ?x) (true a))", UnsafeRuleError, "g.kif:1:10: variable X is unsafe"),
        ("(role r", RuleSyntaxError, "g.kif:1:1: this parenthesis is never closed"),
    ],
)
def test_no_sheet(reasoner: str, text: str, kind: type[Exception], line: str):
    with pytest.raises(kind) as caught:
        StateMachine.from_kif(text, reasoner, file="g.kif")
    assert str(caught.value).startswith(line)


@pytest.mark.parametrize(("most", "is_ground"), [(200_000, True), (10, False)])
def test_a_sheet_of_many_ground_rules_is_not_ground(monkeypatch, most: int, is_ground: bool):
    monkeypatch.setattr(state_machine, "_UNASKED", most)
    with StateMachine.from_sheet(read_sheet(GAMES[0])) as machine:
        assert (machine.ground_size is not None) == is_ground
        assert machine.analysis.startswith("forward chaining: not ground, about ") != is_ground
        assert machine.playouts(3).games == 3


def test_an_unknown_reasoner():
    with pytest.raises(UnknownNameError, match="unknown reasoner 'swipll'"):
        StateMachine.from_kif("(role r)", "swipll")


def test_clingo_says_when_terms_grow_in_rules_that_no_state_bounds():
    with pytest.raises(EngineError, match="function terms grow under recursion in n/1"):
        StateMachine.from_kif("(role r) (n z) (<= (n (s ?x)) (n ?x))", "clingo")


def test_a_prover_that_is_not_installed(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EngineError) as caught:
        StateMachine.from_kif("(role r)", "swipl")
    assert str(caught.value) == "swipl is not on the PATH; Debian: apt-get install swi-prolog-nox"


@SWIPL
def test_a_closed_prover_says_so():
    machine = StateMachine.from_kif(COUNTER, "swipl")
    state = machine.initial_state
    assert not machine.is_terminal(state)
    machine.close()
    machine.close()
    with pytest.raises(EngineError, match="session is closed"):
        machine.playouts(1)


@pytest.mark.takes_seconds
@SWIPL
def test_moves_without_end_are_one_line():
    text = "(role r) (n z) (<= (n (s ?x)) (n ?x)) (<= (legal r ?x) (n ?x))"
    with StateMachine.from_kif(text, "swipl") as machine:
        with pytest.raises(EngineError, match=r"^swipl: Stack limit \(\S+\) exceeded$"):
            machine.legal_moves(machine.initial_state, "r")
        assert not machine.is_terminal(machine.initial_state)
