"""Passes that rewrite one rule: chosen results, what they leave alone, and the same answers on random instances."""

from __future__ import annotations

import pytest

from hexlogic.language.ground.domains import sample_facts
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_rule
from hexlogic.language.passes import Pipeline
from hexlogic.language.passes.merge import canonical
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.semijoin import join_tree
from hexlogic.language.passes.split import PASS as SPLIT
from hexlogic.proofs.rewriting import rewriting_proof
from tests.readable import readable

GRAPH = "#defined e/2. n(1..7). :- e(X,Y), not n(X). :- e(X,Y), not n(Y). "
PROGRAMS = {
    "wide": GRAPH + "h(X) :- e(X,Y), e(Y,Z), e(Z,W), e(W,V), n(V). #show h/1.",
    "cycle": GRAPH + "h :- e(X,Y), e(Y,Z), e(Z,W), e(W,X), X < Z. #show h/0.",
    "negated": GRAPH + "l(X) :- e(X,X). h(X) :- e(X,Y), not l(Y), e(Y,Z), not l(Z), Z != X. #show h/1.",
    "three": GRAPH + "h(C) :- e(X,C), e(Y,C), e(Z,C), X != Y, Y != Z, X != Z. #show h/1.",
    "closure": GRAPH + "p(X,Y) :- e(X,Y), X < Y. p(X,Z) :- p(X,Y), p(Y,Z). #show p/2.",
    "copy": GRAPH + "u(X) :- p(X). p(X) :- e(X,1). p(Z) :- p(X), e(X,Z), u(Z). #show p/1.",
    "twice": GRAPH + "a(X,Y) :- e(X,Y), n(X). b(U,V) :- n(U), e(U,V). h(X) :- a(X,Y), b(Y,X). #show h/1.",
    "functional": GRAPH + ":- e(X,A), e(X,B), A != B. h(X,Y) :- e(X,A), e(X,B), e(A,Y), n(B). #show h/2.",
    "chain": GRAPH + "c(3,3). h(X,V) :- e(X,Y), e(Y,Z), e(Z,W), c(W,V). #show h/2.",
}
PIPELINES = [
    "split",
    "semijoin",
    "replace",
    "symmetric",
    "chase",
    "merge",
    "merge,chase,replace,symmetric,split,semijoin",
]


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_answers_stay(name, pipeline):
    program = parse(PROGRAMS[name])
    changed = Pipeline.parse(pipeline).apply(program)
    assert changed.queries == program.queries
    for seed in range(8):
        facts = sample_facts(program, seed)
        assert least_model(changed, facts, only=program.queries) == least_model(program, facts, only=program.queries)


@pytest.mark.parametrize(
    ("pipeline", "name", "rule"),
    [
        ("symmetric", "three", "h(C) :- e(X,C), e(Y,C), e(Z,C), X < Y, Y < Z."),
        ("replace", "closure", "p(X,Z) :- p(X,Y), e(Y,Z), Y < Z."),
        ("replace", "copy", "p(Z) :- p(X), e(X,Z), p(Z)."),
        ("chase", "functional", "h(X,Y) :- e(X,B), e(B,Y), n(B)."),
        ("merge", "twice", "h(X) :- a(X,Y), a(Y,X)."),
        ("split", "wide", "h(X) :- e(X,Y), e(Y,Z), e(Z,W), h_split(W)."),
    ],
)
def test_what_a_pass_makes(pipeline, name, rule):
    rules = readable("\n".join(map(str, Pipeline.parse(pipeline).apply(parse(PROGRAMS[name])).rules))).split("\n")
    head = rule.split(" ")[0]
    assert rule in rules, [found for found in rules if found.startswith(head)]


@pytest.mark.parametrize(
    ("pipeline", "text"),
    [
        ("symmetric", "h(X,Y) :- e(X,Y), e(Y,X), X != Y."),
        ("symmetric", "h :- e(X,Y), X != Y."),
        ("replace", "p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), p(Y,Z). e(X,Y) :- p(Y,X), n(X)."),
        ("replace", "p(X,Y) :- e(X,Y). p(X,Y) :- f(X,Y). p(X,Z) :- p(X,Y), p(Y,Z)."),
        ("replace", "#defined p/2. p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), p(Y,Z)."),
        ("chase", "#defined e/2. :- e(X,A), e(X,B), A != B, n(A,X). h(X) :- e(X,A), e(X,B), n(A,B)."),
        ("merge", "#show a/1. #show b/1. a(X) :- e(X,X). b(X) :- e(X,X)."),
        ("semijoin", "h(X) :- e(X,Y), e(Y,Z), e(Z,X)."),
        ("semijoin", "c(3,3). h(X,W) :- e(X+Y,1), e(Y,Z), e(Z,X), e(X,W), c(W,W)."),
        ("split", "h(X,Y,Z) :- e(X,Y), e(Y,Z)."),
    ],
)
def test_what_is_left_alone(pipeline, text):
    program = parse(text)
    assert Pipeline.parse(pipeline).apply(program) is program


def test_a_copied_literal_binds_what_a_moved_test_needs():
    rule = parse_rule("h(X) :- e(X,Y), f(Y,Z), not g(Z,W), e(W,X).")
    rules = SPLIT.rewrite(rule, RuleContext())
    assert rewriting_proof(rule, rules, RuleContext()) == "definitions"


@pytest.mark.parametrize(
    ("before", "after", "proof"),
    [
        ("p(X) :- q(X,Y).", "a(X) :- q(X,Y). p(X) :- a(X).", "definitions"),
        ("p(X) :- q(X,Y), q(X,Z).", "p(X) :- q(X,Z).", "definitions"),
        ("p(X) :- q(X,Y), r(Y).", "p(X) :- q(X,Y).", None),
        ("p(X) :- q(X,Y).", "p(X) :- q(X,Y), r(Y).", None),
        ("p(X) :- q(X,Y).", "a(X) :- q(X,Y), a(X). p(X) :- a(X).", None),
        ("p(X) :- q(X,Y).", "a(X) :- q(X,Y). a(X) :- q(Y,X). p(X) :- a(X).", None),
        ("p(X) :- q(X,Y), not r(Y).", "a(Y) :- r(Y). p(X) :- q(X,Y), not a(Y).", None),
        ("p :- q(X,Z), q(Y,Z), X != Y.", "p :- q(X,Z), q(Y,Z), X < Y.", "order"),
        ("p :- q(X,Z), q(Y,Z), r(X), X != Y.", "p :- q(X,Z), q(Y,Z), r(X), X < Y.", None),
        ("p(X) :- q(X,Z), q(Y,Z), X != Y.", "p(X) :- q(X,Z), q(Y,Z), X < Y.", None),
        ("p :- q(X), q(Y), q(Z), X != Y, Y != Z.", "p :- q(X), q(Y), q(Z), X < Y, Y < Z.", None),
        ("p(X) :- q(X).", "p(Y) :- q(Y).", None),
        ("p :- q(X+Y), r(X,Y).", "a(X,Y) :- q(X+Y). p :- a(X,Y), r(X,Y).", None),
    ],
)
def test_what_is_proved(before, after, proof):
    assert rewriting_proof(parse_rule(before), parse(after).rules, RuleContext()) == proof


def test_equal_rules_and_join_trees():
    assert canonical(parse_rule("p(X) :- q(X,Y), r(Y).")) == canonical(parse_rule("p(A) :- r(B), q(A,B)."))
    assert canonical(parse_rule("p(X) :- q(X,Y), r(Y).")) != canonical(parse_rule("p(X) :- q(Y,X), r(Y)."))
    assert join_tree(parse_rule("p :- a(X), b(Y).").body) is None
