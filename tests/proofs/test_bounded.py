"""Bounded proofs: equal rule sets are proved equal, broken ones are refuted on the smallest board."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from hexlogic import prove_equivalent
from hexlogic.errors import HexlogicError, SizeError
from hexlogic.games import Hex, Position, has_won
from hexlogic.games.rulesets import load_rule_set, position_facts, rule_set_names, win_query
from hexlogic.language import Literal, Program
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.ground.program import ground_text
from hexlogic.language.ground.solving import holds
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from hexlogic.proofs import Proof, Refutation, Unfinished
from hexlogic.proofs.bounded import ONE_WINNER, prove_theorem
from hexlogic.proofs.deciding import AtomPair, decide
from hexlogic.proofs.joint import joint_program

PIPELINES = ("ground", "reorder", "prune", "ground,reorder,prune")
TEXTS = {name: load_rule_set(name).instantiate(Hex.square(3)) for name in rule_set_names()}
GROUNDABLE = [name for name, program in TEXTS.items() if not growing_predicates(program)]


def rules(name: str):
    return load_rule_set(name)


def without_literal(program: Program, head: str, dropped: str) -> Program:
    """The program with one needed literal dropped from one rule: what a broken pass would do."""
    for rule in program.rules:
        body = tuple(item for item in rule.body if not (isinstance(item, Literal) and item.atom.name == dropped))
        if rule.head is not None and rule.head.name == head and len(body) < len(rule.body):
            return program.with_rules(tuple(rule.with_body(body) if one is rule else one for one in program.rules))
    raise AssertionError(f"no {dropped} in a rule for {head}")


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", [name for name in GROUNDABLE if rules(name).complete])
def test_complete_rule_sets_equal_the_reference(name):
    outcome = prove_equivalent(rules(Hex.reference), rules(name), Hex.square(3))
    assert isinstance(outcome, Proof), outcome
    assert outcome.proved
    assert [(finding.player, finding.positions, finding.reads) for finding in outcome.findings] == [
        ("red", 512, ("red",)),
        ("blue", 512, ("blue",)),
    ]


def test_boards_need_not_be_square():
    outcome = prove_equivalent(rules("clusters"), rules("maker-breaker"), Hex(2, 4))
    assert isinstance(outcome, Proof)
    assert [finding.method for finding in outcome.findings] == ["clingo", "clingo"]


@pytest.mark.parametrize("size", [3, 4])
def test_power_set_misses_a_smallest_board(size):
    outcome = prove_equivalent(rules("clusters"), rules("power-set"), Hex.square(size))
    assert isinstance(outcome, Refutation)
    assert (outcome.left_says, outcome.right_says, outcome.truth, outcome.smallest) == (True, False, True, True)
    assert len(outcome.position.red) == size + 1
    assert has_won(outcome.position, outcome.player)


def test_the_smallest_counter_example_is_the_smallest():
    """Counted without clingo's optimisation: no set of fewer stones is missed on 3x3."""
    board = Hex.square(3)
    program = rules("power-set").instantiate(board)
    for size in range(4):
        for stones in itertools.combinations(board.cells, size):
            position = Position(board, red=frozenset(stones))
            assert holds(program, win_query("red"), position_facts(position)) == has_won(position, "red")


@pytest.mark.takes_seconds(keep=12)
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", GROUNDABLE)
def test_passes_keep_the_answers(name, pipeline):
    passed = prove_equivalent(rules(name), rules(name), Hex.square(3), pipeline=Pipeline.parse(pipeline))
    assert isinstance(passed, Proof), passed
    assert passed.proved


@pytest.mark.slow
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", GROUNDABLE)
def test_passes_keep_the_answers_at_size_4(name, pipeline):
    passed = prove_equivalent(rules(name), rules(name), Hex.square(4), pipeline=Pipeline.parse(pipeline))
    assert isinstance(passed, Proof), passed


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("name", "head", "dropped"),
    [
        ("follow-line-tabled", "reach", "adjacent"),
        ("clusters", "starts", "first"),
        ("clusters-labelled", "cluster", "outranked"),
        ("maker-breaker", "can_connect", "last"),
        ("power-set", "wins", "adjacent"),
    ],
)
def test_a_broken_pass_is_refuted(name, head, dropped):
    board = Hex.square(3)
    whole = rules(name).instantiate(board)
    broken = without_literal(whole, head, dropped)
    outcome = prove_equivalent(whole, broken, board)
    if name == "clusters-labelled":
        # A cluster that has several names instead of one still joins the same stones: nothing is lost.
        assert isinstance(outcome, Proof)
        return
    assert isinstance(outcome, Refutation), outcome
    facts, query = position_facts(outcome.position), win_query(outcome.player)
    assert holds(whole, query, facts) == outcome.left_says
    assert holds(broken, query, facts) == outcome.right_says != outcome.left_says


def test_rules_that_read_both_colours_are_compared_on_all_positions():
    """Blanks are what neither owns: here all 3^4 positions matter, and no more than those."""
    board = Hex.square(2)
    other = rules("maker-breaker").instantiate(board)
    text = """
    free(X) :- cell(X), not owns(red,X), not owns(blue,X).
    open(Q,X) :- owns(Q,X), opponent(Q,P).
    open(Q,X) :- free(X), opponent(Q,P).
    """
    kept = tuple(rule for rule in other.rules if rule.head is None or rule.head.name != "open")
    both = other.with_rules(kept + parse(text).rules)
    outcome = prove_equivalent(other, both, board)
    assert isinstance(outcome, Proof), outcome
    assert [(finding.positions, finding.reads) for finding in outcome.findings] == [(81, ("red", "blue"))] * 2


def test_what_a_question_does_not_depend_on_is_left_out():
    def part_of(text):
        program = ground_text(text)
        return program.slice([program.number[parse("a.").rules[0].head]])

    part = part_of("{p(1..2)}. {q}. a :- p(1), not q. b :- p(2). c :- b.  :- p(1), p(2).")
    assert sorted(map(str, part.atoms[: part.inputs])) == ["p(1)", "q"]
    # `:- p(1), p(2)` holds when p(2) stays away; a constraint inside the slice stays.
    assert not part.constraints
    assert "c" not in map(str, part.atoms)
    inside = part_of("{p(1..2)}. a :- p(1). a :- p(2). :- p(1), p(2).")
    assert len(inside.constraints) == 1


def test_constraints_that_tie_the_inputs_are_counted():
    text = "{p(1..2)}. {q(1..2)}. :- p(X), q(X). a :- p(X), q(Y). b :- q(Y), p(X)."
    (ruling,) = decide(text, [AtomPair("both", "a", "b")])
    assert (ruling.verdict, ruling.positions) == ("equal", 9)


@pytest.mark.parametrize(("left", "right", "verdict"), [("1", "1", "equal"), ("1", "2", "different")])
def test_facts_and_impossible_atoms_are_answers_too(left, right, verdict):
    joint = joint_program(parse(f"p(1). wins(X) :- p(X), X = {left}."), parse(f"p(1). wins(X) :- p(X), X = {right}."))
    query = parse("wins(1).").rules[0].head
    (ruling,) = decide(str(joint.program), [AtomPair("1", *map(str, joint.question(query)))])
    assert (ruling.verdict, ruling.model) == (verdict, ())


def test_programs_of_different_boards_cannot_stand_side_by_side():
    one, other = (rules("clusters").instantiate(Hex.square(size)) for size in (2, 3))
    with pytest.raises(HexlogicError, match=r"hex.lp:32:1: the constraint .* does not say the same in both programs"):
        joint_program(one, other)


@pytest.mark.parametrize("board", [Hex.square(4), Hex(2, 3)], ids=str)
def test_hex_theorem(board):
    outcome = prove_theorem(ONE_WINNER, rules(Hex.reference), board)
    assert isinstance(outcome, Proof)
    assert outcome.findings[0].positions == 2 ** len(board.cells)


def test_hex_theorem_fails_for_rules_that_miss_wins():
    outcome = prove_theorem(ONE_WINNER, rules("power-set"), Hex.square(3))
    assert isinstance(outcome, Refutation)
    assert not outcome.position.empty
    assert "neither player has won" in str(outcome)


def test_a_proof_out_of_time_says_how_far_it_got():
    outcome = prove_equivalent(rules(Hex.reference), rules("clusters-labelled"), Hex.square(7), time_s=1.5)
    assert isinstance(outcome, Unfinished)
    assert "stopped after 1.5 s" in str(outcome)
    assert outcome.progress


def test_out_of_time_while_grounding_ends_as_well():
    """Four million instances take gringo seconds, and it cannot be interrupted."""
    board = Hex.square(10)
    big = "wins(P) :- owns(P,A), owns(P,B), owns(P,C), A < B, B < C, owns(P,D), C < D.\n#defined owns/2.\n"
    program = dataclasses.replace(parse(big), constants=())
    outcome = prove_equivalent(
        program, program.with_rules((*program.rules, *parse("x :- wins(red).").rules)), board, time_s=1
    )
    assert isinstance(outcome, Unfinished)
    assert outcome.progress == ("still grounding",)


def test_a_board_too_large_for_a_rule_set():
    with pytest.raises(SizeError):
        prove_equivalent(rules(Hex.reference), rules("winning-sets"), Hex.square(7))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size"), [("clusters", 5), ("clusters", 6), ("maker-breaker", 6), ("winning-sets", 6)]
)
def test_large_boards(name, size):
    assert isinstance(prove_equivalent(rules(Hex.reference), rules(name), Hex.square(size), time_s=300), Proof)


@pytest.mark.parametrize("mistake", [None, "wins(red) :- owns(red,1), owns(red,6), owns(red,11), owns(red,16)."])
def test_a_question_solved_in_parts_has_the_same_answer(monkeypatch, mistake):
    """Every search is cut short at once, so that all is done in parts; they are told in order, and cover all."""
    monkeypatch.setattr("hexlogic.proofs.deciding._SOON_S", 0.0)
    one, other = (rules(name).instantiate(Hex.square(4)) for name in ("follow-line-tabled", "clusters"))
    joint = joint_program(one + parse(mistake or ""), other)
    text = f"{joint.program}{{owns(red,1..16)}}."
    questions = [AtomPair("red", *map(str, joint.question(win_query("red"))))]
    told: list[str] = []
    (whole,) = decide(text, questions)
    (parted,) = decide(text, questions, parts=4096, report=told.append)
    assert (parted.verdict, parted.smallest, len(parted.model)) == (whole.verdict, whole.smallest, len(whole.model))
    assert parted.verdict == ("equal" if mistake is None else "different")
    done = [int(words.split()[1].replace(",", "")) for words in told if words.endswith(" of 65,536 positions")]
    assert done == [65_536 * part // 4 for part in range(len(done))]
    assert mistake is not None or len(done) == 4
