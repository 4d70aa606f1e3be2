"""The pass `project`: what it writes, what it leaves alone, and that answers stay."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from hexlogic.games import Hex, load_game
from hexlogic.games.rulesets import load_rule_set
from hexlogic.language import Atom, Integer, Program
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from tests.language.programs import input_facts, safe_programs

PROJECT = Pipeline.parse("project")
PATH = "path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z). "
CHANGED = [
    (
        "w(Y) :- start(X), path(X,Y). #show w/1. " + PATH,
        ["path(Y) :- edge(X,Y), start(X).", "path(Z) :- path(Y), edge(Y,Z).", "w(Y) :- path(Y)."],
    ),
    # nothing is asked of it
    (
        "w(Y) :- path(X,Y). #show w/1. " + PATH,
        ["path(Y) :- edge(X,Y).", "path(Z) :- path(Y), edge(Y,Z).", "w(Y) :- path(Y)."],
    ),
    # what is asked of it is asked through others, and not of those that are handed on
    (
        "w(P) :- p(P,X,Y), start(P,U), near(U,X), U < X, not bad(X), last(P,Y). #show w/1. "
        "p(P,X,X) :- edge(P,X). p(P,X,Z) :- p(P,X,U), edge(U,Z), edge(P,Z).",
        [
            "p(P,X) :- edge(P,X), start(P,U), near(U,X), U < X, not bad(X).",
            "p(P,Z) :- p(P,U), edge(U,Z), edge(P,Z).",
            "w(P) :- p(P,Y), last(P,Y).",
        ],
    ),
    # variables of the caller are kept apart from those of the beginning
    (
        "w(Y) :- start(X,U), path(X,Y). #show w/1. path(U,X) :- edge(X,U). path(X,Z) :- path(X,Y), edge(Y,Z).",
        ["path(X) :- edge(X,U), start(U,U_2).", "path(Z) :- path(Y), edge(Y,Z).", "w(Y) :- path(Y)."],
    ),
    # a fact begins it too
    (
        "w(Y) :- start(X), path(X,Y). #show w/1. path(1,2). path(X,Z) :- path(X,Y), edge(Y,Z).",
        ["path(2) :- start(1).", "path(Z) :- path(Y), edge(Y,Z).", "w(Y) :- path(Y)."],
    ),
]
ALONE = [
    "w(X,Y) :- start(X), path(X,Y). #show w/2. " + PATH,
    "w(Y) :- path(X,Y), X < Y. #show w/1. " + PATH,
    "w(X) :- path(X,X). #show w/1. " + PATH,
    "w(Y) :- start(X), near(X,U), near(U,Y), path(X,Y). #show w/1. " + PATH,
    "w(Y) :- path(X,Y). v(Y) :- path(X,Y), start(X). #show w/1. #show v/1. " + PATH,
    "w(Y) :- near(X,Y), not path(X,Y). #show w/1. " + PATH,
    "w(Y) :- start(X), path(X,Y). #show path/2. #show w/1. " + PATH,
    "#defined path/2. w(Y) :- start(X), path(X,Y). #show w/1. " + PATH,
    "w(Y) :- start(X), path(X,Y). #show w/1. :- path(X,X). " + PATH,
    "w(Y) :- start(X), path(X,Y). " + PATH,
    # the step looks at the argument, or calls twice
    "w(Y) :- path(X,Y). #show w/1. path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z), X != Z.",
    "w(Y) :- path(X,Y). #show w/1. path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), path(Y,Z).",
    # what is asked of it depends on it
    "w(Y) :- v(X), path(X,Y). v(X) :- start(X). v(Y) :- w(Y). #show w/1. " + PATH,
    # the beginning computes what would be asked about
    "w(Y) :- start(X), path(X,Y). #show w/1. path(X+1,X) :- start(X). path(X,Z) :- path(X,Y), edge(Y,Z).",
]


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_what_is_carried_goes(before: str, after: list[str]) -> None:
    assert sorted(str(rule) for rule in PROJECT.apply(parse(before)).rules) == sorted(after)


@pytest.mark.parametrize("text", ALONE)
def test_programs_that_stay_as_they_are(text: str) -> None:
    program = parse(text)
    assert PROJECT.apply(program) is program


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("text", [before for before, _ in CHANGED] + ALONE)
def test_answers_stay_on_random_facts(text: str) -> None:
    program = parse(text)
    after = PROJECT.apply(program)
    chance = random.Random(7)
    found = set()
    for _ in range(60):
        facts = [
            Atom(name, tuple(Integer(chance.randint(1, 3)) for _ in range(arity)))
            for name, arity in (
                ("edge", 2),
                ("start", 1),
                ("start", 2),
                ("near", 2),
                ("bad", 1),
                ("last", 2),
            )
            for _ in range(chance.randint(0, 9))
        ]
        answers = least_model(program, facts, only=program.queries)
        assert least_model(after, facts, only=program.queries) == answers
        found.add(answers)
    assert len(found) > 1 or not program.queries


@pytest.mark.takes_seconds
@settings(max_examples=120, deadline=None)
@given(safe_programs(), input_facts)
def test_projection_keeps_the_answers(program: Program, facts: tuple[Atom, ...]) -> None:
    after = PROJECT.apply(program)
    assert least_model(after, facts, only=program.queries) == least_model(program, facts, only=program.queries)


def test_clusters_become_a_flood() -> None:
    """Of a pair of stones in a cluster, the one on the first side is not needed any more."""
    program = PROJECT.apply(load_rule_set("clusters").instantiate(Hex.square(4)))
    flood = load_rule_set("follow-line-tabled").instantiate(Hex.square(4))
    assert (
        max(rule.head.predicate.arity for rule in program.rules if rule.head and rule.head.name == "same_cluster") == 2
    )
    size = [len(Pipeline.parse("ground").apply(one).rules) for one in (program, flood)]
    assert size[0] - size[1] == 1  # starts/2 has a rule of its own
    cube = load_rule_set("tic-tac-toe-3d/clusters").instantiate(load_game("tic-tac-toe-3d").of_size(3))
    assert PROJECT.apply(cube) is not cube
