"""What is written reads back, in KIF and in HRF, and means the same."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.errors import HexlogicError
from hexlogic.ggp import read_hrf, read_kif, read_sheet
from hexlogic.language import Atom, Comparison, Integer
from hexlogic.language.dialects import render
from hexlogic.language.dialects.gdl import (
    constant,
    constant_word,
    symbol_name,
    variable_name,
    variable_word,
    word_of,
)
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_atom
from hexlogic.language.passes import Pipeline
from tests.ggp.sheets import GAMES, IDS, load, random_game, syntax_sheets, words

READERS = {"gdl": read_kif, "hrf": read_hrf}


@given(words)
def test_every_word_has_an_identifier_of_its_own(word):
    name = symbol_name(word)
    assert word_of(name) == word
    assert parse_atom(f"{name}(1)") == Atom(name, (Integer(1),))
    assert constant_word(constant(word)) == word


@given(words, words)
def test_two_words_never_share_an_identifier(one, other):
    assert (symbol_name(one) == symbol_name(other)) == (one == other)


@given(st.from_regex(r"_{0,2}[A-Z][A-Za-z0-9_']{0,4}", fullmatch=True))
def test_every_variable_reads_back(name):
    assert variable_name(variable_word(name)[1:]) == name


@pytest.mark.parametrize("dialect", READERS)
@settings(max_examples=80, deadline=None)
@given(sheet=syntax_sheets())
def test_a_sheet_reads_back(dialect, sheet):
    text = render(sheet, dialect)
    again = READERS[dialect](text)
    # A variable that is equal to a term is replaced by it.
    if not any(isinstance(item, Comparison) and item.operator == "=" for rule in sheet.rules for item in rule.body):
        assert again == sheet
    assert render(again, dialect) == text


@settings(max_examples=50, deadline=None)
@given(syntax_sheets())
def test_a_sheet_is_text_of_the_rule_language(sheet):
    assert parse(str(sheet)) == sheet


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("path", GAMES, ids=IDS)
@pytest.mark.parametrize("dialect", READERS)
def test_the_games_read_back_and_play_the_same(path, dialect):
    sheet = read_sheet(path)
    text = render(sheet, dialect)
    again = READERS[dialect](text)
    # A variable that is equal to a term is replaced by it.
    if not any(isinstance(item, Comparison) and item.operator == "=" for rule in sheet.rules for item in rule.body):
        assert again == sheet
    assert render(again, dialect) == text
    assert random_game(again, 1) == random_game(sheet, 1)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("path", GAMES, ids=IDS)
def test_every_pass_applies_to_a_sheet(path):
    sheet = read_sheet(path)
    changed = read_kif(render(Pipeline.parse("ground,reorder:cost,prune").apply(sheet), "gdl"))
    assert changed.rules != sheet.rules
    assert random_game(changed, 2) == random_game(sheet, 2)


formulas = st.recursive(
    st.sampled_from(["(a ?x)", "(b ?y)", "(c ?x ?y)", "flag", "(flag)", "(distinct ?x ?y)", "(DISTINCT ?y 2)"]),
    lambda inner: st.one_of(
        inner.map(lambda text: f"(not {text})"),
        st.tuples(st.sampled_from(["and", "or", "OR"]), st.lists(inner, min_size=1, max_size=3)).map(
            lambda drawn: f"({drawn[0]} {' '.join(drawn[1])})"
        ),
    ),
    max_leaves=8,
)
DOMAIN = (1, 2, 3)
FACTS = {("a", 1), ("a", 3), ("b", 2), ("c", 1, 2), ("c", 3, 3), ("flag",)}


def holds(text: str, x: int, y: int) -> bool:
    """The value of a formula, without rules: its text as a Python expression."""
    value, rest = evaluate(text.lower().replace("(", " ( ").replace(")", " ) ").split(), x, y)
    assert not rest
    return value


def evaluate(tokens: list[str], x: int, y: int) -> tuple[bool, list[str]]:
    if tokens[0] != "(":
        return (tokens[0],) in FACTS, tokens[1:]
    name, rest = tokens[1], tokens[2:]
    if name in ("and", "or", "not"):
        parts = []
        while rest[0] != ")":
            value, rest = evaluate(rest, x, y)
            parts.append(value)
        return {"and": all(parts), "or": any(parts), "not": not parts[0]}[name], rest[1:]
    end = rest.index(")")
    values = [{"?x": x, "?y": y}[token] if token[0] == "?" else int(token) for token in rest[:end]]
    value = values[0] != values[1] if name == "distinct" else (name, *values) in FACTS
    return value, rest[end + 1 :]


@settings(max_examples=150, deadline=None)
@given(st.lists(formulas, min_size=1, max_size=4))
def test_formulas_mean_what_they_say(body):
    facts = " ".join(f"({' '.join(map(str, fact))})" for fact in sorted(FACTS, key=str))
    text = f"(d ?x) (d ?y) {' '.join(body)}"
    sheet = read_kif(f"{facts} (d 1) (d 2) (d 3) (<= (both ?x ?y) {text}) (<= (some ?x) {text})")
    pairs = {pair for pair in itertools.product(DOMAIN, DOMAIN) if all(holds(text, *pair) for text in body)}
    expected = {Atom("both", (Integer(x), Integer(y))) for x, y in pairs} | {
        Atom("some", (Integer(x),)) for x, _ in pairs
    }
    for version in (sheet, read_kif(render(sheet, "gdl")), read_hrf(render(sheet, "hrf"))):
        assert {atom for atom in least_model(version) if atom.name in ("both", "some")} == expected


def test_hrf_reads_the_formulas_that_it_does_not_write():
    kif = read_kif("(<= (p ?X) (q ?X) (or (r ?X) (and (s ?X) (not (or t (u ?X))))))")
    assert read_hrf("p(X) :- q(X) & (r(X) | s(X) & ~(t | u(X))).") == kif


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("p(X) :- q(X), X < 3.", "<text>:1:1: GDL has neither arithmetic nor an order, as in `p(X) :- q(X), X < 3.`"),
        ("q(1).\np(X+1) :- q(X).", "<text>:2:1: GDL has neither arithmetic nor an order"),
        ("or(1).", "<text>:1:1: or is a word of GDL and no predicate (rename it)"),
        ("p(w''5).", "<text>:1:1: the constant w''5 has no GDL spelling"),
        ("p(w''x).", "<text>:1:1: the name w''x has no GDL spelling"),
        ("p(X) :- q(X), f(X) = f(Y).", "<text>:1:1: GDL has no `f(X) = f(Y)` that gives a variable its value"),
    ],
)
@pytest.mark.parametrize("dialect", READERS)
def test_what_gdl_cannot_say_is_refused(program, line, dialect):
    with pytest.raises(HexlogicError) as caught:
        render(parse(program), dialect)
    assert str(caught.value).startswith(line)


def test_values_that_are_known_are_written():
    program = parse("#const n = 2. cell(1..n). p(Y) :- cell(X), Y = f(X), 1 < 2. :- p(X), not cell(X).")
    assert render(program, "gdl") == (
        "(cell 1)\n(cell 2)\n\n(<= (p (f ?x))\n    (cell ?x))\n; not run: :- p(X), not cell(X).\n"
    )


def test_nim_is_won_by_the_nim_sum():
    sheet = load("nim")
    values: dict[tuple[frozenset[Atom], str], bool] = {}

    def wins(state: frozenset[Atom]) -> bool:
        """Whether the player to move wins: no state of this game has two movers."""
        facts = [Atom("true", atom.arguments) for atom in state]
        model = least_model(sheet, facts)
        heaps = [term.arguments[1].value for atom in state for term in atom.arguments if term.name == "heap"]
        (mover,) = (term.arguments[0] for atom in state for term in atom.arguments if term.name == "control")
        if Atom("terminal") in model:
            assert Atom("goal", (mover, Integer(0))) in model
            return False
        key = state, str(mover)
        if key not in values:
            values[key] = False
            legal = [atom for atom in model if atom.name == "legal"]
            for move in [atom for atom in legal if atom.arguments[0] == mover]:
                (wait,) = (atom for atom in legal if atom.arguments[0] != mover)
                does = [Atom("does", atom.arguments) for atom in (move, wait)]
                after = least_model(sheet, [*facts, *does])
                values[key] |= not wins(frozenset(Atom("s", a.arguments) for a in after if a.name == "next"))
            assert values[key] == (heaps[0] ^ heaps[1] != 0)
        return values[key]

    assert wins(frozenset(Atom("s", atom.arguments) for atom in least_model(sheet) if atom.name == "init"))
    assert len(values) > 10
