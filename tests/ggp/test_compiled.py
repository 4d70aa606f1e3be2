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
from hexlogic.ggp import StateMachine, read_kif
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.machines import Playouts, game
from hexlogic.ggp.machines.reasoners.compiled import CompiledSheet
from hexlogic.ggp.propnet.control import FALSE, TRUE, Formulas, control_automaton
from hexlogic.ggp.propnet.filling import Filling
from hexlogic.ggp.propnet.ground_sheet import ground_sheet
from hexlogic.ggp.propnet.ground_size import Work
from hexlogic.ggp.propnet.latch_network import LatchError, LatchNetwork
from tests.ggp.oracle import after, look, value
from tests.ggp.reasoners_here import ForwardMachine
from tests.ggp.sheets import load


def walk_on_kernel(machine: StateMachine, seed: int, longest: int = 40) -> int:
    """Play a random game as a search does; the reference semantics judges each position. The steps."""
    sheet, roles, draw = machine.sheet, machine.roles, random.Random(seed)
    state = machine.initial_state
    start = machine.start(state)
    assert start is not None
    playing = start.game.copy()
    arrays = playing.arrays
    game.restore(*arrays, start.game)
    for step in range(longest):
        legal, goals, over = look(sheet, state)
        assert bool(game.is_over(*arrays)) == over
        if over:
            for role, name in enumerate(roles):
                expected = value(goals.get(name, ()))
                got = int(game.goal(*arrays, role, len(roles)))
                assert got == (-3 if expected is None or expected < 0 else expected)
            return step
        counts = [int(game.options(*arrays, role)) for role in range(len(roles))]
        if min(counts) < 0:
            assert not all(legal.get(name) for name in roles)
            return step
        offered = [
            [int(game.option(*arrays, role, place)) for place in range(count)] for role, count in enumerate(counts)
        ]
        joint = []
        for role, name in enumerate(roles):
            assert len(set(offered[role])) == len(offered[role])
            if offered[role]:
                moves = [start.move(role, number) for number in offered[role]]
                assert sorted(moves, key=str) == sorted(legal.get(name, ()), key=str)
                joint.append(draw.choice(offered[role]))
            else:  # in turns: the others have one move, which the phase tells
                assert len(legal[name]) == 1
                joint.append(-1)
        state = after(
            sheet,
            state,
            roles,
            tuple(
                next(iter(legal[name])) if number < 0 else start.move(role, number)
                for role, (name, number) in enumerate(zip(roles, joint, strict=True))
            ),
        )
        assert game.play(*arrays, np.array(joint, dtype=np.int64)) == 0
        assert start.facts(playing) == state.facts
    return longest


KERNELS = {
    "breakthrough": "forward", "connect-four": "latches", "counter": "forward", "deep": "forward", "hex-3": "latches",
    "nim": "forward", "pursuit": "forward", "rock-paper-scissors": "forward", "sliding": "forward",
    "tic-tac-toe": "latches",
}  # fmt: skip


@pytest.mark.parametrize(("name", "kernel"), KERNELS.items())
def test_which_kernel_suits_a_game(name: str, kernel: str):
    with StateMachine.from_sheet(load(name)) as machine:
        assert machine.analysis.startswith(kernel)


@pytest.mark.takes_seconds(keep=16)
@pytest.mark.parametrize("name", KERNELS)
def test_positions_of_the_kernels(name: str):
    with StateMachine.from_sheet(load(name)) as machine:
        assert max(walk_on_kernel(machine, seed) for seed in range(3)) > 1


@pytest.mark.takes_seconds
@pytest.mark.parametrize("name", ["hex-3", "connect-four", "sliding"])
def test_positions_under_forward_chaining(name: str):
    with ForwardMachine(load(name)) as machine:
        assert max(walk_on_kernel(machine, seed) for seed in range(3)) > 3


def test_a_swap_is_a_phase_that_comes_once():
    """Red's first stone may change its owner: facts come and go in the first two phases and rise in all others."""
    hex_3 = load_game("hex").of_size(3)
    sheet = export_sheet(find_rules("follow-line-tabled", "hex"), hex_3, swap=True).program
    with StateMachine.from_sheet(sheet, "compiled") as machine:
        assert machine.analysis.startswith("latches")
        assert min(walk_on_kernel(machine, seed) for seed in range(20)) > 3
        fast, slow = machine.playouts(20_000, 1), plain_playouts(machine, 2_000)
    assert_alike(fast, slow)


def plain_playouts(machine: StateMachine, games: int) -> Playouts:
    """Random games by single questions."""
    return StateMachine._playouts(machine, games, 1, machine.initial_state, 10_000, True)


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
    with StateMachine.from_sheet(sheet, "compiled") as machine:
        if machine.compiled.latches is not None:  # the others take LLVM a while: test_forward has them
            walk_on_kernel(machine, seed, 8)


@pytest.mark.takes_seconds
def test_random_sheets_reach_latches():
    """The strategy above is worth its name: among its sheets there are some with latches and some without."""
    found = {"latches": 0, "forward chaining": 0}

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
def test_playouts_and_single_questions_agree(name: str):
    with StateMachine.from_sheet(load(name)) as machine:
        fast, slow = machine.playouts(20_000, 1), plain_playouts(machine, 500)
    assert_alike(fast, slow)


@pytest.mark.takes_seconds
def test_hex_plays_as_long_as_it_must():
    """Random games on 7x7: 42.3 plies, the first player wins 0.544 of them."""
    sheet = export_sheet(find_rules("follow-line-tabled", "hex"), load_game("hex").of_size(7))
    with StateMachine.from_sheet(sheet.program, "compiled") as machine:
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


def test_grounding_ends_at_its_limit_and_the_game_is_played_all_the_same() -> None:
    """An estimate may be too low: the rules are counted while they are ground."""
    sheet = load("hex-3")
    whole = ground_sheet(sheet)
    assert whole is not None
    many = sum(1 + len(rule.body) for rule in whole.ground.rules)
    assert ground_sheet(sheet, many // 2) is None
    with StateMachine.from_sheet(sheet, "compiled") as machine:
        machine.most_ground = many // 2
        vars(machine)["_estimate"] = Work(0, "rules", estimated=True)
        assert sum(machine.playouts(10, seed=1).goals) == 10 * 100
        assert machine.analysis == "forward chaining: not ground, about 0 (estimated) rules and literals"


def test_control_is_worked_out_ahead_and_the_frame_costs_nothing():
    ground = ground_sheet(load("hex-3"))
    assert ground is not None
    clock = {str(ground.facts[fact]) for fact in ground.autonomous}
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


def test_the_filled_board_of_the_last_start_is_kept(monkeypatch):
    """Batches from one state set it up once, and come to what they come to anew."""
    sheet = load("tic-tac-toe")
    anew = [StateMachine.from_sheet(sheet, "compiled").playouts(50, seed) for seed in range(3)]
    made, set_up = [], Filling._game
    monkeypatch.setattr(Filling, "_game", lambda filling, true: made.append(true) or set_up(filling, true))
    machine = StateMachine.from_sheet(sheet, "compiled")
    assert [machine.playouts(50, seed) for seed in range(3)] == anew
    assert len(made) == 1
