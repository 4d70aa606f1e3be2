"""Proofs for all boards: they go through where they should, and only there."""

from __future__ import annotations

import dataclasses
import itertools
import random

import pytest

from hexlogic.errors import RuleSyntaxError
from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.language import Variable
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_rule
from hexlogic.language.passes import Pipeline
from hexlogic.language.walk import rule_terms, rule_variables, substitute
from hexlogic.proofs.all_boards import boards_of, joint_rules
from hexlogic.proofs.bounded import check_lemma
from hexlogic.proofs.bridges import load_bridges, read_bridge
from hexlogic.proofs.induction import Theory, closes
from hexlogic.proofs.uniform import prove_pass_for_all_boards, uniformly_contained
from tests.proofs.proving import prove_for_all_boards

BRIDGES = load_bridges()


def proof(left: str, right: str, **options):
    return prove_for_all_boards(load_rule_set(left), load_rule_set(right), **options)


@pytest.mark.takes_seconds(keep=9)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("follow-line-tabled", "clusters"),
        ("clusters", "follow-line-tabled"),
        ("clusters-labelled", "clusters"),
        ("follow-line-tabled", "clusters-labelled"),
    ],
)
def test_proved_for_all_boards(left, right):
    done = proof(left, right)
    assert done.proved, done
    assert str(done).endswith("proved for all boards of up to 46,340 columns and rows (hex)") or done.assumed
    assert all(step.ok for section in done.sections for step in section.steps)


def test_the_lemmas_are_named():
    done = proof("follow-line-tabled", "clusters-labelled")
    assert [section.statement.partition(":")[0] for section in done.lemmas] == ["symmetric", "least element"]
    assert not proof("follow-line-tabled", "clusters").lemmas


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("bridge", BRIDGES, ids=lambda bridge: f"{bridge.left}--{bridge.right}")
def test_every_shipped_bridge_holds(bridge):
    done = proof(bridge.left, bridge.right, bridges=[bridge])
    assert done.proved, done


def program_of(bridge):
    program = joint_rules(load_rule_set(bridge.left), load_rule_set(bridge.right), "hex").program
    program = dataclasses.replace(program, inputs=())
    means = [rule for statement in bridge.statements if statement.kind == "means" for rule in statement.rules]
    return program.with_rules((*program.rules, *means))


def small_boards():
    return ((board, rules) for board, rules in boards_of("hex") if board in (Hex(1, 2), Hex(2, 2), Hex(2, 3)))


def variants(claim):
    """The claim with one body literal less, with two variables made one, or with two exchanged."""
    for number in range(len(claim.body)):
        yield claim.with_body(claim.body[:number] + claim.body[number + 1 :])
    for one, other in itertools.permutations(sorted(rule_variables(claim), key=str), 2):
        yield dataclasses.replace(claim, head=substitute(claim, {one: other}).head)
        yield dataclasses.replace(claim, head=substitute(claim, {one: other, other: one}).head)


@pytest.mark.takes_seconds
@pytest.mark.parametrize("bridge", BRIDGES, ids=lambda bridge: f"{bridge.left}--{bridge.right}")
def test_nothing_false_is_proved(bridge):
    """Every variant of a claim that the induction accepts is checked by clingo on all positions of small boards."""
    program = program_of(bridge)
    theory = Theory(program)
    accepted = refused = 0
    for statement in bridge.statements:
        if statement.kind == "claim":
            for claim in {str(variant): variant for variant in variants(statement.rule) if variant.body}.values():
                if all(step.ok for step in theory.prove(claim)):
                    accepted += 1
                    if not rule_variables(claim) - variables_bound(claim):
                        holds, note = check_lemma(claim, program, small_boards())
                        assert holds, f"{claim} is proved, but {note}"
                else:
                    refused += 1
        if statement.kind != "means":
            theory.learn(statement.rule)
    assert accepted
    assert refused


def variables_bound(claim) -> frozenset[Variable]:
    return frozenset().union(*(rule_variables(parse_rule(f"x :- {item}.")) for item in claim.body))


@pytest.mark.parametrize(
    ("old", "new", "failing"),
    [
        # reach says more than it should: any cell of the cluster, first side or not
        (
            "same_cluster(P,X,Y), first(P,X).",
            "same_cluster(P,X,Y).",
            "the claim reach(P,Y) :- same_cluster(P,X,Y). fails",
        ),
        # the wrong side
        (
            "from_first(P,Y) :- first(P,X)",
            "from_first(P,Y) :- last(P,X)",
            "the claim from_first(P,Y) :- reach(P,Y). fails",
        ),
        # a needed claim is missing
        (
            "owns(P,X) :- same_cluster(P,X,Y).",
            "owns(P,X) :- reach(P,X).",
            "the conclusion wins_right(X0) :- wins_left(X0).",
        ),
    ],
)
def test_a_wrong_bridge_fails(old, new, failing):
    from hexlogic.process.files import rules_folder

    text = (rules_folder() / "bridges" / "follow-line-tabled--clusters.lp").read_text()
    assert old in text
    done = proof("follow-line-tabled", "clusters", bridges=[read_bridge(text.replace(old, new), "wrong.lp")])
    assert not done.proved
    assert failing in done.reason
    assert "for the rule " in done.reason


def test_a_wrong_lemma_is_found_on_a_small_board():
    header = "% left: follow-line-tabled\n% right: clusters\n% idea: none\n\n"
    text = f"{header}%% lemma east: all is east\nadjacent(X,X) :- cell(X).\n"
    done = proof("follow-line-tabled", "clusters", bridges=[read_bridge(text, "wrong.lp")])
    assert "the lemma east: adjacent(X,X) :- cell(X). fails" in done.reason
    assert "does not hold on 1x1 Hex" in done.sections[-1].steps[0].note


@pytest.mark.takes_seconds(keep=6)
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("follow-line-tabled", "reach(P,X), adjacent(X,Y), owns(P,Y)", "reach(P,X), adjacent(X,Y)"),
        ("follow-line-tabled", "reach(P,X), adjacent(X,Y), owns(P,Y)", "reach(P,X), adjacent(Y,X), owns(P,Y)"),
        ("clusters", "starts(P,X), last(P,Y)", "last(P,Y)"),
        ("clusters", "same_cluster(P,X,X) :- owns(P,X).", ""),
        ("clusters-labelled", "K < L", "L < K"),
        ("clusters-labelled", "owns(P,Y), Y < X", "owns(P,Y)"),
        ("clusters-labelled", "labelled(P,X,L), not outranked(P,L)", "labelled(P,X,L), outranked(P,L)"),
    ],
)
def test_a_broken_rule_fails(name, old, new):
    rules = load_rule_set(name)
    assert old in rules.text
    broken = dataclasses.replace(rules, text=rules.text.replace(old, new))
    other = load_rule_set("clusters" if name != "clusters" else "follow-line-tabled")
    done = prove_for_all_boards(broken, other)
    assert not done.proved
    assert "fails" in done.reason


def test_no_bridge_and_templates_are_said():
    assert "there is no bridge" in proof("clusters", "follow-line").reason
    assert "winning-sets is written anew for each size" in proof("clusters", "winning-sets").reason


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("pipeline", ["reorder", "prune", "ground,reorder,prune"])
@pytest.mark.parametrize(
    "name", [name for name in rule_set_names() if not load_rule_set(name).is_template and name != "follow-line"]
)
def test_what_passes_write_is_proved_for_all_boards(name, pipeline):
    done = prove_pass_for_all_boards(load_rule_set(name), Pipeline.parse(pipeline))
    assert done.proved, done


def test_what_clingo_cannot_run_is_not_proved():
    """Lists of visited cells have no end in clingo, so no board shows that the proof has no fault."""
    done = prove_pass_for_all_boards(load_rule_set("follow-line"), Pipeline.parse("prune"))
    assert not done.proved
    assert "clingo cannot run the texts as they are" in done.reason


@pytest.mark.parametrize(
    ("program", "within", "contained"),
    [
        ("p(X) :- q(X,Y), q(X,Z).", "p(X) :- q(X,Y).", True),
        ("p(X) :- q(X,Y).", "p(X) :- q(X,Y), q(Y,X).", False),
        (":- q(X), not r(X). p(X) :- q(X).", "p(X) :- q(X), r(X).", True),
        ("p(X) :- q(X).", "p(X) :- q(X), r(X).", False),
        ("p(X) :- q(X), not r(X).", "p(X) :- q(X).", True),
        ("p(X) :- q(X).", "p(X) :- q(X), not r(X).", False),
        ("p(X) :- q(X,Y), X < Y.", "p(A) :- q(A,B), B > A.", True),
        ("p(X) :- q(X,Y), X < Y.", "p(X) :- q(X,Y), Y < X.", False),
        ("t(X,Y) :- t(X,Z), t(Z,Y). t(X,Y) :- e(X,Y).", "t(X,Y) :- e(X,Y). t(X,Y) :- e(X,Z), t(Z,Y).", False),
        ("t(X,Y) :- e(X,Y). t(X,Y) :- e(X,Z), t(Z,Y).", "t(X,Y) :- t(X,Z), t(Z,Y). t(X,Y) :- e(X,Y).", True),
        ("p(Y) :- q(X), Y = X+1.", "p(Y) :- q(X), Y = X+1, q(X).", True),
        ("p(Y) :- q(X), Y = X+1.", "p(Y) :- q(X), Y = X+2.", False),
        ("n(s(X)) :- n(X). p(X) :- n(X), n(X).", "n(s(X)) :- n(X). p(X) :- n(X).", True),
        ("n(s(X)) :- n(X). p(X) :- n(s(s(X))).", "n(s(X)) :- n(X). p(X) :- n(X).", False),
        ("p(1..3).", "p(1..3).", True),
        ("p(1..3).", "p(1..2).", False),
    ],
)
def test_uniform_containment(program, within, contained):
    assert all(step.ok for step in uniformly_contained(parse(program), parse(within))) == contained


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("%% guess: something\np :- q.", "bridge.lp:5:1: not the head of a block"),
        ("%% lemma two: words\np :- q.\nq :- p.", "bridge.lp:5:1: a lemma block holds one rule with a body"),
        ("%% claim: a fact\np.", "bridge.lp:5:1: a claim block holds rules with a body"),
        ("%% claim: cut\np :- q", "bridge.lp:"),
    ],
)
def test_a_bridge_that_cannot_be_read(block, line):
    with pytest.raises(RuleSyntaxError) as caught:
        read_bridge(f"% left: a\n% right: b\n% idea: c\n\n{block}\n", "bridge.lp")
    assert str(caught.value).startswith(line)


@pytest.mark.takes_seconds
@pytest.mark.parametrize("bridge", BRIDGES, ids=lambda bridge: f"{bridge.left}--{bridge.right}")
def test_each_step_carries_all_that_its_proof_needs(bridge):
    """The obligation alone gives the verdict again; its facts, rules and hypotheses cannot be left out of all steps."""
    done = proof(bridge.left, bridge.right, bridges=[bridge])
    steps = [step for section in done.sections if section.kind in ("claim", "conclusion") for step in section.steps]
    obligations = [step.obligation for step in steps if step.obligation is not None]
    assert len(obligations) == len(steps)
    assert all(closes(obligation) for obligation in obligations)
    for part in ("facts", "axioms", "hypotheses"):
        assert not all(closes(dataclasses.replace(obligation, **{part: ()})) for obligation in obligations)
    for obligation in obligations:
        rules = (*obligation.axioms, *obligation.learned)
        assert not any("'" in str(rule) for rule in rules), "the rules of an obligation are those of the texts"
        inner = {part for rule in obligation.hypotheses for part in rule_terms(rule)}
        assert {part for part in inner if str(part).startswith("'")} <= {*obligation.constants}, "of the case, frozen"


@pytest.mark.parametrize(
    ("body", "possible"),
    [
        ("X < Y, Y < X", False),
        ("X < X", False),
        ("X < Y, X = Y", False),
        ("X < Y, Y = X", False),
        ("X < Y, Y <= X", False),
        ("X > Y, Z > X, Y >= Z", False),
        ("X = Y, Y != X", False),
        ("X <= Y, Y <= X, X != Y", False),
        ("X = Y, Y = Z, Z < X", False),
        ("X < 3, X > 5", False),
        ("X < 3, Y > 4, X = Y", False),
        ("X = 3, X = 4", False),
        ("3 < 2", False),
        ("X < Y, Z < Y, X < Z", True),
        ("X <= Y, Y <= X", True),
        ("X != Y, Y != Z, X != Z", True),
        ("X > 3, X < 5", True),
        ("X < red, X > 5", True),
        ("X > blue, X < red, Y < 3", True),
        ("2 < 3", True),
    ],
)
def test_comparisons_say_of_each_other_what_a_total_order_does(body, possible):
    """`wins` by a rule that cannot fire is no `wins`; what clingo can make true of mixed terms stays possible."""
    rule = f"w(X) :- v(X), v(Y), v(Z), {body}."
    theory = Theory(parse("p(X) :- q(X). v(X) :- q(X)."), complete=())
    steps = list(uniformly_contained(parse(f"q(X) :- p(X). {rule}"), parse("q(X) :- p(X).")))
    assert steps[-1].ok is not possible
    assert theory.implies(parse_rule(rule)) is not possible
    facts = "".join(f"v({term})." for term in ("0", "1", "4", "5", "6", "red", "blue", "f(1)", "f(red)", "cyan"))
    assert any(atom.name == "w" for atom in least_model(parse(facts + rule))) is possible


def test_order_on_random_bodies_of_mixed_terms():
    """Whatever clingo can make true of integers, names and compound terms is not called impossible."""
    rng = random.Random(7)
    facts = "".join(f"v({term})." for term in ("0", "3", "4", "red", "blue", "f(3)", "f(blue)"))
    refuted = 0
    for _ in range(150):
        sides = [rng.choice(["X", "Y", "Z", "3", "4", "X+1"]) for _ in range(8)]
        signs = [rng.choice(["<", "<=", ">", ">=", "=", "!="]) for _ in range(rng.randint(1, 4))]
        body = ", ".join(f"{sides[2 * n]} {sign} {sides[2 * n + 1]}" for n, sign in enumerate(signs))
        rule = f"w(X) :- v(X), v(Y), v(Z), {body}."
        if Theory(parse("p(X) :- q(X)."), complete=()).implies(parse_rule(rule)):
            refuted += 1
            assert not any(atom.name == "w" for atom in least_model(parse(facts + rule))), rule
    assert refuted > 30
