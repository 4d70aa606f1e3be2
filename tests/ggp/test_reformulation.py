"""Sheets of the same game that cost a prover less: what is found, in whose state, and that it is the same game."""

from __future__ import annotations

import random
import shutil
import time
from dataclasses import replace

import pytest

from hexlogic.errors import EngineError
from hexlogic.ggp import StateMachine
from hexlogic.ggp.language.reading import checked_sheet
from hexlogic.ggp.machines.side_by_side import SideBySide
from hexlogic.ggp.reformulation import inductive
from hexlogic.ggp.reformulation.flat_game import flat_game
from hexlogic.ggp.reformulation.flood import fusions
from hexlogic.ggp.reformulation.inductive import proved_same
from hexlogic.ggp.reformulation.joined import joined
from hexlogic.ggp.reformulation.keep import keepings
from hexlogic.ggp.reformulation.pairs import pairings
from hexlogic.ggp.reformulation.search import same_game, search_steps
from hexlogic.ggp.reformulation.small import smaller
from hexlogic.language import Atom, Rule
from hexlogic.language.parser import parse_rule

NEEDS_SWIPL = pytest.mark.skipif(shutil.which("swipl") is None, reason="needs SWI-Prolog, which .ci/run installs")

BOARD = """
(role north) (role west)
(init (turn north))
(<= (next (turn west)) (true (turn north)))
(<= (next (turn north)) (true (turn west)))
(<= (legal ?p (put ?x ?y)) (true (turn ?p)) (across ?x) (down ?y) (not (true (on ?x ?y north)))
    (not (true (on ?x ?y west))))
(<= (legal north wait) (true (turn west)))
(<= (legal west wait) (true (turn north)))
(<= (next (on ?x ?y ?p)) (does ?p (put ?x ?y)))
(<= (next (on ?x ?y ?p)) (true (on ?x ?y ?p)))
(across a) (across b) (across c) (across d) (down 1) (down 2) (down 3) (down 4)
(right a b) (right b c) (right c d) (below 1 2) (below 2 3) (below 3 4)
(<= (near ?x ?y ?z ?y) (right ?x ?z) (down ?y))
(<= (near ?x ?y ?z ?y) (right ?z ?x) (down ?y))
(<= (near ?x ?y ?x ?w) (below ?y ?w) (across ?x))
(<= (near ?x ?y ?x ?w) (below ?w ?y) (across ?x))
(<= (near ?x ?y ?z ?w) (right ?x ?z) (below ?w ?y))
(<= (near ?x ?y ?z ?w) (right ?z ?x) (below ?y ?w))
(<= terminal crossed) (<= terminal joined)
(<= (goal north 100) joined) (<= (goal north 0) (not joined))
(<= (goal west 100) crossed) (<= (goal west 0) (not crossed))
"""
"""Hex on 4x4 without what decides it."""
PAIRS = f"""{BOARD}
(<= (chain ?p ?x ?y ?x ?y) (true (on ?x ?y ?p)))
(<= (chain ?p ?x ?y ?u ?v) (true (on ?x ?y ?p)) (across ?u) (down ?v) (near ?x ?y ?z ?w) (chain ?p ?z ?w ?u ?v))
(<= joined (chain north ?x 1 ?u 4))
(<= crossed (chain west a ?y d ?v))
"""
"""All pairs of cells that are joined, in each state."""
NUMBERS = " ".join(f"(after {number} {number + 1})" for number in range(1, 17))
COMPONENTS = f"""{BOARD} {NUMBERS}
(init (time 1))
(<= (next (time ?n)) (true (time ?m)) (after ?m ?n))
(<= (next (whose ?k ?p)) (true (time ?k)) (true (turn ?p)))
(<= (next (whose ?k ?p)) (true (whose ?k ?p)))
(<= (next (part ?k ?x ?y)) (does ?p (put ?x ?y)) (true (time ?k)))
(<= (next (part ?k ?x ?y)) (moved ?e) (true (part ?e ?x ?y)) (true (time ?k)))
(<= (next (part ?k ?x ?y)) (true (part ?k ?x ?y)) (not (moved ?k)))
(<= (moved ?k) (does ?p (put ?x ?y)) (true (whose ?k ?p)) (true (part ?k ?z ?w)) (near ?x ?y ?z ?w))
(<= joined (true (part ?k ?x 1)) (true (part ?k ?u 4)) (true (whose ?k north)))
(<= crossed (true (part ?k a ?y)) (true (part ?k d ?v)) (true (whose ?k west)))
"""
"""Components carried from state to state, named by the number of a step."""
GRAPH = """
(role north) (role west) (init (turn north)) (init (time 1)) (other north west) (other west north)
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= (legal ?p (put ?c)) (true (turn ?p)) (cell ?c) (not (taken ?c)))
(<= (legal ?q wait) (true (turn ?p)) (other ?p ?q))
(<= (taken ?c) (true (on ?p ?c)))
(<= (next (on ?p ?c)) (does ?p (put ?c)))
(<= (next (on ?p ?c)) (true (on ?p ?c)))
(<= (next (time ?n)) (does ?p (put ?c)) (true (time ?m)) (after ?m ?n))
(<= (next (whose ?k ?p)) (does ?p (put ?c)) (true (time ?k)))
(<= (next (whose ?k ?p)) (true (whose ?k ?p)))
(<= (next (part ?k ?c)) (does ?p (put ?c)) (true (time ?k)))
(<= (next (part ?k ?d)) (does ?p (put ?c)) (moved ?e) (true (part ?e ?d)) (true (time ?k)))
(<= (next (part ?k ?c)) (true (part ?k ?c)) (not (moved ?k)))
(<= (moved ?k) (does ?p (put ?c)) (true (whose ?k ?p)) (true (part ?k ?d)) (near ?c ?d))
(<= (wins ?p) (begins ?p ?c) (true (part ?k ?c)) (ends ?p ?d) (true (part ?k ?d)) (true (whose ?k ?p)))
(<= terminal (wins ?p)) (<= (goal ?p 100) (wins ?p)) (<= (goal ?q 0) (wins ?p) (other ?p ?q))
"""
"""The same for both players in one rule, on a board of cells without coordinates."""
LINE = """
(role x) (role o) (init (turn x))
(<= (next (turn o)) (true (turn x)))
(<= (next (turn x)) (true (turn o)))
(<= (legal ?p (mark ?c ?r)) (true (turn ?p)) (index ?c) (index ?r) (not (taken ?c ?r)))
(<= (taken ?c ?r) (true (cell ?c ?r ?p)))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (cell ?c ?r ?p)) (does ?p (mark ?c ?r)))
(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))
(index 1) (index 2) (index 3) (succ 1 2) (succ 2 3)
(<= (line ?p) (true (cell ?a ?r ?p)) (succ ?a ?b) (true (cell ?b ?r ?p)) (succ ?b ?c) (true (cell ?c ?r ?p)))
(<= open (index ?c) (index ?r) (not (taken ?c ?r)))
(<= terminal (line ?p)) (<= terminal (not open))
(<= (goal ?p 100) (line ?p)) (<= (goal ?p 0) (role ?p) (not (line ?p)))
"""
TWO = LINE.replace("(does ?p (mark ?c ?r)))", "(does ?p (mark ?a ?r)) (beside ?a ?c))", 1)
TWO += "(beside 1 1) (beside 2 2) (beside 3 3) (beside 1 2)"
"""A move may add two facts: what is right for one is wrong here."""


def game(text):
    return flat_game(checked_sheet(text, "<text>"))


def difference(before, after, games=20):
    """The first difference in random games; the oracle is clingo, on both sheets as they are written."""
    with (
        StateMachine.from_sheet(before.sheet, "clingo") as old,
        StateMachine.from_sheet(after.written, "clingo") as new,
    ):
        pair, draw = SideBySide(old, new, apart=True), random.Random(7)
        return next(filter(None, (pair.play(draw) for _ in range(games))), None)


def instances(text):
    whole = game(text)
    return (whole, *filter(None, (smaller(whole, size) for size in (2, 3, 4))))


def hex_graph(size):
    """The board of GRAPH: a rhombus, by a rule of its own."""
    cells = [(x, y) for x in range(size) for y in range(size)]
    near = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
    facts = [f"(cell c{x}{y})" for x, y in cells]
    facts += [f"(near c{x}{y} c{x + i}{y + j})" for x, y in cells for i, j in near if (x + i, y + j) in cells]
    for place in range(size):
        facts += [f"(begins north c0{place})", f"(ends north c{size - 1}{place})"]
        facts += [f"(begins west c{place}0)", f"(ends west c{place}{size - 1})"]
    facts += [f"(after {number} {number + 1})" for number in range(1, size * size + 1)]
    return GRAPH + " ".join(facts)


def proved(before, after):
    return proved_same(before, after, time.monotonic() + 300)


def names(found):
    return {predicate.name for predicate in found.state}


def test_a_game_that_is_flattened_and_written_again_is_the_same_game():
    for text in (PAIRS, COMPONENTS, LINE):
        assert difference(game(text), game(text), games=3) is None


def test_a_small_instance_has_the_same_rules_and_fewer_cells():
    whole = game(COMPONENTS)
    small = smaller(whole, 2)
    assert {rule for rule in small.program.rules if rule.body} == {rule for rule in whole.program.rules if rule.body}
    with StateMachine.from_sheet(small.written, "clingo") as machine:
        assert len(machine.legal_moves(machine.initial_state, "north")) == 4
    assert smaller(whole, 4) is None


def test_a_board_without_coordinates_becomes_a_smaller_one_of_connected_regions():
    whole = game(hex_graph(4))
    small = smaller(whole, 2)
    rules = {str(rule) for rule in small.program.rules}
    assert {rule for rule in small.program.rules if rule.body} == {rule for rule in whole.program.rules if rule.body}
    assert {rule for rule in rules if rule.startswith("cell")} == {f"cell({c})." for c in ("c00", "c03", "c30", "c33")}
    near = {rule for rule in rules if rule.startswith("near(") and ":-" not in rule}
    assert len(near) == 10  # Hex on 2x2: all are neighbours but two opposite corners
    assert near == {f"near({right},{left})." for left, right in (rule[5:-2].split(",") for rule in near)}
    assert smaller(game(hex_graph(4)), 4) is None
    named = hex_graph(4) + "(<= (goal ?p 50) (role ?p) (true (on ?p c11)) (true (on ?p c22)))"
    assert {"cell(c11).", "cell(c22)."} < set(map(str, smaller(game(named), 2).program.rules))


def test_a_view_may_be_of_a_player_and_have_a_name_that_was_in_the_game():
    fused, *kept = [games for games, _ in fusions(instances(hex_graph(3)))]
    assert names(fused[0]) == {"true_turn", "true_on"}
    again = [games for games, _ in fusions(fused)]  # from "linked" to "linked_2"
    assert again
    assert all(difference(game(hex_graph(3)), games[0], games=2) is None for games in (fused, kept[0], again[0]))


def test_a_role_without_a_move_ends_a_sampled_game():
    moves = "(<= (legal north wait) (true (turn west)))"
    assert moves in PAIRS
    assert not list(fusions(instances(PAIRS.replace(moves, ""))))  # after one move nothing is joined


def test_what_would_be_too_large_to_ground_is_not_listed_and_proved_on_unknown_cells():
    whole = game(hex_graph(7))
    kept = [games[0] for games, words in keepings((whole,)) if words.startswith("may_put")]
    assert any(proved(whole, each) for each in kept)
    assert proved_same(whole, kept[0], time.monotonic()) is None


def test_lists_without_end_are_refused():
    lists = "(list nil) (<= (list (c ?x nil)) (index ?x)) (<= (list (c ?x (c ?y nil))) (index ?x) (index ?y))"
    with pytest.raises(EngineError):
        game(LINE + lists + "(<= (short ?t) (list (c ?x ?t)) (list ?t)) (<= (goal x 50) (short ?t) (short (c ?x ?t)))")


def test_cells_become_single_terms_and_moves_keep_theirs():
    ((paired, words),) = pairings(game(PAIRS))
    assert "true_on" in words
    assert {predicate.arity for predicate in paired.state if predicate.name == "true_on"} == {2}
    assert difference(game(PAIRS), paired, games=5) is None


@pytest.mark.parametrize("text", [PAIRS, COMPONENTS, LINE], ids=["pairs", "components", "line"])
def test_cells_are_other_names_and_no_game_with_a_rule_or_a_fact_more_or_less_is_the_same(text):
    origin = next(pairings(game(text)))[0].origin
    assert origin.is_same(origin.before, origin.renamed)
    rules = origin.renamed.program.rules
    one_less = [[each for each in rules if each != rule] for rule in rules if rule.conclusion.name != "goal"]
    other = [rule for rule in rules if rule.is_fact and rule.conclusion.predicate.arity > 1]
    turned = [[*rules, rule.with_body(()), Rule(Atom(rule.head.name, rule.head.arguments[::-1]))] for rule in other]
    wider = [
        [each if each != rule else rule.with_body(rule.body[:-1]) for each in rules] for rule in rules if rule.body
    ]
    for changed in (*one_less, *(each for each in turned if {*each} != {*rules}), *wider):
        program = replace(origin.renamed.program, rules=tuple(dict.fromkeys(changed)))
        wrong = replace(origin.renamed, flat=replace(origin.renamed.flat, program=program))
        assert not origin.is_same(origin.before, wrong)
    begun = replace(origin.renamed, initial=frozenset([*origin.renamed.initial][1:]))
    assert not origin.is_same(origin.before, begun)


@pytest.mark.takes_seconds
def test_components_of_cells_with_coordinates_are_a_flood_while_no_counter_ends_too_soon():
    for chain, is_same in ((NUMBERS, True), (NUMBERS.replace("(after 16 17)", ""), False)):
        text = COMPONENTS.replace(NUMBERS, chain)
        kept = next(games[0] for games, words in fusions(instances(text)) if "kept" in words)
        assert bool(proved(game(text), kept)) is is_same


@pytest.mark.takes_seconds(keep=1)
@pytest.mark.parametrize("text", [PAIRS, COMPONENTS], ids=["pairs", "components"])
def test_the_flood_is_found_and_what_it_does_not_need_is_dropped(text):
    found = [games[0] for games, _ in fusions(instances(text))]
    fused, kept = found[0], found[-1]
    steps = ("near_of_cells(C,X)", "near_of_cells(X,C)")  # a cell is near those that are near it
    recursions = {f"linked(C) :- linked(X), {step}, true_on(C,north)." for step in steps}
    assert recursions & set(map(str, fused.program.rules))
    assert names(fused) == {"true_turn", "true_on"}
    assert names(kept) == {"true_turn", "true_on", "true_kept_linked", "true_kept_linked_2"}
    assert not any(name.startswith(("chain", "moved")) for name in (head.name for head in kept.program.heads))
    assert all(difference(game(text), each, games=5) is None for each in found)


def test_a_line_is_kept_by_what_a_move_adds():
    proposals = {words: games[0] for games, words in reversed(list(keepings((game(LINE),))))}
    kept = proposals["line/1 is kept from state to state"]
    assert any(str(rule).startswith("new_kept_line(P) :- new_cell(B,R,P), ") for rule in kept.program.rules)
    assert difference(game(LINE), kept) is None
    free = proposals["may_mark/2 is kept from state to state"]
    assert len([atom for atom in free.initial if atom.name == "true_kept_may_mark"]) == 9
    assert difference(game(LINE), free) is None


@NEEDS_SWIPL
def test_a_wrong_proposal_is_found_out():
    found = [same_game([(game(TWO),), games], 30.0) for games, words in keepings((game(TWO),)) if "line" in words]
    assert any(same.given.difference is not None for same in found)
    assert any(same.shown for same in found)


def test_what_is_kept_is_proved_by_induction_on_moves_and_what_is_wrong_is_not():
    for text, proofs in ((LINE, {"line": 4, "may_mark": 1, "taken": 2, "open": 0}), (TWO, {"line": 2})):
        for view, count in proofs.items():
            found = [games[0] for games, words in keepings((game(text),)) if words.startswith(f"{view}/")]
            shown = [each for each in found if proved(game(text), each)]
            assert len(shown) == count
            assert all(difference(game(text), each) is None for each in shown)


@pytest.mark.takes_seconds
def test_pairs_and_floods_are_the_same_in_all_states_and_a_wrong_flood_is_not():
    small = instances(PAIRS)[2]
    found, *_ = [games[2] for games, _ in fusions(instances(PAIRS))]
    assert proved(small, found).facts
    rules = [rule for rule in found.program.rules if "near_of_cells" not in str(rule.body)]
    assert not proved(small, found.with_rules(rules))


@pytest.mark.takes_seconds
def test_a_kept_flood_is_the_same_game_as_components_and_what_forgets_is_not():
    given, (_, kept, *_) = instances(hex_graph(3)), [games for games, _ in fusions(instances(hex_graph(3)))]
    assert proved(given[0], kept[0])
    for part in ("next_kept_linked(X0,X1) :- true", "legal_wait"):
        rules = [rule for rule in kept[1].program.rules if not str(rule).startswith(part)]
        assert len(rules) < len(kept[1].program.rules)
        assert not proved(given[1], kept[1].with_rules(rules))


def test_no_game_with_a_rule_less_is_proved(monkeypatch):
    monkeypatch.setattr(inductive, "_LAST", inductive._LIMITS)
    (kept, *_) = [games[0] for games, words in keepings((game(LINE),)) if words.startswith("may_mark")]
    for rule in (rule for rule in kept.program.rules if rule.conclusion.predicate in kept.moving):
        wrong = kept.with_rules(each for each in kept.program.rules if each != rule)
        assert not proved(
            game(LINE), replace(wrong, initial=frozenset(a for a in kept.initial if a.predicate in wrong.state))
        )


def test_a_first_state_that_the_old_one_does_not_give_is_no_proof():
    (kept,) = [games[0] for games, words in keepings((game(LINE),)) if words.startswith("may_mark")]
    less = next(atom for atom in kept.initial if atom.name == "true_kept_may_mark")
    assert not proved(game(LINE), replace(kept, initial=kept.initial - {less}))


def test_games_that_call_two_relations_the_same_are_not_joined():
    (kept,) = [games[0] for games, words in keepings((game(LINE),)) if words.startswith("may_mark")]
    assert joined(game(LINE), kept)
    other = parse_rule("taken(X,Y) :- true_cell(X,Y,x).")
    assert joined(game(LINE), replace(kept, coupled=(*kept.coupled, other))) is None
    longer = [*kept.program.rules, parse_rule("index(4).")]
    assert joined(game(LINE), kept.with_rules(longer)) is None


def test_a_state_may_have_propositions_beside_a_chain():
    begun = "(init begun) (<= (next begun) (true begun)) (<= (legal ?p rest) (role ?p) (not (true begun)))"
    text = LINE + begun
    (kept,) = [games[0] for games, words in keepings((game(text),)) if words.startswith("may_mark")]
    assert proved(game(text), kept)


@NEEDS_SWIPL
def test_games_that_are_not_joined_are_proved_over_the_steps_between_them():
    (kept,) = [games[0] for games, words in keepings((game(LINE),)) if words.startswith("may_mark")]
    last = replace(kept, coupled=(*kept.coupled, parse_rule("taken(X,Y) :- true_cell(X,Y,x).")))
    forgets = kept.with_rules(rule for rule in kept.program.rules if not str(rule).startswith("next_kept_may_mark"))
    wrong = replace(forgets, initial=frozenset(atom for atom in kept.initial if atom.predicate in forgets.state))
    shown = [
        same_game([(each,) for each in path], 60.0)
        for path in ((game(LINE), last), (game(LINE), kept, last), (game(LINE), wrong, last))
    ]
    assert [same.proved is not None for same in shown] == [False, True, False]


@NEEDS_SWIPL
@pytest.mark.takes_seconds
@pytest.mark.parametrize(("text", "factor"), [(PAIRS, 4), (COMPONENTS, 1.3)], ids=["pairs", "components"])
def test_the_search_saves_a_prover_work_and_shows_the_same_game(text, factor):
    steps = list(search_steps(checked_sheet(text, "<text>")))
    assert steps[0].work.amount >= factor * steps[-1].work.amount
    same = same_game([step.games for step in steps], 60.0)
    assert same.shown
    assert same.boards or same.proved is not None
    assert difference(steps[0].games[0], steps[-1].games[0]) is None
