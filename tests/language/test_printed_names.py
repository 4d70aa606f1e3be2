"""Names of the rule language never become the same name in a dialect, nor one that the dialect's text makes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.language import Predicate
from hexlogic.language.dialects import epilog, prolog, pydatalog, souffle
from hexlogic.language.dialects.gdl import word_of
from hexlogic.language.engines import load_engine
from hexlogic.language.names import closed_names, fresh_names, is_reserved, reserved_name
from hexlogic.language.parser import parse, parse_atom
from hexlogic.language.passes import Pipeline
from hexlogic.language.walk import predicates

PRINTED = {
    "prolog": prolog.predicate_name,
    "pydatalog": pydatalog.predicate_name,
    "souffle": souffle.predicate_name,
    "epilog": lambda name: epilog.predicate_name(Predicate(name, 1)),
}
PIECES = ["_", "'", "p_", "r_", "user_", "u", "q", "_q", "a", "print", "count", "s_", "f_1", "A", "hexlogic_", "__"]
NAME = re.compile(r"_*[a-z][\w']*")
NAMES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join).filter(NAME.fullmatch)
PROGRAM = """n(1..3). e(1,2). e(2,3). e(3,1). t(X,Z) :- e(X,Y), e(Y,Z), X != Z. s(X) :- e(X,Y), not t(X,Y).
f(X) :- e(X,Y), Z = Y+1, n(Z). #show t/2. #show s/1. #show f/1."""
QUESTIONS = [f"t({x},{y})" for x in (1, 2, 3) for y in (1, 2, 3)] + [f"{p}({x})" for p in "sf" for x in (1, 2, 3)]
WORDS = ["term", "int", "nil", "not_", "range", "user_t", "p_t", "r_t", "result", "enumerate", "known", "i64", "rule"]
VARIABLES = ["Int", "Sym", "Nil", "Cons", "Term", "Terms", "Compound", "Class", "V", "T_2", "None", "True", "X'", "_X"]


@pytest.mark.parametrize("dialect", PRINTED)
@given(NAMES, NAMES)
def test_two_names_stay_two(dialect: str, one: str, other: str) -> None:
    assert (PRINTED[dialect](one) == PRINTED[dialect](other)) == (one == other)


@pytest.mark.parametrize("engine", ["clingo", "compiled", "egglog", "swipl", "pydatalog"])
def test_a_text_may_use_the_words_of_every_dialect(engine: str) -> None:
    """A variable `Int` once met the constructor of that name in egglog."""
    adapter = load_engine(engine)
    if missing := adapter.missing():
        pytest.skip(missing)

    def answers(text: str, questions: list[str]) -> list[bool]:
        with adapter.open(parse(text)) as session:
            return [session.ask([], parse_atom(question)).holds for question in questions]

    expected = answers(PROGRAM, QUESTIONS)
    assert 0 < sum(expected) < len(expected)
    for word in WORDS:
        questions = [re.sub(r"^t\(", f"{word}(", question) for question in QUESTIONS]
        assert answers(re.sub(r"\bt(?=[(/])", word, PROGRAM), questions) == expected, word
    for word in VARIABLES:
        assert answers(re.sub(r"\bY\b", word, PROGRAM), QUESTIONS) == expected, word


@pytest.mark.parametrize("pipeline", ["stage", "magic", "magic:supplementary", "ground,reorder:cost,prune,magic,stage"])
@pytest.mark.parametrize("name", rule_set_names("hex"))
def test_passes_make_reserved_names(name: str, pipeline: str) -> None:
    program = load_rule_set(name).instantiate(Hex(3, 3))
    new = Pipeline.parse(pipeline).apply(program)
    known = {predicate.name for predicate in predicates(program)}
    made = {predicate.name for predicate in predicates(new)} - known
    assert all(map(is_reserved, made)), made
    assert parse(str(new)) == new
    sheet = closed_names(new)
    words = {predicate.name for predicate in predicates(sheet)} - known
    assert len(words) == len(made)
    assert all(word_of(word) == word and word[0].isalpha() for word in words)


@given(NAMES, st.text(max_size=5), st.sets(NAMES, max_size=3))
def test_a_reserved_name_is_reserved_and_new(base: str, definition: str, used: set[str]) -> None:
    name = reserved_name(base, definition, used)
    assert is_reserved(name)
    assert is_reserved(f"-{name}")
    assert name == reserved_name(base, definition, used)
    assert reserved_name(base, definition, {name}) != name
    assert parse(f"{name}(X) :- p(X).").rules[0].head is not None
    assert next(iter(fresh_names(name, {name}))) != name
