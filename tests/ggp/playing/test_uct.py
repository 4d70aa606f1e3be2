"""UCT: it wins what can be won, on any reasoner; the trees of numba hold together and agree with what was played."""

from __future__ import annotations

import random

import pytest

from hexlogic.errors import GameError
from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set
from hexlogic.ggp import StateMachine, read_kif, read_sheet, read_term
from hexlogic.ggp.export import export_sheet
from hexlogic.ggp.forward import evaluator, memory
from hexlogic.ggp.playing import Clock, choose_strategy
from hexlogic.ggp.playing import uct as kernel
from hexlogic.ggp.playing.host import Host, enter, play_series, standings
from hexlogic.ggp.playing.search import MachineSearch, NumbaSearch
from tests.ggp.reasoners_here import REASONERS, ForwardMachine
from tests.ggp.sheets import GAMES, IDS, load

pytestmark = pytest.mark.many_cases(keep=2)

LONG = 600.0


def compiled(sheet):
    return StateMachine.from_sheet(sheet, "compiled")


def numba_search(machine, trees=1, seed=1, state=None):
    return NumbaSearch(machine, state or machine.initial_state, seed, trees)


def searched(machine, kind, state, playouts, seed=1):
    tree = numba_search(machine, seed=seed, state=state) if kind == "numba" else MachineSearch(machine, state, seed)
    assert tree.search(Clock(LONG), playouts) == playouts == tree.visits
    return tree


def check_tree(tree):
    """What holds in every tree: edges stand one after the other, counts add up, children are found again."""
    nodes, edges, expanded = map(int, tree.used)
    assert len({int(node) for node in tree.expanded[:expanded]}) == expanded
    end = 0
    for node in map(int, tree.expanded[:expanded]):
        assert tree.first[node] == end
        for width in map(int, tree.widths[node]):
            own = slice(end, end + width)
            assert len(set(tree.moves[own].tolist())) == width
            assert (tree.totals[own] <= tree.counts[own] + 1e-9).all()
            assert (tree.totals[own] >= 0).all()
            if width:
                assert 0 < tree.counts[own].sum() <= tree.visits[node]
            end += width
    assert end == edges
    for node in range(1, nodes):
        assert 0 <= tree.parent[node] < node
        assert kernel.child_of(tree, int(tree.parent[node]), int(tree.joint[node])) == node
        assert 1 <= tree.visits[node] <= tree.visits[tree.parent[node]]
    assert kernel.child_of(tree, 0, 10**9) == -1


@pytest.mark.takes_seconds(keep=5)
@pytest.mark.parametrize("path", GAMES, ids=IDS)
def test_trees_hold_together_through_whole_games(path):
    sheet = read_sheet(path)
    machine, draw = compiled(sheet), random.Random(5)
    if machine.compiled is None:
        pytest.skip("terms grow in this game: it is searched in Python")
    found, state = numba_search(machine, trees=2), machine.initial_state
    while not machine.is_terminal(state):
        found.search(Clock(LONG), 150)
        for tree in found._trees:
            check_tree(tree)
        for role, name in enumerate(machine.roles):
            assert found.best(role) in machine.legal_moves(state, name)
        moves = tuple(draw.choice(machine.legal_moves(state, role)) for role in machine.roles)
        before = [found._child(tree, moves) for tree in found._trees]
        visits = [
            int(tree.visits[child]) if child >= 0 else 0 for tree, child in zip(found._trees, before, strict=True)
        ]
        state = machine.next_state(state, moves)
        found.advance(moves, state)
        assert [int(tree.visits[0]) for tree in found._trees] == visits  # what is below the move is kept
        for tree in found._trees:
            check_tree(tree)


@pytest.mark.takes_seconds
@pytest.mark.parametrize("kind", ["numba", "plain"])
@pytest.mark.parametrize(
    ("stem", "moves", "role", "best"),
    [
        ("tic-tac-toe", ["(mark 1 1)", "(mark 3 1)", "(mark 1 2)", "(mark 3 3)"], 0, "(mark 1 3)"),  # win
        ("tic-tac-toe", ["(mark 1 1)", "(mark 2 2)", "(mark 1 2)"], 1, "(mark 1 3)"),  # do not lose
        ("connect-four", ["(drop 4)", "(drop 1)", "(drop 4)", "(drop 1)", "(drop 4)", "(drop 2)"], 0, "(drop 4)"),
        ("connect-four", ["(drop 4)", "(drop 1)", "(drop 4)", "(drop 1)", "(drop 4)"], 1, "(drop 4)"),
        ("hex-3", ["(place c3)"], 1, "(place b2)"),  # by exhaustive search
        ("hex-3", ["(place a2)"], 1, "(place b2)"),
        ("nim", [], 0, "(reduce right 2)"),
    ],
)
def test_it_finds_the_one_good_move(kind, stem, moves, role, best):
    machine = compiled(load(stem))
    state = machine.initial_state
    for number, move in enumerate(moves):
        joint = [read_term("noop")] * 2
        joint[number % 2] = read_term(move)
        state = machine.next_state(state, joint)
    assert searched(machine, kind, state, 5000 if kind == "numba" else 1500).best(role) == read_term(best)


@pytest.mark.parametrize("name", ["hex-3", "pursuit"])
def test_a_search_goes_on_with_more_room_where_a_relation_was_full(monkeypatch, name):
    for module, limit in ((memory, "ALWAYS_ROOM"), (evaluator, "_SAMPLED_GAMES"), (evaluator, "_SAMPLED_STEPS")):
        monkeypatch.setattr(module, limit, 1)
    grown, make_room = [], evaluator.Evaluator.make_room
    monkeypatch.setattr(evaluator.Evaluator, "make_room", lambda *given: grown.append(1) or make_room(*given))
    machine = ForwardMachine(load(name))
    found = numba_search(machine, trees=2)
    assert found.search(Clock(LONG), 150) == 150 == found.visits
    assert grown
    for tree in found._trees:
        check_tree(tree)


@pytest.mark.takes_seconds
@pytest.mark.parametrize("kind", ["numba", "plain"])
def test_simultaneous_moves_do_not_know_each_other(kind):
    """Matching pennies: who knew the other's choice would always take the same side."""
    machine = compiled(load("rock-paper-scissors"))
    searches = [searched(machine, kind, machine.initial_state, 3000, seed)._trees[0] for seed in range(1, 5)]
    # One search drifts around the circle of shapes and may favour some for long; several together do not.
    counts = sum(nodes.counts[: int(nodes.widths[0].sum())] for nodes in searches)
    assert len(counts) == 6
    assert counts.min() > 4 * 300  # no shape is left aside


@pytest.mark.parametrize("kind", ["numba", "plain"])
def test_a_won_game_is_ended_and_not_put_off(kind):
    sheet = read_kif(
        "(role a) (init (at 0)) (next-to 0 1) (next-to 1 0) (legal a walk) (legal a stop)"
        "(<= (next (at ?y)) (does a walk) (true (at ?x)) (next-to ?x ?y)) (<= (next done) (does a stop))"
        "(<= terminal (true done)) (<= (goal a 100) (true done)) (<= (goal a 0) (not (true done)))"
    )
    machine = compiled(sheet)
    assert searched(machine, kind, machine.initial_state, 400).best(0) == read_term("stop")


@pytest.mark.takes_seconds
def test_a_full_tree_is_searched_on():
    machine = compiled(load("connect-four"))
    found = numba_search(machine)
    found._trees = [kernel.new_nodes(2, 50, 60)]
    assert found.search(Clock(LONG), 3000) == 3000
    check_tree(found._trees[0])
    assert int(found._trees[0].used[0]) == 50
    assert int(found._trees[0].counts[:7].sum()) == 3000


@pytest.mark.parametrize(("seconds", "played"), [([3, *[1] * 20], 8), ([3] * 9, 3), ([30], 1), ([1] * 20, 10)])
def test_no_playout_is_begun_that_may_end_after_the_clock(monkeypatch, seconds, played):
    """The first playout, of unknown length, may; a later one is as long as the last, or half of a longer one before."""
    now, left = [0.0], iter(seconds)

    class Told(Clock):
        left_s = property(lambda self: max(0.0, 10 - now[0]))

    with StateMachine.from_sheet(load("counter"), "clingo") as machine:
        tree = MachineSearch(machine, machine.initial_state, 0)

        def run(self, tree_number, games):
            now[0] += next(left)
            assert games == 1
            return 1

        monkeypatch.setattr(MachineSearch, "_run", run)
        monkeypatch.setattr("hexlogic.ggp.playing.search.monotonic", lambda: now[0])
        assert (tree.search(Told(0)), now[0]) == (played, sum(seconds[:played]))
        now[0], left = 9.0, iter([1])
        assert any(tree.search(Told(0)) for _ in range(9))  # what was too long once is tried again in the end


def test_without_a_playout_a_move_is_drawn(monkeypatch):
    monkeypatch.setattr(MachineSearch, "search", lambda self, clock, playouts=None: 0)
    with StateMachine.from_sheet(load("counter"), "clingo") as machine:
        strategy = choose_strategy("uct")(machine, 0, 0)
        assert strategy.best_so_far() is None
        moves = {strategy.choose(machine.initial_state, Clock(0)) for _ in range(60)}
        assert moves == {*machine.legal_moves(machine.initial_state, machine.roles[0])}
        assert strategy.note.startswith("drawn at random")


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("kind", ["numba", "plain"])
@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("(init s) (legal a b) (<= (next s) (true s)) (<= terminal (true t)) (goal a 100)", "not over after"),
        (
            "(init s) (<= (legal a b) (true s)) (<= (next u) (true s)) (<= terminal (true t)) (goal a 1)",
            "no legal move",
        ),
    ],
)
def test_games_that_are_none_are_errors(kind, rules, message):
    machine = compiled(read_kif(f"(role a) {rules}"))
    tree = numba_search(machine) if kind == "numba" else MachineSearch(machine, machine.initial_state, 1)
    with pytest.raises(GameError, match=message):
        tree.search(Clock(LONG), 50)


def test_with_counted_playouts_the_moves_depend_on_the_seed_alone():
    machine = compiled(load("connect-four"))

    def figures(seed):
        nodes = searched(machine, "numba", machine.initial_state, 500, seed)._trees[0]
        return nodes.counts[:7].tolist()

    assert figures(3) == figures(3)
    assert figures(3) != figures(4)


def test_several_trees_share_the_playouts_and_their_figures_are_added_up():
    machine = compiled(load("connect-four"))
    found = numba_search(machine, trees=3)
    assert found.search(Clock(LONG), 1000) == 1000 == found.visits
    sums = {}
    for tree in found._trees:
        for option, count in zip(tree.moves[:7].tolist(), tree.counts[:7].tolist(), strict=True):
            sums[option] = sums.get(option, 0) + count
    assert sum(sums.values()) == 1000
    assert found.best(0) == found._move(0, max(sums, key=sums.get))


def test_the_strategy_uses_numba_where_it_can():
    machine = compiled(load("tic-tac-toe"))
    assert isinstance(choose_strategy("uct:9")(machine, 0, 1)._search, NumbaSearch)
    assert isinstance(
        choose_strategy("uct")(StateMachine.from_sheet(load("nim"), "clingo"), 0, 1)._search, MachineSearch
    )
    growing = compiled(load("deep"))
    assert isinstance(choose_strategy("uct")(growing, 0, 1)._search, MachineSearch) == (growing.compiled is None)


def hex_sheet(size):
    return export_sheet(load_rule_set("follow-line-tabled"), Hex.square(size)).program


@pytest.mark.takes_seconds
@pytest.mark.parametrize(
    ("sheet", "playouts"),
    [(load("tic-tac-toe"), 1000), (load("connect-four"), 300), (hex_sheet(7), 400)],
    ids=["tic-tac-toe", "connect-four", "hex-7"],
)
def test_uct_beats_random_players(sheet, playouts):
    """Twenty games, sides changed after each, in tic-tac-toe without a loss. With 1000 playouts: benchmarks."""
    host = Host(sheet, "game", compiled(sheet), compiled, start_clock_s=60, play_clock_s=60)
    entries = [enter(f"uct:{playouts}"), enter("random")]
    matches = list(play_series(host, entries, 20, swap=True, seed=11))
    assert not [fault for match in matches for fault in match.record.faults]
    one, _ = standings(entries, matches)
    assert one.losses == 0
    assert one.wins == 20 or (sheet == load("tic-tac-toe") and one.wins >= 17)


FAULTY = ["(<= (goal r 0) (true lost)) (<= (goal r 100) (true lost))", "", "(<= (goal r none) (true lost))"]
SEARCHES = [("numba", "compiled"), *(pytest.param("python", *each.values, marks=each.marks) for each in REASONERS)]


@pytest.mark.takes_seconds(keep=16)
@pytest.mark.parametrize(("kind", "reasoner"), SEARCHES)
@pytest.mark.parametrize("goals", FAULTY, ids=["two", "none", "word"])
def test_a_game_with_no_goal_or_several_does_not_end_the_search(kind, reasoner, goals):
    """Waiting ends the game after six steps more, without one goal; going wins then. So a random game meets the fault,
    and not a leaf of the tree only."""
    steps = " ".join(f"(succ {number} {number + 1})" for number in range(1, 7))
    text = f"""(role r) (init (at 1)) {steps} (<= (legal r go) (true (at 1))) (<= (legal r wait) (true (at 1)))
    (<= (legal r on) (true (at ?x)) (distinct ?x 1)) (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (next lost) (does r wait)) (<= (next lost) (true lost)) (<= terminal (true (at 7)))
    (<= (goal r 100) (true (at 7)) (not (true lost))) {goals.replace("(true lost)", "(true lost) (true (at 7))")}"""
    playouts = 400 if kind == "numba" else 20
    with StateMachine.from_sheet(read_kif(text), reasoner) as machine:
        tree = searched(machine, kind, machine.initial_state, playouts)
        assert tree.best(0) == read_term("go")
        assert tree.without_goal > 0


def test_a_role_without_a_move_is_told_when_it_is_searched_and_not_before():
    """The other role has one, and may be asked for it."""
    text = (
        "(role a) (role b) (init x) (<= (legal b go) (true x)) (<= (next y) (true x)) (<= terminal (true y)) (goal a 1)"
    )
    with StateMachine.from_sheet(read_kif(text), "clingo") as machine:
        tree = MachineSearch(machine, machine.initial_state, 1)
        with pytest.raises(GameError, match=r"^a has no legal move"):
            tree.search(Clock(LONG), 1)
        assert tree.best(1) == read_term("go")
