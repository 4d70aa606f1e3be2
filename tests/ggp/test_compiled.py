"""The kernels of the compiled machine: every position of theirs is what the reference semantics says, on the games of
this folder and on random sheets that mix clocks, facts that go one way and facts that come and go."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hexlogic.games import load_game
from hexlogic.ggp import State, StateMachine, read_kif
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.machines import Playouts
from hexlogic.ggp.machines.reasoners.compiled import CompiledSheet
from hexlogic.ggp.propnet import game_loop
from hexlogic.ggp.propnet.control import control_automaton
from hexlogic.ggp.propnet.dependence import Dependence
from hexlogic.ggp.propnet.formulas import FALSE, TRUE, Formulas
from hexlogic.ggp.propnet.ground_sheet import GroundSheet, ground_sheet
from hexlogic.ggp.propnet.hand_over import HandOver
from hexlogic.ggp.propnet.latch_network import LatchError, LatchNetwork
from hexlogic.language import Program
from tests.ggp.oracle import after, look, value
from tests.ggp.sheets import load


def walk_on_kernel(compiled: CompiledSheet, sheet: Program, seed: int, longest: int = 40) -> int:
    """Play a random game on the fastest kernel; the reference semantics judges each position. The steps."""
    ground, draw = compiled.ground, random.Random(seed)
    state = State(frozenset(ground.facts[fact] for fact in ground.initial))
    start = compiled.start(state)
    game, encoding, roles = start.game, start.encoding, len(ground.roles)
    for step in range(longest):
        assert names(ground, encoding.facts(game)) == state
        legal, goals, over = look(sheet, state)
        assert bool(game_loop.is_over(game)) == over
        if over:
            for role, name in enumerate(ground.roles):
                expected = value(goals.get(name, ()))
                got = int(game_loop.goal(game, role, roles))
                assert got == (-3 if expected is None or expected < 0 else expected)
            return step
        counts = [int(game_loop.options(game, role)) for role in range(roles)]
        offered = [
            [int(game_loop.option(game, role, place)) for place in range(count)] for role, count in enumerate(counts)
        ]
        if min(counts) < 0:
            assert not all(legal.get(name) for name in ground.roles)
            return step
        for role, name in enumerate(ground.roles):
            assert len(set(offered[role])) == len(offered[role])
            if offered[role]:
                moves = [start.move(role, number) for number in offered[role]]
                assert sorted(moves, key=str) == sorted(legal.get(name, ()), key=str)
        picked = [draw.choice(own) if own else 0 for own in offered]
        joint = [
            start.move(role, number) if own else None
            for role, (number, own) in enumerate(zip(picked, offered, strict=True))
        ]
        if None in joint:  # in turns: the others have one move, which the phase tells
            true, autonomous = encoding.facts(game), Dependence(ground).autonomous
            phase = next(one for one in encoding.phases or () if one.facts == true & autonomous)
            forced = [ground.moves[role][move] if move >= 0 else None for role, move in enumerate(phase.forced)]
            joint = [other if move is None else move for move, other in zip(joint, forced, strict=True)]
        assert all(move in legal[name] for move, name in zip(joint, ground.roles, strict=True))
        game_loop.play(game, np.array(picked, dtype=np.int64))
        state = after(sheet, state, ground.roles, tuple(joint))
    return longest


def numbers(ground: GroundSheet, state: State) -> frozenset[int]:
    return frozenset(ground.fact_numbers[fact] for fact in state.facts)


def names(ground: GroundSheet, true: frozenset[int]) -> State:
    return State(frozenset(ground.facts[fact] for fact in true))


KERNELS = {
    "breakthrough": "turns", "connect-four": "latches", "counter": "turns", "deep": "turns", "hex-3": "latches",
    "nim": "turns", "pursuit": "propositional network", "rock-paper-scissors": "propositional network",
    "sliding": "turns", "tic-tac-toe": "latches",
}  # fmt: skip


@pytest.mark.parametrize(("name", "kernel"), KERNELS.items())
def test_which_kernel_suits_a_game(name: str, kernel: str):
    with StateMachine.from_sheet(load(name)) as machine:
        assert machine.analysis.startswith(kernel)


@pytest.mark.takes_seconds(keep=16)
@pytest.mark.parametrize("name", [name for name, kernel in KERNELS.items() if kernel != "propositional network"])
def test_positions_of_the_kernels_for_turns(name: str):
    sheet = load(name)
    ground = ground_sheet(sheet)
    assert ground is not None
    compiled = CompiledSheet(ground)
    assert max(walk_on_kernel(compiled, sheet, seed) for seed in range(3)) > 3


def test_a_swap_is_a_phase_that_comes_once():
    """Red's first stone may change its owner: facts come and go in the first two phases and rise in all others."""
    hex_3 = load_game("hex").of_size(3)
    sheet = export_sheet(find_rules("follow-line-tabled", "hex"), hex_3, swap=True).program
    ground = ground_sheet(sheet)
    assert ground is not None
    compiled = CompiledSheet(ground)
    assert isinstance(compiled.start(names(ground, ground.initial)).game, HandOver)
    assert min(walk_on_kernel(compiled, sheet, seed) for seed in range(5)) > 3
    with StateMachine.from_sheet(sheet) as machine:
        fast = machine.playouts(20_000, 1)
        machine.compiled.encodings = machine.compiled.encodings[-1:]
        slow = machine.playouts(2_000, 1)
    assert_alike(fast, slow)


def assert_alike(fast: Playouts, slow: Playouts) -> None:
    """Mean goals and lengths agree within four standard errors of the smaller sample."""
    assert abs(fast.mean_goals[0] - slow.mean_goals[0]) < 4 * 50 / np.sqrt(slow.games)
    assert abs(fast.mean_steps - slow.mean_steps) < 4 * 10 / np.sqrt(slow.games)


VIEWS = ["v0", "v1", "e0", "e1", "e2"]
RISING, FALLING, BOTH = ["u0", "u1", "u2"], ["d0", "d1"], ["w0"]
MOVES = ["a", "b", "c"]


@st.composite
def sheets_with_clocks(draw: st.DrawFn) -> str:
    """A small sheet: a clock of up to three facts, facts that rise, fall and (in every second sheet) come and go, views
    on them with negation and a recursion, one or two roles that move in turns or at once."""
    clock = [f"c{number}" for number in range(draw(st.integers(1, 3)))]
    facts = [*clock, *RISING, *FALLING, *(BOTH if draw(st.booleans()) else [])]
    roles = ["r", "s"][: draw(st.integers(1, 2))]
    in_turns = draw(st.booleans())

    def literals(names: list[str], most: int) -> str:
        chosen = draw(st.lists(st.sampled_from(names), max_size=most, unique=True))
        atoms = [name if name in VIEWS else f"(true {name})" for name in chosen]
        return " ".join(atom if draw(st.booleans()) else f"(not {atom})" for atom in atoms)

    rules = [f"(role {role})" for role in roles]
    rules += [f"(init {fact})" for fact in ("c0", *draw(st.lists(st.sampled_from(facts[len(clock) :]), unique=True)))]
    rules += [f"(<= (next {b}) (true {a}))" for a, b in zip(clock, [*clock[1:], clock[0]], strict=True)]
    for number, view in enumerate(VIEWS[:2]):
        rules += [f"(<= {view} {literals([*facts, *VIEWS[:number]], 3)})" for _ in range(draw(st.integers(0, 2)))]
    rules += [f"(<= e0 {literals(facts, 2)})", f"(<= e1 e0 {literals(facts, 1)})", f"(<= e2 e1 {literals(facts, 1)})"]
    rules += [f"(<= e0 e2 {literals(facts, 1)})"]
    does = [f"(does {role} {move})" for role in roles for move in MOVES]
    for fact in RISING:
        rules.append(f"(<= (next {fact}) (true {fact}))")
        rules.append(f"(<= (next {fact}) {draw(st.sampled_from(does))} {literals([*facts, *VIEWS], 2)})")
    for fact in FALLING:
        rules.append(f"(<= (next {fact}) (true {fact}) (not lost-{fact}))")
        rules.append(f"(<= lost-{fact} {draw(st.sampled_from(does))} {literals([*facts, *VIEWS], 2)})")
    for fact in facts[len(clock) + len(RISING) + len(FALLING) :]:
        rules.append(f"(<= (next {fact}) {draw(st.sampled_from(does))} {literals([*facts, *VIEWS], 2)})")
        rules.append(f"(<= (next {fact}) {literals([*facts, *VIEWS], 2)})")
    for number, role in enumerate(roles):
        turn = f"(true {clock[number % len(clock)]})" if in_turns else ""
        rules += [f"(<= (legal {role} {move}) {turn} {literals([*facts, *VIEWS], 2)})" for move in MOVES]
        rules.append(f"(<= (legal {role} wait) (not {turn}))" if turn else f"(legal {role} wait)")
        rules.append(f"(<= (goal {role} 100) {literals([*facts, *VIEWS], 2)})")
        rules.append(f"(<= (goal {role} {draw(st.sampled_from(['0', '7', '-1', 'none']))}) (not (true {RISING[0]})))")
    rules.append(f"(<= terminal (true {draw(st.sampled_from(facts))}) {literals([*facts, *VIEWS], 2)})")
    return "\n".join(rules)


@pytest.mark.takes_seconds
@given(sheets_with_clocks(), st.integers(0, 99))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_random_sheets(text: str, seed: int):
    sheet = read_kif(text)
    ground = ground_sheet(sheet)
    assert ground is not None
    compiled = CompiledSheet(ground)
    walk_on_kernel(compiled, sheet, seed, 8)
    with StateMachine.from_sheet(sheet) as machine:
        state, draw = machine.initial_state, random.Random(seed)
        for _ in range(8):
            legal, _, over = look(sheet, state)
            assert machine.is_terminal(state) == over
            moves = [machine.legal_moves(state, role) for role in machine.roles]
            assert moves == [tuple(sorted(legal.get(role, ()), key=str)) for role in machine.roles]
            if over or not all(moves):
                break
            joint = tuple(map(draw.choice, moves))
            following = machine.next_state(state, joint)
            assert following == after(sheet, state, machine.roles, joint)
            state = following


@pytest.mark.takes_seconds
def test_random_sheets_reach_all_kernels():
    """The strategy above is worth its name: among its sheets there are some for each kernel."""
    found = {"latches": 0, "turns": 0, "propositional network": 0}

    @given(sheets_with_clocks())
    @settings(max_examples=60, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def count(text: str) -> None:
        ground = ground_sheet(read_kif(text))
        assert ground is not None
        found[re.match(r"[^:]+", CompiledSheet(ground).analysis)[0]] += 1

    count()
    assert min(found.values()) >= 5


@pytest.mark.takes_seconds
@pytest.mark.parametrize("name", ["connect-four", "breakthrough", "sliding"])
def test_playouts_of_all_kernels_agree(name: str):
    """Plain propagation and the kernels for turns play the same game."""
    with StateMachine.from_sheet(load(name)) as machine:
        fast = machine.playouts(20_000, 1)
        machine.compiled.encodings = machine.compiled.encodings[-1:]
        slow = machine.playouts(2_000, 1)
    assert_alike(fast, slow)


@pytest.mark.takes_seconds
def test_hex_plays_as_long_as_it_must():
    """Random games on 7x7: 42.3 plies, the first player wins 0.544 of them."""
    sheet = export_sheet(find_rules("follow-line-tabled", "hex"), load_game("hex").of_size(7))
    with StateMachine.from_sheet(sheet.program) as machine:
        result = machine.playouts(40_000, 5)
    assert abs(result.mean_steps - 42.26) < 0.2
    assert abs(result.mean_goals[0] - 54.4) < 4 * 50 / np.sqrt(40_000)


def test_formulas_are_stored_once():
    store = Formulas()
    a, b, c = (store.input() for _ in range(3))
    assert store.any_of([[a]]) == a
    assert store.any_of([[-a]]) == -a
    assert store.any_of([]) == FALSE
    assert store.any_of([[a, b], [b, a, TRUE], [c, FALSE]]) == store.any_of([[b, a]])
    assert store.any_of([[a], [-a]]) == TRUE
    assert store.any_of([[a, -a]]) == FALSE
    assert store.any_of([[a], [a, b]]) == a
    assert store.any_of([[a], [b]]) not in (a, b, c)


def test_control_is_worked_out_ahead_and_the_frame_costs_nothing():
    ground = ground_sheet(load("hex-3"))
    assert ground is not None
    clock = {str(ground.facts[fact]) for fact in Dependence(ground).autonomous}
    assert clock == {"control(red)", "control(blue)"}
    control = control_automaton(ground)
    assert [phase.following for phase in control.phases] == [1, 0]
    for phase in control.phases:
        assert len(phase.choices) == 9
        # A stone changes the one fact that its cell is taken; red and blue wait for the same cells.
        assert all(len(choice.effects) == 1 for choice in phase.choices)
    assert [c.literal for c in control.phases[0].choices] == [c.literal for c in control.phases[1].choices]
    assert len(LatchNetwork(control, ground.initial).effects) == 2


def test_a_fact_that_is_not_monotone_is_named():
    ground = ground_sheet(load("breakthrough"))
    assert ground is not None
    with pytest.raises(LatchError) as caught:
        LatchNetwork(control_automaton(ground), ground.initial)
    assert str(ground.facts[caught.value.fact]).startswith("pawn(")
