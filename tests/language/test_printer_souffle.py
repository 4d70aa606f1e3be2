"""Souffle text: its clauses, its types, what it refuses, and that the rules it holds mean what they meant.

There is no `souffle` to be had from the package registries: the text is read back by `souffle_reader`, which checks
names and types, and clingo compares the least models.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex, Position
from hexlogic.games.rulesets import load_rule_set, position_facts, rule_set_names
from hexlogic.language import Atom, Function, Program, Rule, Term
from hexlogic.language.dialects import render, souffle
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from tests.language.engines.cases import CASES
from tests.language.souffle_reader import KEYWORDS, read

REFUSED = {"equivalence", "facts", "order of symbols", "visited lists"}


def clauses(text: str) -> list[str]:
    """The printed rules, without declarations, directives and comments."""
    return [line for line in render(parse(text), "souffle").splitlines() if not line.startswith((".", "//"))]


@pytest.mark.parametrize(
    ("rule", "clause"),
    [
        ("p(X) :- q(X,Y), not r(X).", "p(X) :- q(X,_), !r(X)."),
        ("p(Y) :- q(X), Y = X+1.", "p(Y) :- q(X), Y = X+1."),
        ("p(X+1) :- q(X), not q(X-1).", "p(N) :- q(X), N_2 = X-1, !q(N_2), N = X+1."),
        ("p(X) :- q(X), (X-1)\\9+1 = X/(-2).", "p(X) :- q(X), ((X-1)%9)+1 = X/(-2)."),
        ("p(X) :- q(X), X != red, a < b.", 'p(X) :- q(X), X != "red".'),
        ("p(X) :- q(X), X >= 2, X < 7.", "p(X) :- q(X), X >= 2, X < 7."),
        ("p(f(X,nil)) :- q(X).", 'p($f_2(X,"nil")) :- q(X).'),
        ("p :- q(X), not r.", "p() :- q(_), !r()."),
        ("count(X) :- min(X), r_a(X), a'(X).", "r_count(X) :- r_min(X), r_r_a(X), r_a_q(X)."),
        ("p(_Y) :- q(_Y,x').", 'p(V) :- q(V,"x\'").'),
    ],
)
def test_clauses(rule: str, clause: str) -> None:
    assert clauses(rule) == [clause]


def test_the_whole_text() -> None:
    program = parse(
        """#defined owns/2. #const n = 2. cell(1..n). first(red,1). reach(P,X) :- owns(P,X), first(P,X).
        far(X) :- cell(X), not reach(red,X). :- owns(P,X), not cell(X). #show reach/2. #show far/1."""
    )
    assert render(program, "souffle").splitlines() == [
        ".decl cell(x1:number)",
        ".decl far(x1:number)",
        ".decl first(x1:symbol, x2:number)",
        ".decl owns(x1:symbol, x2:number)",
        ".decl reach(x1:symbol, x2:number)",
        ".input owns",
        ".output reach",
        ".output far",
        "cell(1).",
        "cell(2).",
        'first("red",1).',
        "reach(P,X) :- owns(P,X), first(P,X).",
        'far(X) :- cell(X), !reach("red",X).',
        "// not run: :- owns(P,X), not cell(X).",
    ]


def test_compound_terms_are_data_types() -> None:
    text = render(
        parse("edge(1,2). p(v(X,nil)) :- edge(X,Y). q(v(Y,v(X,Z))) :- p(v(X,Z)), edge(X,Y). r(7,v(1,2))."), "souffle"
    )
    (types,) = [line for line in text.splitlines() if line.startswith(".type")]
    found = read(text)
    term = found.branches["v_2"][0]
    number = term.removeprefix("Term")
    assert types == (
        f".type {term} = v_2 {{x1:number, x2:{term}}} | Symbol{number} {{x:symbol}} | Number{number} {{x:number}}"
    )
    assert found.relations == {"edge": ["number", "number"], "p": [term], "q": [term], "r": ["number", term]}
    assert f"r(7,$v_2(1,$Number{number}(2)))." in text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("p(7). p(red).", "argument 1 of p/1 holds the integer 7 and the symbol red"),
        ("p(1). q(X) :- p(X). r(red). r(X) :- q(X).", "holds the integer 1 and the symbol red"),
        ("p(red). q(Y) :- p(X), Y = X+1.", "argument 1 of p/1 holds the result of arithmetic and the symbol red"),
        ("p(f(1)). p(f(red)).", "argument 1 of f/1 holds the integer 1 and the symbol red"),
        ("p(X) :- q(X), X < red.", "`X < red` orders the symbol red"),
        ("p(f(1)). q(X) :- p(X), X < f(2).", "the compound term f/1 is compared or computed with like an integer"),
        ("p(n(X)) :- p(X). p(zero).", "function terms grow under recursion in p/1"),
        ("p(-2147483648).", "the integer -2147483648 does not fit into Souffle's 32 bits"),
        ("p :- not q. q :- not p.", "own negation"),
        ("p(1). q :- p.", "is used as"),
        ("p(X) :- not q(X).", "unsafe"),
    ],
)
def test_refusals(text: str, reason: str) -> None:
    with pytest.raises(HexlogicError) as caught:
        render(parse(text), "souffle")
    assert reason in str(caught.value)


def renamed_term(term: Term) -> Term:
    if isinstance(term, Function):
        return Function(souffle.predicate_name(term.name), tuple(map(renamed_term, term.arguments)))
    return term


def renamed(atom: Atom) -> Atom:
    return Atom(souffle.predicate_name(atom.name), tuple(map(renamed_term, atom.arguments)))


def assert_same_model(program: Program, facts: list[Atom]) -> None:
    """The rules of the printed text, with the facts of the input files, have the model of the program."""
    found = read(render(program, "souffle"))
    assert found.inputs == [souffle.predicate_name(predicate.name) for predicate in program.inputs]
    assert found.outputs == [souffle.predicate_name(predicate.name) for predicate in program.queries]
    rules = tuple(rule for rule in program.rules if rule.head is not None)
    meant = least_model(program.with_rules((*rules, *map(Rule, facts))))
    back = found.program
    printed = least_model(back.with_rules((*back.rules, *(Rule(renamed(fact)) for fact in facts))))
    assert printed == frozenset(map(renamed, meant))


@pytest.mark.parametrize("name", CASES)
def test_the_small_programs_keep_their_model(name: str) -> None:
    case = CASES[name]
    if name in REFUSED:
        with pytest.raises(HexlogicError):
            render(case.program, "souffle")
        return
    for seed in range(6):
        pick = random.Random(seed)
        assert_same_model(case.program, pick.sample(case.fact_atoms, min(9, len(case.fact_atoms))))


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("pipeline", ["none", "ground,reorder,prune"])
@pytest.mark.parametrize("rule_set", [name for name in rule_set_names() if name != "follow-line"])
def test_the_rule_sets_keep_their_model(rule_set: str, pipeline: str) -> None:
    game = Hex(3, 3)
    program = Pipeline.parse(pipeline).apply(load_rule_set(rule_set).instantiate(game))
    for seed in range(3):
        cells = list(game.cells)
        random.Random(seed).shuffle(cells)
        assert_same_model(program, list(position_facts(Position(game, frozenset(cells[:4]), frozenset(cells[4:7])))))


def test_follow_line_is_refused() -> None:
    with pytest.raises(HexlogicError, match="function terms grow under recursion in line/3"):
        render(load_rule_set("follow-line").instantiate(Hex(2, 2)), "souffle")


@settings(deadline=None)
@given(
    st.lists(
        st.from_regex(r"_{0,2}[a-z][A-Za-z0-9_']{0,4}", fullmatch=True) | st.sampled_from(sorted(KEYWORDS)), unique=True
    )
)
def test_names_stay_apart_and_legal(names: list[str]) -> None:
    printed = [souffle.predicate_name(name) for name in names]
    assert len(set(printed)) == len(names)
    assert all(name.isidentifier() and name not in KEYWORDS for name in printed)
