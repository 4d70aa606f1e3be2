"""Random sheets: every reasoner says what the reference semantics says, and what optimise makes is the same game."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from hexlogic.errors import GameError, HexlogicError
from hexlogic.ggp import StateMachine, read_kif
from hexlogic.ggp.forward import evaluator, kept
from hexlogic.ggp.machines.side_by_side import SideBySide
from hexlogic.ggp.machines.state_machine import AT_ONCE
from hexlogic.ggp.optimise.equality import agree_in_all_states
from hexlogic.ggp.optimise.pipelines import prepare
from hexlogic.language.analysis.checks import check
from hexlogic.language.passes import Pipeline
from hexlogic.language.syntax import Program
from tests.ggp.oracle import after, initial, look
from tests.ggp.random_sheets import games
from tests.ggp.reasoners_here import REASONERS, ForwardMachine

pytestmark = pytest.mark.many_cases(keep=2)

few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.mark.takes_seconds
@pytest.mark.parametrize("reasoner", REASONERS)
@given(text=games(), seed=st.integers(0, 9))
@few
def test_reasoners(reasoner: str, text: str, seed: int):
    sheet = check(read_kif(text))
    draw = random.Random(seed)
    with StateMachine.from_sheet(sheet, reasoner) as machine:
        state = machine.initial_state
        assert state == initial(sheet)
        for _ in range(5):
            legal, goals, over = look(sheet, state)
            assert machine.is_terminal(state) == over
            for role in machine.roles:
                assert machine.legal_moves(state, role) == tuple(sorted(legal[role], key=str))
                assert machine.goals(state, role) == tuple(sorted(term.value for term in goals.get(role, ())))
            joint = tuple(draw.choice(machine.legal_moves(state, role)) for role in machine.roles)
            following = machine.next_state(state, joint)
            assert following == after(sheet, state, machine.roles, joint)
            state = following


def _forward(sheet: Program) -> StateMachine | None:
    """The sheet under forward chaining; None where it looks at too many tuples."""
    machine = ForwardMachine(sheet)
    return None if machine.states is None else machine


@pytest.mark.slow
@given(text=games(), seed=st.integers(0, 9), budget=st.sampled_from([30_000_000, 120, 300]))
@settings(few, max_examples=1_000)
def test_forward_chaining(text: str, seed: int, budget: int):
    """Also where a sample is cut short, since few tuples may be looked at."""
    sheet = check(read_kif(text))
    with pytest.MonkeyPatch.context() as patch, StateMachine.from_sheet(sheet, "clingo") as oracle:
        patch.setattr(evaluator, "_BUDGET", budget)
        machine = _forward(sheet)
        assume(machine is not None)
        assert machine is not None
        with machine:
            difference, _ = SideBySide(oracle, machine).explore(30, float("inf"))
            assert difference is None, f"{difference}\n{text}"
            with contextlib.suppress(GameError):
                machine.playouts(5, seed)


@pytest.mark.takes_seconds
@pytest.mark.parametrize("most", [0.0, 0.5, 100.0], ids=lambda most: f"at most {most} of a relation change")
@given(text=games(), seed=st.integers(0, 9))
@few
def test_views_that_are_kept(most: float, text: str, seed: int):
    """All that can be kept from state to state is; the reference semantics follows each game from its start."""
    sheet = check(read_kif(text))
    draw = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept._Keeping, "_saved", lambda *_: 1.0)
        patch.setattr(kept, "_MOST_CHANGES", most)
        machine = _forward(sheet)
        assume(machine is not None)
        assert machine is not None
        with machine:
            state = machine.initial_state
            for _ in range(6):
                legal, _, over = look(sheet, state)
                assert machine.is_terminal(state) == over
                moves = [machine.legal_moves(state, role) for role in machine.roles]
                assert moves == [tuple(sorted(legal[role], key=str)) for role in machine.roles]
                joint = tuple(map(draw.choice, moves))
                following = machine.next_state(state, joint)
                assert following == after(sheet, state, machine.roles, joint)
                state = following


@pytest.mark.takes_seconds
@pytest.mark.parametrize(
    "pipeline",
    ["ground,prune,project", "ground,reorder:cost,prune,project", "prune,unfold,reorder:bound-first,magic,project"],
)
@given(text=games())
@few
def test_pipelines(pipeline: str, text: str):
    """By going through the states that can be reached, none of which the proof may contradict."""
    sheet = check(read_kif(text))
    changed, _ = prepare(sheet).after(Pipeline.parse(pipeline))
    with StateMachine.first_of(sheet, AT_ONCE) as old, StateMachine.first_of(changed, AT_ONCE) as new:
        difference, _ = SideBySide(old, new).explore(120, float("inf"))
    assert difference is None, f"{difference}\n{changed}"


@given(text=games(), number=st.integers(0, 99), position=st.integers(0, 9))
@few
def test_proofs(text: str, number: int, position: int):
    """A literal less in some rule: where that is proved to be no matter, it is none in any state."""
    sheet = check(read_kif(text))
    rules = [rule for rule in sheet.rules if len(rule.body) > 1]
    rule = rules[number % len(rules)]
    body = list(rule.body)
    del body[position % len(body)]
    other = sheet.with_rules(tuple(rule.with_body(tuple(body)) if each is rule else each for each in sheet.rules))
    try:
        check(other)
    except HexlogicError:
        reject()
    with StateMachine.first_of(sheet, AT_ONCE) as old, StateMachine.first_of(other, AT_ONCE) as new:
        difference, _ = SideBySide(old, new).explore(120, float("inf"))
    assert difference is None or agree_in_all_states(sheet, other, 2.0) is None
