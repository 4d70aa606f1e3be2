"""Transition rules: files that clingo reads, kept apart from rule sets; states made in several ways are the same."""

from __future__ import annotations

import math
import random
from itertools import combinations

import clingo
import pytest

from hexlogic import Detector
from hexlogic.errors import EngineError, RuleSyntaxError, UnknownNameError
from hexlogic.games import PLAYERS, Hex, Player, Position, groups, has_won
from hexlogic.games.detect.states import GrownStates, States, SteppedStates, timed
from hexlogic.games.rulesets import load_rule_set, read_header, read_rule_set, rule_set_names, win_query
from hexlogic.games.rulesets.transitions import Transitions, TransitionSet, load_transitions, transition_names
from hexlogic.language import Predicate
from hexlogic.language.analysis.checks import parse_checked
from hexlogic.language.parser import parse_atom, parse_predicate
from hexlogic.process.files import rules_folder
from tests.agreement import one_per_column_chain

KINDS = (GrownStates, SteppedStates)
TOY = """
#defined p/1. #defined plays/2. goal(state). goal(part).
initial_p(0).
hit(P,X) :- plays(P,X).
next_p(X) :- p(X), not hit(red,X).
next_p(X) :- hit(blue,X).
next_p(S) :- hit(red,1), goal(S).
wins(P) :- p(P), goal(P).
#show wins/1.
"""
"""Its constants are the names that the parameters of the parts would have."""


def toy() -> Transitions:
    return Transitions(parse_checked(TOY), (Predicate("p", 1),), parse_predicate("plays/2"), parse_predicate("wins/1"))


def names(states: States) -> set[str]:
    return set(map(str, states.facts()))


@pytest.mark.parametrize("kind", KINDS)
def test_states_by_hand(kind: type[GrownStates] | type[SteppedStates]) -> None:
    states = kind(toy())
    assert names(states) == {"p(0)"}
    for move, after in (
        ("plays(blue,1)", {"p(0)", "p(1)"}),
        ("plays(blue,2)", {"p(0)", "p(1)", "p(2)"}),
        ("plays(red,0)", {"p(1)", "p(2)"}),
        ("plays(red,1)", {"p(2)", "p(state)", "p(part)"}),
    ):
        assert not states.holds(parse_atom("wins(state)"))
        states.move(parse_atom(move))
        assert names(states) == after
    assert states.holds(parse_atom("wins(state)"))
    assert states.holds(parse_atom("wins(part)"))
    twin = states.copy()
    states.pop()
    states.pop()
    assert names(states) == {"p(0)", "p(1)", "p(2)"}
    assert "p(state)" in names(twin)
    states.move(parse_atom("plays(red,2)"))
    assert names(states) == {"p(0)", "p(1)"}
    twin.pop()
    assert names(twin) == {"p(1)", "p(2)"}


def test_step_and_look_are_parts() -> None:
    parts = {part.name: part for part in timed(toy())}
    assert parts["look"].text.splitlines() == [
        "p(X0,state_3) :- next_p(X0,state_3).",
        "wins(P,state_3) :- p(P,state_3), goal(P).",
    ]
    assert "next_p(X,state_3) :- p(X,state_2), not hit(red,X,state_3)." in parts["step"].text
    assert parts["move"].parameters == ("part_2", "part_3", "state_3")


def test_every_file_is_apart_from_the_rule_sets() -> None:
    assert transition_names() == (
        "clusters-as-printed",
        "clusters-by-side",
        "clusters-merging",
        "clusters-with-sides",
        "components-by-step",
        "follow-line-kept",
        "power-set-kept",
        "power-set-parts",
    )
    assert not set(transition_names()) & set(rule_set_names())
    with pytest.raises(UnknownNameError):
        load_rule_set("clusters-merging")
    with pytest.raises(UnknownNameError, match="did you mean clusters-merging"):
        load_transitions("cluster-merging")
    for path in sorted((rules_folder() / "transitions").iterdir()):
        with pytest.raises(RuleSyntaxError, match="transition rules, not a rule set"):
            read_rule_set(path)


def test_a_header_that_names_another_state() -> None:
    known = load_transitions("clusters-merging")
    wrong = TransitionSet(known.rules, ("cluster", "stone"), known.move)
    with pytest.raises(RuleSyntaxError, match="must derive next_cluster, next_stone and no other"):
        wrong.instantiate(Hex.square(2))


@pytest.mark.parametrize("name", transition_names())
def test_clingo_reads_the_file_as_it_is(name: str) -> None:
    """One step by clingo alone, from text: board, rules, the facts before, the move."""
    game = Hex(3, 4)
    rules = load_transitions(name).rules
    transitions, states = (
        load_transitions(name).instantiate(game),
        GrownStates(load_transitions(name).instantiate(game)),
    )
    board = (rules_folder() / "games" / "hex.lp").read_text()
    for ply, cell in enumerate([6, 2, 7, 3, 5, 10, 8]):
        move = f"plays({PLAYERS[ply % 2]},{cell})"
        control = clingo.Control(["-c", "rows=3", "-c", "columns=4"])
        control.add(
            "base", [], board + rules.expand(game) + "".join(f"{fact}." for fact in states.facts()) + move + "."
        )
        control.ground([("base", [])])
        found = {str(entry.symbol) for entry in control.symbolic_atoms if entry.symbol.name.startswith("next_")}
        states.move(parse_atom(move))
        assert {atom.removeprefix("next_") for atom in found} == names(states)
        assert {atom.split("(")[0] for atom in found} <= {predicate.name for predicate in transitions.after}
    assert states.holds(win_query("red"))


def played(name: str, game: Hex, seed: int, kind: type[GrownStates] | type[SteppedStates]):  # type: ignore[no-untyped-def]
    """Random stones one by one: the states and the position after each."""
    states, position = kind(load_transitions(name).instantiate(game)), Position(game)
    for ply, cell in enumerate(random.Random(seed).sample(list(game.cells), len(game.cells))):
        player: Player = PLAYERS[ply % 2]
        states.move(parse_atom(f"plays({player},{cell})"))
        position = position.play(player, cell)
        yield states, position


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(1, 3), (3, 1), (3, 3), (4, 5), (5, 5)], ids=str)
@pytest.mark.parametrize("name", ["power-set-kept", "power-set-parts"])
def test_kept_chains_answer_like_the_power_set(name: str, size: tuple[int, int], kind: type[GrownStates]) -> None:
    for seed in range(3):
        for states, position in played(name, Hex(*size), seed, kind):
            for player in PLAYERS:
                assert states.holds(win_query(player)) == one_per_column_chain(position, player)
    assert not load_transitions(name).rules.complete


def test_kept_choices_are_one_stone_of_each_column() -> None:
    game = Hex(4, 3)
    for states, position in played("power-set-kept", game, 1, SteppedStates):
        columns = [sum(game.column(cell) == column for cell in position.red) for column in (1, 2, 3)]
        rows = [sum(game.row(cell) == row for cell in position.blue) for row in (1, 2, 3, 4)]
        count = {name: sum(fact.name == name for fact in states.facts()) for name in ("choice_red", "choice_blue")}
        assert count == {
            "choice_red": math.prod(max(1, stones) for stones in columns),
            "choice_blue": math.prod(max(1, stones) for stones in rows),
        }


def test_parts_are_the_ends_of_partial_chains() -> None:
    game = Hex.square(4)
    for states, position in played("power-set-parts", game, 2, SteppedStates):
        expected = {f"part({player},{cell},{cell})" for player in PLAYERS for cell in position.stones(player)}
        for first, last in combinations(range(1, 5), 2):
            between = [cell for cell in game.cells if first <= game.column(cell) <= last]
            for start in (cell for cell in position.red if game.column(cell) == first):
                reached = {start}
                for column in range(first + 1, last + 1):
                    beside = {near for cell in reached for near in game.neighbours(cell) if near in between}
                    reached = {near for near in beside & position.red if game.column(near) == column}
                expected |= {f"part(red,{start},{end})" for end in reached}
        assert {name for name in names(states) if "blue" not in name} == {
            name for name in expected if "blue" not in name
        }


@pytest.mark.parametrize("kind", KINDS)
def test_the_printed_rules_make_clusters_overlap(kind: type[GrownStates]) -> None:
    """One name for each stone that touches another of its group; the winner is right nevertheless."""
    most = 0
    for states, position in played("clusters-as-printed", Hex.square(5), 3, kind):
        facts = [fact for fact in states.facts() if fact.name == "cluster"]
        most = max(most, len(facts) - len(position.red) - len(position.blue))
        for player in PLAYERS:
            assert states.holds(win_query(player)) == has_won(position, player)
            together = {stone: group for group in groups(position, player) for stone in group}
            for fact in facts:
                name, stone, owner = fact.arguments
                if str(owner) == player:
                    assert int(str(stone)) in together[int(str(name))], "a cluster never leaves its group"
    assert most > 100


def test_a_line_of_stones_under_as_many_names() -> None:
    states = SteppedStates(load_transitions("clusters-as-printed").instantiate(Hex(2, 6)))
    counts = []
    for cell in range(1, 7):
        states.move(parse_atom(f"plays(red,{cell})"))
        counts.append(sum(fact.name == "cluster" for fact in states.facts()))
    # A stone renames what it touches before the move, so the newest has the old line and each old one lacks the newest.
    assert counts == [1 + stones * (stones - 1) for stones in range(1, 7)]


def test_a_file_without_a_state_is_refused() -> None:
    with pytest.raises(RuleSyntaxError, match="lacks state, move"):
        read_header("% name: x\n\np.\n", "x.lp", ("name", "state", "move"))


def test_the_default_engine_of_transition_rules_can_list_a_state() -> None:
    """Any other one refuses rules whose state is more than clusters."""
    with pytest.raises(EngineError, match="yes or no"):
        Detector("power-set-kept", size=3, engine="compiled")
    with Detector("power-set-kept", size=3) as kept, Detector("clusters-merging", size=3) as merging:
        for player, cell in (("red", "a2"), ("blue", "a1"), ("red", "b2"), ("blue", "b1"), ("red", "c1")):
            for detector in (kept, merging):
                detector.play(player, cell)
        assert kept.winner() == merging.winner() == "red"


def test_states_count_their_facts() -> None:
    """One fact for each stone in every state of the line, on a line that went back and forth, too."""
    for kind in KINDS:
        states = kind(load_transitions("clusters-merging").instantiate(Hex.square(4)))
        for player, cell in (("red", 6), ("blue", 1), ("red", 7)):
            states.move(parse_atom(f"plays({player},{cell})"))
        states.pop()
        states.move(parse_atom("plays(red,10)"))
        twin = states.copy()
        twin.move(parse_atom("plays(blue,2)"))
        assert states.counts() == [0, 1, 2, 3]
        assert twin.counts() == [0, 1, 2, 3, 4]
        assert [len(states.facts()), len(twin.facts())] == [3, 4]
