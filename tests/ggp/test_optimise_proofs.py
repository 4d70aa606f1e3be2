"""Equality of sheets: what is proved equal is equal, and nothing is proved of another game."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.ggp import StateMachine, read_kif, read_sheet
from hexlogic.ggp.language.static_facts import closed_inputs, possible_inputs
from hexlogic.ggp.machines.side_by_side import SideBySide
from hexlogic.ggp.machines.state_machine import AT_ONCE
from hexlogic.ggp.optimise import GameStates, optimise_sheet
from hexlogic.ggp.optimise.equality import agree_in_all_states
from hexlogic.ggp.optimise.pipelines import prepare
from hexlogic.language import Literal, Program, Rule
from hexlogic.language.analysis.checks import check
from hexlogic.language.passes import Pipeline
from hexlogic.proofs.question import equal
from tests.checkout import CHECKOUT
from tests.ggp.sheets import GAMES, IDS, wrong

pytestmark = pytest.mark.many_cases(keep=3)

EXAMPLES = CHECKOUT / "docs" / "examples"
SLOW_HEX = EXAMPLES / "slow-hex.kif"
every_game = pytest.mark.parametrize("path", [*GAMES, SLOW_HEX], ids=[*IDS, SLOW_HEX.stem])


def test_small_games_are_proved():
    sheet = read_sheet(GAMES[0])
    done = equal(sheet, optimise_sheet(sheet, "clingo", Pipeline.parse("ground,prune")).sheet, GameStates(games=3))
    assert (done.difference, done.proved, done.visited, done.states, done.games) == (None, True, True, 4, 3)
    assert str(done) == "equal in 3 random games; proved equal in all 4 reachable states"


@pytest.mark.takes_seconds(keep=4)
@every_game
def test_large_games_are_proved_for_all_states_at_once(path: Path):
    sheet = read_sheet(path)
    changed, _ = prepare(sheet).after(Pipeline.parse("ground,reorder:cost,prune,project"))
    done = equal(sheet, changed, GameStates(most_states=2, games=1))
    assert done.proved
    assert not done.visited
    assert done.facts == len(closed_inputs(sheet) or ())
    assert str(done).endswith(f"proved equal whatever is true and done, of {done.facts} facts and moves")


def test_nothing_is_proved_of_another_game():
    """Neither when the difference can be reached, nor when it needs a state that never comes up."""
    sheet = read_sheet(GAMES[IDS.index("tic-tac-toe")])
    for head in ("legal", "next", "goal", "terminal"):
        assert agree_in_all_states(sheet, wrong(sheet, head, lambda rule: []), 5.0) is None
    odd = sheet.with_rules((*sheet.rules, *read_kif("(<= terminal (true (cell 1 1 x)) (true (cell 1 1 o)))").rules))
    assert agree_in_all_states(sheet, odd, 5.0) is None
    assert equal(sheet, odd, GameStates(most_states=20, games=3)).difference is None
    assert agree_in_all_states(sheet, sheet, 5.0) == 49


def mutants(sheet: Program) -> Iterator[Program]:
    """The sheet with one rule or one body literal less, one literal turned round, or one rule that rests on itself."""
    for number, rule in enumerate(sheet.rules):
        kinds: list[tuple[Rule, ...]] = [()] if rule.body else []
        for position, item in enumerate(rule.body):
            rest = rule.body[:position] + rule.body[position + 1 :]
            kinds.append((rule.with_body(rest),))
            if isinstance(item, Literal):
                turned = Literal(item.atom, not item.positive)
                kinds.append((rule.with_body((*rest, turned)),))
        if rule.body and rule.head and rule.head.name not in ("true", "does"):
            itself = rule.with_body((*rule.body, Literal(rule.head)))
            kinds += [(itself,), (rule, itself)]
        for kind in kinds:
            changed = sheet.with_rules((*sheet.rules[:number], *kind, *sheet.rules[number + 1 :]))
            with contextlib.suppress(HexlogicError):
                yield check(changed)


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize("stem", ["nim", "counter", "lights", "rock-paper-scissors"])
def test_what_is_proved_is_so(stem: str):
    """Of every small change, by going through all states; and most of what is equal is proved."""
    sheet = read_sheet(GAMES[IDS.index(stem)])
    equal = proved = 0
    for other in mutants(sheet):
        with StateMachine.first_of(sheet, AT_ONCE) as old, StateMachine.first_of(other, AT_ONCE) as new:
            difference, visited = SideBySide(old, new).explore(1000, float("inf"))
        assert visited or difference is not None
        same = agree_in_all_states(sheet, other, 5.0) is not None
        assert difference is None or not same
        equal += difference is None
        proved += same
    assert proved > 0
    assert proved >= equal / 3


def test_a_flood_is_proved_step_by_step():
    """The question about all that follows from a position of 8x8 takes minutes; one step after the other is quick."""
    board = " ".join(f"(cell {c} {r})" for c in range(8) for r in range(8))
    near = " ".join(f"(up {n} {n + 1})" for n in range(7))
    text = (
        "(role red) (role blue) (init (control red)) (legal red noop) (legal blue noop)"
        "(<= (legal ?p (put ?c ?r)) (true (control ?p)) (cell ?c ?r) (not (true (at red ?c ?r))))"
        "(<= (next (at ?p ?c ?r)) (cell ?c ?r) (role ?p) (does ?p (put ?c ?r)))"
        "(<= (next (at ?p ?c ?r)) (cell ?c ?r) (role ?p) (true (at ?p ?c ?r)))"
        "(<= (next (control ?p)) (role ?p) (not (true (control ?p))))"
        "(<= (near ?a ?b ?a ?d) (up ?b ?d) (cell ?a ?b)) (<= (near ?a ?b ?c ?b) (up ?a ?c) (cell ?a ?b))"
        "(<= (near ?a ?b ?c ?d) (up ?a ?c) (up ?d ?b)) (<= (side ?a ?b ?c ?d) (near ?a ?b ?c ?d))"
        "(<= (side ?a ?b ?c ?d) (near ?c ?d ?a ?b))"
        "(<= (reach ?p 0 ?r) (true (at ?p 0 ?r)) (cell 0 ?r) (role ?p))"
        "(<= (reach ?p ?c ?d) (cell ?c ?d) (cell ?a ?b) (side ?a ?b ?c ?d) (true (at ?p ?c ?d)) (reach ?p ?a ?b))"
        "(<= terminal (reach ?p 7 ?r)) (<= (goal ?p 1) (reach ?p 7 ?r))"
    )
    sheet = read_kif(board + near + text)
    changed, _ = prepare(sheet).after(Pipeline.parse("ground,reorder:cost,prune"))
    assert changed != sheet
    assert agree_in_all_states(sheet, changed, 10.0) == len(closed_inputs(sheet) or ())
    other = changed.with_rules(changed.rules[:-1])
    assert agree_in_all_states(sheet, other, 0.5) is None


def test_nothing_is_proved_where_base_is_not_everything():
    """Terms grow, and `base` leaves out what comes up: a proof over it would be none."""
    text = "(role r) (init (at z)) (legal r up) (<= (next (at (s ?x))) (true (at ?x))) (base (at z)) (input r up)"
    sheet = read_kif(text + "(<= terminal (true (at (s (s z)))))")
    other = read_kif(text + "(<= terminal (true (at (s (s (s z))))))")
    assert possible_inputs(sheet) is not None
    assert closed_inputs(sheet) is None
    assert agree_in_all_states(sheet, other, 5.0) is None
    assert "terminal before only" in str(equal(sheet, other, GameStates(games=1)))
    declared = read_kif(text.replace("(true (at ?x))", "(true (at ?x)) (base (at (s ?x)))") + "(base (at (s z)))")
    assert len(closed_inputs(declared) or ()) == 3
