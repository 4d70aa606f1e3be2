"""Games on filled boards and in lanes: the same distribution as games that are played in their order, one by one."""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from hexlogic.errors import GameError
from hexlogic.games import Hex, Position, has_won, load_game
from hexlogic.ggp import State, StateMachine, read_kif
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.machines import game
from hexlogic.ggp.machines.reasoners import compiled as reasoner
from hexlogic.ggp.machines.reasoners.compiled import CompiledMachine, CompiledSheet
from hexlogic.ggp.machines.state_machine import MANY
from hexlogic.ggp.propnet.filling_kernel import GAMES, worth
from hexlogic.language import Program
from tests.ggp.oracle import after, look, value
from tests.ggp.sheets import load


def hex_sheet(size: int, rules: str = "follow-line-tabled") -> Program:
    return export_sheet(find_rules(rules, "hex"), Hex.square(size)).program


def machine_of(sheet: Program) -> CompiledMachine:
    machine = StateMachine.from_sheet(sheet, "compiled")
    assert isinstance(machine, CompiledMachine)
    return machine


def compiled(machine: CompiledMachine) -> CompiledSheet:
    assert machine.compiled is not None
    return machine.compiled


def in_order(
    machine: CompiledMachine, games: int, seed: int, start: State | None = None
) -> tuple[int, tuple[int, ...]]:
    """Steps and goals of games one after the other, none of them at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CompiledSheet, "play", lambda *_: None)
        played = machine.playouts(games, seed, start=start)
    return played.steps or 0, played.goals


def all_games(
    sheet: Program, roles: Sequence[object], state: State, known: dict[State, list[Fraction]]
) -> list[Fraction]:
    """The mean goals of random games from a state, by enumeration of all games; the reference semantics plays them."""
    if state not in known:
        legal, goals, over = look(sheet, state)
        if over:
            known[state] = [Fraction(value(goals[role])) for role in roles]
        else:
            joint = list(itertools.product(*(sorted(legal[role], key=str) for role in roles)))
            found = [all_games(sheet, roles, after(sheet, state, tuple(roles), moves), known) for moves in joint]
            known[state] = [sum(column) / len(joint) for column in zip(*found, strict=True)]
    return known[state]


FILLED = {"hex-3": 9, "tic-tac-toe": 9}
NOT_FILLED = {
    "connect-four": "what a move changes depends on moves before it",
    "breakthrough": "facts come and go",
    "rock-paper-scissors": "facts come and go, or roles move at once",
}


@pytest.mark.parametrize(("name", "cells"), FILLED.items())
def test_the_analysis_says_that_order_does_not_matter(name: str, cells: int):
    assert machine_of(load(name)).analysis.endswith(f"filled boards: {cells} cells whose order does not matter")


@pytest.mark.parametrize(("name", "why"), NOT_FILLED.items())
def test_the_analysis_says_why_order_may_matter(name: str, why: str):
    analysis = machine_of(load(name)).analysis
    assert f"no filled boards: {why}" in analysis
    assert "lanes: " in analysis


BROKEN = {
    # A stone may be laid twice, in another phase.
    "again": ("(not (true (stone ?p ?x)))", "a move may be made again"),
    # A stone takes the next cell away as well.
    "beside": ("(not (taken ?x)) (not (before ?x))", "a move takes other moves away"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_games_that_are_no_filling(name: str):
    condition, _ = BROKEN[name]
    text = f"""
    (role red) (role blue) (cell 1) (cell 2) (cell 3) (succ 1 2) (succ 2 3)
    (init (control red))
    (<= (next (control red)) (true (control blue))) (<= (next (control blue)) (true (control red)))
    (<= (next (stone ?p ?x)) (true (stone ?p ?x))) (<= (next (stone ?p ?x)) (does ?p (place ?x)))
    (<= (taken ?x) (true (stone ?p ?x)))
    (<= (before ?y) (succ ?x ?y) (taken ?x))
    (<= (legal ?p (place ?x)) (true (control ?p)) (cell ?x) {condition})
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (wins ?p) (true (stone ?p 1)) (true (stone ?p 3)))
    (<= (goal ?p 100) (wins ?p)) (<= (goal ?p 0) (role ?p) (not (wins ?p)))
    (<= terminal (wins ?p)) (<= terminal (taken 1) (taken 2) (taken 3))
    """
    machine = machine_of(read_kif(text))
    assert compiled(machine).filling is None
    assert "lanes: " in machine.analysis


FOUR = """
(role red) (role blue) (cell 1) (cell 2) (cell 3) (cell 4) (init (control red)) (<= (taken ?x) (true (stone ?p ?x)))
(<= full (taken 1) (taken 2) (taken 3) (taken 4)) (<= terminal full)
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (legal ?p (place ?x)) (true (control ?p)) (cell ?x) (not (taken ?x)))
(<= (next (control blue)) (true (control red)))
"""
TURNS = "(<= (next (control red)) (true (control blue)))"
STAY = "(<= (next (stone ?p ?x)) (true (stone ?p ?x)))"
PUT = "(<= (next (stone ?p ?x)) (does ?p (place ?x)))"
GOALS = "(<= (goal ?p 100) (wins ?p)) (<= (goal ?p 0) (role ?p) (not (wins ?p)))"
END = "(<= terminal (wins ?p))"
WINS = """
(<= (wins red) (true (stone red 1)) (true (stone red 3))) (<= (wins blue) (true (stone blue 2)) (true (stone blue 4)))
"""
CLOCK = """
(init (step 0)) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= (next (step 6)) (true (step 6)))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
"""
BOARD = TURNS + STAY + PUT
WHOLE = BOARD + WINS + END + GOALS
LOOKALIKES: dict[str, tuple[bool | None, str]] = {
    "a draw": (True, WHOLE),
    "red loses by its own stone": (True, f"{WHOLE} (<= (wins blue) (true (stone red 2)) (taken 4))"),
    "one move brings both wins about": (
        True,
        f"{BOARD} {END} {GOALS} (<= (wins red) (taken 2) (taken 3)) (<= (wins blue) (taken 3) (taken 2))",
    ),
    "one player wins and does not end it": (None, f"{BOARD} {WINS} {GOALS} (<= terminal (wins red))"),
    "goals ask for a stone": (
        None,
        f"""{BOARD} {WINS} {END} (<= (goal ?p 80) (true (stone ?p 1)))
        (<= (goal ?p 10) (role ?p) (not (true (stone ?p 1))))""",
    ),
    "goals ask for what may be undone": (
        None,
        f"""{BOARD} {WINS} {END} (<= (ahead ?p) (wins ?p) (not full)) (<= (goal ?p 80) (ahead ?p))
        (<= (goal ?p 1) (role ?p) (not (ahead ?p)))""",
    ),
    "a move takes a stone away": (
        False,
        f"""{TURNS} {PUT} {WINS} {END} {GOALS} {CLOCK} (<= terminal (true (step 6))) (<= (gone 1) (does ?p (place 2)))
        (<= (next (stone ?p ?x)) (true (stone ?p ?x)) (not (gone ?x)))""",
    ),
    "a clock ends it": (None, f"{WHOLE} {CLOCK} (<= terminal (true (step 3)))"),
    "a fact that comes and goes ends it": (
        False,
        f"{WHOLE} (init tick) (<= (next tick) (not (true tick))) (<= terminal (true tick) (taken 3))",
    ),
    "the end may pass": (None, f"{BOARD} {WINS} {GOALS} (<= terminal (taken 1) (not (taken 2)))"),
    "a player may pass": (
        False,
        f"{WHOLE} {CLOCK} (<= terminal (true (step 5))) (<= (legal ?p noop) (true (control ?p)) (taken 1))",
    ),
    "a stone takes a second cell": (False, f"{WHOLE} (<= (next (stone ?p 4)) (does ?p (place 1)) (not (taken 4)))"),
    "the colour depends on the board": (
        False,
        f"""{TURNS} {STAY} {WINS} {END} {GOALS} (<= (next (stone ?p ?x)) (does ?p (place ?x)) (not (taken 1)))
        (<= (next (stone red ?x)) (does ?p (place ?x)) (taken 1))""",
    ),
    "a stone is set by one and taken by the other": (
        None,
        f"""{TURNS} {PUT} {WINS} {END} {GOALS} (<= (hit ?x) (does ?p (place ?x)))
        (<= (next (stone ?p ?x)) (true (stone ?p ?x)) (not (hit ?x)))""",
    ),
    "a win asks for stones of both": (
        True,
        f"""{BOARD} {END} {GOALS} (<= (wins red) (true (stone red 1)) (true (stone blue 3)))
        (<= (wins blue) (true (stone blue 1)) (true (stone red 2)))""",
    ),
    "both win with stones of one": (
        True,
        f"""{BOARD} {END} {GOALS} (<= (wins red) (true (stone red 1)) (true (stone red 2)))
        (<= (wins blue) (true (stone red 3)) (true (stone red 4)))""",
    ),
    "three players": (
        False,
        f"""(role green) (<= (next (control red)) (true (control green))) {STAY} {PUT} {WINS} {END} {GOALS}
        (<= (next (control green)) (true (control blue)))""",
    ),
}


@pytest.mark.parametrize("name", LOOKALIKES)
def test_games_that_look_like_hex_come_to_what_all_games_come_to(name: str):
    """They are on filled boards, or not, as said (None: no matter); the means are those by enumeration."""
    is_filled, rules = LOOKALIKES[name]
    sheet = read_kif(FOUR + rules)
    machine, games = machine_of(sheet), 40_000
    if is_filled is not None:
        assert (compiled(machine).filling is not None) == is_filled
    expected = all_games(sheet, machine.roles, machine.initial_state, {})
    steps, _ = in_order(machine, games, 4)
    for lengths in (False, True):
        found = machine.playouts(games, 9, lengths=lengths)
        for mean, exact in zip(found.mean_goals, expected, strict=True):
            assert abs(mean - float(exact)) < 5 * 50 / math.sqrt(games)
    assert abs(found.mean_steps - steps / games) < 5 * 2 * math.sqrt(2 / games)


def first_player_in_hex(game: Hex, red: frozenset[int], blue: frozenset[int]) -> Fraction:
    """How often red wins random games from a position, by enumeration; union-find says who has won."""
    position = Position(game, red, blue)
    if has_won(position, "red") or has_won(position, "blue"):
        return Fraction(has_won(position, "red"))
    free = [cell for cell in game.cells if cell not in red | blue]
    moved = [(red | {cell}, blue) if len(red) == len(blue) else (red, blue | {cell}) for cell in free]
    return sum((known_in_hex(game, *pair) for pair in moved), Fraction()) / len(free)


known_in_hex = functools.cache(first_player_in_hex)


@functools.cache
def steps_in_hex(game: Hex, red: frozenset[int], blue: frozenset[int]) -> Fraction:
    """The mean length of random games from a position, by enumeration."""
    position = Position(game, red, blue)
    if has_won(position, "red") or has_won(position, "blue"):
        return Fraction(0)
    free = [cell for cell in game.cells if cell not in red | blue]
    moved = [(red | {cell}, blue) if len(red) == len(blue) else (red, blue | {cell}) for cell in free]
    return 1 + sum((steps_in_hex(game, *pair) for pair in moved), Fraction()) / len(free)


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@functools.cache
def tic_tac_toe(board: str = "." * 9) -> tuple[Fraction, Fraction]:
    """The mean goals of both in tic-tac-toe, by enumeration."""
    for number, player in enumerate("xo"):
        if any(all(board[cell] == player for cell in line) for line in LINES):
            return (Fraction(100), Fraction(0)) if number == 0 else (Fraction(0), Fraction(100))
    free = [cell for cell in range(9) if board[cell] == "."]
    if not free:
        return Fraction(50), Fraction(50)
    player = "x" if len(free) % 2 else "o"
    found = [tic_tac_toe(board[:cell] + player + board[cell + 1 :]) for cell in free]
    return tuple(sum(column) / len(free) for column in zip(*found, strict=True))


@pytest.mark.takes_seconds(keep=7)
@pytest.mark.parametrize("rules", ["follow-line-tabled", "clusters", "maker-breaker", "follow-line-sweeps"])
@pytest.mark.parametrize("size", [2, 3])
def test_mean_goals_are_those_of_all_games(rules: str, size: int):
    """Exact expectation by enumeration; the sample lies within five standard errors."""
    machine, games = machine_of(hex_sheet(size, rules)), 200_000
    expected = 100 * float(known_in_hex(Hex.square(size), frozenset(), frozenset()))
    found = machine.playouts(games, 7, lengths=False)
    assert found.steps is None
    assert abs(found.mean_goals[0] - expected) < 5 * 50 / math.sqrt(games)
    assert abs(machine.playouts(games, 8).mean_goals[0] - expected) < 5 * 50 / math.sqrt(games)


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 4), (3, 3)])
def test_mean_lengths_are_those_of_all_games(rows: int, columns: int):
    """Exact expectation by enumeration. Batches of many sizes, since lanes may be left over."""
    game, games = Hex(rows, columns), 2_000_037
    machine = machine_of(export_sheet(find_rules("follow-line-tabled", "hex"), game).program)
    filling = compiled(machine).filling
    assert filling is not None
    state = filling.game(compiled(machine).ground.initial)
    assert state is not None
    assert sorted(state.kind_of_win) == [0, 1]
    found = machine.playouts(games, 5).mean_steps
    assert found is not None
    expected = float(steps_in_hex(game, frozenset(), frozenset()))
    assert abs(found - expected) < 5 * 1.5 / math.sqrt(games)
    few = [machine.playouts(70, seed).mean_steps or 0 for seed in range(2_000)]
    assert abs(np.mean(few) - expected) < 5 * 1.5 / math.sqrt(70 * 2_000)


@pytest.mark.parametrize("name", ["tic-tac-toe", "rock-paper-scissors", "nim"])
def test_mean_goals_of_other_games_are_those_of_all_games(name: str):
    machine, games, sheet = machine_of(load(name)), 200_000, load(name)
    expected = tic_tac_toe() if name == "tic-tac-toe" else all_games(sheet, machine.roles, machine.initial_state, {})
    found = machine.playouts(games, 3, lengths=False).mean_goals
    for mean, exact in zip(found, expected, strict=True):
        assert abs(mean - float(exact)) < 5 * 50 / math.sqrt(games)


@pytest.mark.parametrize(
    "name", ["tic-tac-toe", "connect-four", "nim", "hex-7", "breakthrough", "pursuit", "rock-paper-scissors"]
)
def test_results_and_lengths_are_distributed_as_in_order(name: str):
    """Chi-square over the results and lengths of single games, which are told apart by their start in a batch of
    one."""
    machine = machine_of(hex_sheet(7) if name == "hex-7" else load(name))
    batches, games = 60, 150
    fast, slow = [], []
    for seed in range(batches):
        many = machine.playouts(games, seed)
        fast.append((many.goals[0] / games, many.mean_steps))
        steps, goals = in_order(machine, games, seed + 1_000)
        slow.append((goals[0] / games, steps / games))
    for place in range(2):
        one, other = ([row[place] for row in rows] for rows in (fast, slow))
        edges = np.quantile(one + other, [0.25, 0.5, 0.75])
        table = [Counter(np.searchsorted(edges, values).tolist()) for values in (one, other)]
        used = [cell for cell in range(4) if table[0][cell] + table[1][cell]]
        if len(used) > 1:  # rock-paper-scissors has one length
            assert chi2_contingency([[row[cell] for cell in used] for row in table]).pvalue > 1e-4


def outcomes_of(machine: CompiledMachine, games: int, one_by_one: bool) -> Counter[tuple[int, ...]]:
    """Joint goals of games from their sums: with weights that no sums share, batches of one tell each game."""
    if one_by_one:
        return Counter(in_order(machine, 1, seed)[1] for seed in range(games))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reasoner, "MANY", 1)
        return Counter(machine.playouts(1, seed).goals for seed in range(games))


@pytest.mark.parametrize("name", ["tic-tac-toe", "pursuit", "hex-3"])
def test_single_games_have_the_same_results(name: str):
    machine = machine_of(load(name))
    fast, slow = outcomes_of(machine, 1_500, False), outcomes_of(machine, 1_500, True)
    keys = sorted(fast | slow)
    assert chi2_contingency([[one[key] for key in keys] for one in (fast, slow)]).pvalue > 1e-4


def test_full_boards_without_a_winner_are_draws():
    """Tic-tac-toe: on a filled board both, one or none have a line; who was first is decided by the order."""
    machine = machine_of(load("tic-tac-toe"))
    filling = compiled(machine).filling
    assert filling is not None
    game = filling.game(compiled(machine).ground.initial)
    assert game is not None
    assert game.decided
    assert sorted(outcomes_of(machine, 200, False)) == [(0, 100), (50, 50), (100, 0)]


def test_playouts_go_on_from_any_state():
    """From a state in which red wins with the next stone at one of two cells of four."""
    sheet = hex_sheet(2)
    machine, games = machine_of(sheet), 100_000
    state = machine.initial_state
    for _ in range(2):
        state = machine.next_state(state, [machine.legal_moves(state, role)[0] for role in machine.roles])
    expected = float(all_games(sheet, machine.roles, state, {})[0])
    found = machine.playouts(games, 1, start=state, lengths=False)
    assert abs(found.mean_goals[0] - expected) < 5 * 50 / math.sqrt(games)


def test_a_game_that_is_over_has_no_steps():
    machine = machine_of(load("tic-tac-toe"))
    state, seed = machine.initial_state, 0
    while not machine.is_terminal(state):
        moves = [machine.legal_moves(state, role)[0] for role in machine.roles]
        state, seed = machine.next_state(state, moves), seed + 1
    goals = [machine.goal(state, role) for role in machine.roles]
    played = machine.playouts(MANY, start=state)
    assert (played.steps, played.mean_goals) == (0, tuple(map(float, goals)))


def test_a_swap_is_played_in_lanes_or_in_order():
    """The phases of the swap come once, so filled boards do not begin there; they do in the states after it."""
    sheet = export_sheet(find_rules("follow-line-tabled", "hex"), load_game("hex").of_size(3), swap=True).program
    machine = machine_of(sheet)
    many = machine.playouts(20_000, 1)
    steps, goals = in_order(machine, 20_000, 2)
    assert abs(many.mean_goals[0] - goals[0] / 20_000) < 5 * 50 * math.sqrt(2 / 20_000)
    assert abs(many.mean_steps - steps / 20_000) < 5 * 3 * math.sqrt(2 / 20_000)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("(<= terminal (true never)) (goal r 0)", "not over after 50 steps"),
        ("(<= terminal (true (n 3)))", "no value"),
        ("(<= terminal (true (n 3))) (goal r 1) (goal r 2)", "1 and 2"),
        ("(<= terminal (true (n 9))) (goal r 1)", "no legal move"),
    ],
)
def test_what_goes_wrong_in_a_game_is_told_as_in_order(rules: str, message: str):
    ends = "(<= (legal r go) (true (n ?x)) (distinct ?x 5))" if "legal" in message else "(legal r go) (legal r come)"
    machine = machine_of(
        read_kif(f"""
        (role r) (init (n 0)) (init (m 0)) {ends} {rules}
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 0)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= (next never) (true never))
        (<= (next (m 1)) (does r come))
    """)
    )
    with pytest.raises(GameError, match=message):
        machine.playouts(1_000, longest=50)
    with pytest.raises(GameError, match=message):
        machine.playouts(1, longest=50)


@pytest.mark.parametrize("name", ["pursuit", "hex-3"])
def test_the_same_seed_gives_the_same_games(name: str):
    machine = machine_of(load(name))
    assert machine.playouts(700, 5) == machine.playouts(700, 5) != machine.playouts(700, 6)


def test_lengths_that_were_not_asked_for():
    with pytest.raises(GameError, match="lengths of the games were not asked for"):
        _ = machine_of(load("hex-3")).playouts(MANY, lengths=False).mean_steps


@pytest.mark.takes_seconds
@pytest.mark.parametrize("plies", [0, 3, 5])
def test_the_worth_of_a_leaf_is_that_of_games_from_it(plies: int):
    """The position is reached on the kernel for latches; what evaluates leaves knows the state of the root only."""
    sheet = hex_sheet(4)
    machine = machine_of(sheet)
    state, sheet_of_it = machine.initial_state, compiled(machine)
    start = sheet_of_it.start(state)
    assert start is not None
    playing, leaf = start.game.copy(), start.leaf(1)
    assert leaf is not None
    for ply in range(plies):
        joint, role = np.zeros(2, dtype=np.int64), ply % 2
        joint[role] = game.option(*playing.arrays, role, 2)
        moves = [machine.legal_moves(state, other)[0] for other in machine.roles]
        moves[role] = start.move(role, int(joint[role]))
        game.play(*playing.arrays, joint)
        state = machine.next_state(state, moves)
    totals, calls = np.zeros(2, dtype=np.int64), 400
    for _ in range(calls):
        assert worth(playing.latches, leaf, totals) == 16 - plies
    games = calls * GAMES
    _, goals = in_order(machine, games, 1, state)
    assert abs(totals[0] - goals[0]) / games < 5 * 50 * math.sqrt(2 / games)
    assert totals.sum() == 100 * games
