"""Claims that are proved at once, and claims about one name: what is proved of random blocks holds on all samples."""

from __future__ import annotations

import itertools
import random

import pytest

from hexlogic.games.rulesets import RuleSet, board_rules, load_rule_set
from hexlogic.language import Symbol
from hexlogic.language.parser import parse, parse_rule
from hexlogic.proofs.all_boards import joint_rules
from hexlogic.proofs.finding.facts import Claim, canonical
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import BoardWorld
from hexlogic.proofs.induction import Theory
from hexlogic.proofs.intervals import without_intervals

TAGGED = RuleSet.from_text(
    """at(P,X,s) :- owns(P,X), first(P,X).
    at(P,Y,s) :- at(P,X,s), adjacent(X,Y), owns(P,Y).
    at(P,X,e) :- at(P,X,s), last(P,X).
    wins(P) :- at(P,X,e).""",
    "tagged",
)
PAIRS = RuleSet.from_text(
    """j(P,X,X) :- owns(P,X).
    j(P,X,Z) :- j(P,X,Y), adjacent(Y,Z), owns(P,Z).
    j(P,Y,X) :- j(P,X,Y).
    via(P,X,Y) :- j(P,X,Y).
    wins(P) :- via(P,X,Y), first(P,X), last(P,Y).""",
    "pairs",
)


def theory_of(rules):
    """What the prover knows of a rule set beside `follow-line-tabled`, and the program of both."""
    board = board_rules("hex")
    sizes = frozenset(Symbol(name) for name, _ in board.constants)
    program = joint_rules(rules, load_rule_set("follow-line-tabled"), "hex").program
    return Theory(without_intervals(program, sizes), sizes=sizes), program


def proved(theory, *claims):
    """Whether all claims are proved at once."""
    rules = [parse_rule(claim) for claim in claims]
    return all(
        step.ok
        for rule in rules
        for step in theory.prove(rule, together=[other for other in rules if other is not rule])
    )


def test_both_ends_are_stones_only_together():
    theory, _ = theory_of(PAIRS)
    ends = "owns(P,X) :- j(P,X,Y).", "owns(P,Y) :- j(P,X,Y)."
    assert not proved(theory, ends[0])
    assert not proved(theory, ends[1])
    assert proved(theory, *ends)


def test_a_claim_that_fails_takes_the_others_with_it():
    theory, _ = theory_of(PAIRS)
    assert proved(theory, "owns(P,X) :- j(P,X,Y).", "owns(P,Y) :- j(P,X,Y).", "owns(P,X) :- via(P,X,Y).")
    # The first follows from the second on shorter derivations, and the second is false.
    assert not proved(theory, "first(P,X) :- via(P,X,Y).", "first(P,X) :- j(P,X,Y).")
    assert all(
        step.ok
        for step in theory.prove(
            parse_rule("first(P,X) :- via(P,X,Y)."), together=[parse_rule("first(P,X) :- j(P,X,Y).")]
        )
    )


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("last(P,X) :- at(P,X,e).", True),
        ("reach(P,X) :- at(P,X,s).", True),
        ("last(P,X) :- at(P,X,s).", False),
        ("at(P,X,s) :- at(P,X,e).", True),
        ("at(P,X,e) :- at(P,X,s).", False),
        ("last(P,X) :- at(P,X,T).", False),
        ("wins_right(P) :- at(P,X,e).", False),  # true, and it needs that what is at s is reached
        ("wins_right(P) :- at(P,X,nothing).", True),  # there is no such atom
        ("wins_right(P) :- at(P,X,1).", True),  # nor this one
        ("at(P,X,s) :- reach(P,X).", True),
    ],
)
def test_a_claim_about_one_name(claim, holds):
    theory, _ = theory_of(TAGGED)
    assert proved(theory, claim) is holds


@pytest.mark.parametrize("claim", ["owns(P,X) :- at(P,X,rows).", "owns(P,X) :- at(P,X,X)."])
def test_induction_is_on_variables_and_names_that_stand_for_themselves(claim):
    theory, _ = theory_of(TAGGED)
    (step,) = theory.prove(parse_rule(claim))
    assert not step.ok
    assert "different variables, names or numbers" in step.note


@pytest.mark.parametrize(
    ("rule", "holds"),
    [("p(1) :- q(X).", True), ("p(2) :- q(X).", True), ("p(s) :- q(X).", True), ("p(X+1) :- q(X).", False)],
)
def test_a_claim_about_one_number(rule, holds):
    theory = Theory(parse(f"{rule} #defined q/1. r :- q(X)."))
    assert all(step.ok for step in theory.prove(parse_rule("r :- p(1)."))) is holds


def random_claim(chance, samples, names):
    """A claim of one or two body atoms; a few arguments are names."""

    def atom(name):
        places = [
            chance.choice("XYZ") if samples.kind(name, place) == cells else "P"
            for place in range(samples.arities[name])
        ]
        if name == "at":
            places[2] = chance.choice(["s", "e", "T"])
        return (name, *places)

    cells = samples.kind("owns", 1)
    subject = chance.choice([name for name in names if name not in ("owns", "first", "last", "adjacent")])
    body = [atom(subject), *(atom(chance.choice(names)) for _ in range(chance.randint(0, 1)))]
    bound = {part for fact in body for part in fact[1:]}
    heads = [fact for fact in (atom(chance.choice(names)) for _ in range(30)) if set(fact[1:]) - {"s", "e"} <= bound]
    return canonical(Claim((heads[0],), tuple(body))) if heads else None


@pytest.mark.takes_seconds
@pytest.mark.parametrize(
    ("rules", "seed"),
    [*itertools.product([TAGGED, PAIRS], range(4))],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_what_is_proved_at_once_holds_on_all_samples(rules, seed):
    theory, program = theory_of(rules)
    samples = Samples(program, BoardWorld(), seed=seed)
    names = sorted(samples.arities.keys() - {"cell", "column", "row", "opponent", "wins_left", "wins_right"})
    chance, blocks = random.Random(seed), 0
    for _ in range(60):
        claims = [claim for _ in range(chance.randint(1, 3)) if (claim := random_claim(chance, samples, names))]
        if claims and proved(theory, *map(str, claims)):
            blocks += 1
            for claim in claims:
                assert samples.support(claim) or not samples.support(Claim((claim.body[0],), claim.body)), claim
    assert blocks
