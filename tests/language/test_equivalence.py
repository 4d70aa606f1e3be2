"""Declared equivalences: read and printed, checked, and the same to a reader who knows nothing of them."""

from __future__ import annotations

import pytest

from hexlogic.errors import ArityError, RuleSyntaxError
from hexlogic.language import Predicate
from hexlogic.language.analysis.checks import (
    closed_by_rules,
    closing_rules,
    is_closing,
    needs_union_find,
    parse_checked,
)
from hexlogic.language.engines import engine_names, load_engine
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_rule
from hexlogic.language.passes import Pipeline

CLOSING = "same(P,Y,X) :- same(P,X,Y). same(P,X,Z) :- same(P,X,Y), same(P,Y,Z)."
TEXT = f"%! equivalence same/3.\n#defined e/3. same(P,X,Y) :- e(P,X,Y). {CLOSING}"


def test_the_declaration_is_read_and_printed() -> None:
    program = parse(TEXT)
    assert program.equivalences == (Predicate("same", 3),)
    assert "%! equivalence same/3.\n" in str(program)
    assert parse(str(program)) == program
    assert (program + program).equivalences == program.equivalences
    assert needs_union_find(parse(CLOSING)) is None


@pytest.mark.parametrize(
    "comment", ["% equivalence same/3.", "%!equivalences", "%! same/3", "% %! equivalence same/3."]
)
def test_other_comments_stay_comments(comment: str) -> None:
    assert parse(f"{comment}\np(1).").equivalences == ()


@pytest.mark.parametrize(
    ("rule", "closing"),
    [
        ("s(Y,X) :- s(X,Y).", True),
        ("s(A,B) :- s(B,A).", True),
        ("s(X,Z) :- s(X,Y), s(Y,Z).", True),
        ("s(A,C) :- s(B,C), s(A,B).", True),
        ("s(P,A,C) :- s(P,B,C), s(P,A,B).", True),
        ("s(X,Y) :- s(X,Y).", False),
        ("s(X,X) :- s(X,Y).", False),
        ("s(P,Y,X) :- s(Q,X,Y).", False),
        ("s(P,X,Z) :- s(P,X,Y), s(Q,Y,Z).", False),
        ("s(X,Z) :- s(X,Y), s(Z,Y).", False),
        ("s(Y,X) :- s(X,Y), X != Y.", False),
        ("s(Y,X) :- not s(X,Y).", False),
        ("s(1,X) :- s(X,1).", False),
        ("s(Y,X) :- t(X,Y).", False),
        ("s(1,2).", False),
    ],
)
def test_closing_rules_are_known_by_their_shape(rule: str, closing: bool) -> None:
    assert is_closing(parse_rule(rule)) == closing


def test_both_rules_must_be_there() -> None:
    same = Predicate("same", 3)
    symmetric, transitive = closing_rules(same)
    assert closed_by_rules(parse(f"{symmetric} {transitive}"), same)
    turned = transitive.with_body(transitive.body[::-1])
    assert not closed_by_rules(parse(f"{turned} {transitive}"), same)
    assert not closed_by_rules(parse(f"{symmetric}"), same)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%! equivalence s/2.\ns(X,Y) :- e(X,Y).\ns(Y,X) :- s(X,Y).", "x.lp:2:1: the equivalence s/2 is not closed by"),
        ("%! equivalence s/2.\np(1).", "the equivalence s/2 is not closed by its rules (add s(Y,X) :- s(X,Y). s(X,Z)"),
        ("%! equivalence s/1.\ns(1).", "the equivalence s/1 has nothing to relate"),
    ],
)
def test_a_declaration_that_the_rules_do_not_bear_out(text: str, message: str) -> None:
    with pytest.raises(RuleSyntaxError) as caught:
        parse_checked(text, "x.lp")
    assert message in str(caught.value)


def test_a_declaration_has_the_arity_of_the_rules() -> None:
    with pytest.raises(ArityError):
        parse(f"%! equivalence same/2.\n{CLOSING}")


def test_clingo_reads_the_text_as_it_is() -> None:
    import clingo

    control = clingo.Control(["--warn=none"])
    control.add("base", [], f"{TEXT} e(1,2,3). e(1,4,3).")
    control.ground([("base", [])])
    found = {str(entry.symbol) for entry in control.symbolic_atoms if entry.symbol.name == "same"}
    assert found == {f"same(1,{x},{y})" for x in (2, 3, 4) for y in (2, 3, 4)}


def test_only_union_find_takes_it() -> None:
    program = parse_checked(TEXT)
    for name in engine_names():
        reason = load_engine(name).supports(program)
        if name == "egglog":
            assert reason is None
        else:
            assert reason
        if name in ("clingo", "pydatalog", "swipl"):
            assert reason == "it needs union-find: same/3 is declared an equivalence, for the engine to merge"


@pytest.mark.parametrize(
    "pipeline", ["ground", "reorder:naive", "reorder:cost", "prune", "project", "unfold", "magic", "stage"]
)
def test_passes_keep_the_declaration_and_its_rules(pipeline: str) -> None:
    text = TEXT + " w(Y) :- s(X), same(1,X,Y), t(Y). #show w/1. #defined s/1. #defined t/1."
    before = parse_checked(text)
    after = Pipeline.parse(pipeline).apply(before)
    assert after.equivalences == before.equivalences
    assert closed_by_rules(after, Predicate("same", 3))
    facts = parse("e(1,2,3). e(1,4,3). e(2,4,5). s(2). s(5). t(4). t(5).").rules
    atoms = [rule.head for rule in facts if rule.head is not None]
    assert least_model(after, atoms, only=after.queries) == least_model(before, atoms, only=before.queries)


def test_magic_would_narrow_the_relation_without_the_declaration() -> None:
    text = TEXT.partition("\n")[2] + " w(Y) :- s(X), same(1,X,Y). #show w/1."
    after = Pipeline.parse("magic").apply(parse(text))
    assert not closed_by_rules(after, Predicate("same", 3))


def test_egglog_runs_closing_rules_that_a_pass_has_rewritten() -> None:
    """What no longer looks like an equivalence is run as the rules it is: slower, and right."""
    text = TEXT.replace("same(P,Y,X) :- same(P,X,Y).", "same(P,Y,X) :- same(P,X,Y), same(P,X,Y).")
    program, whole = parse(text), parse(TEXT)
    facts = [rule.head for rule in parse("e(1,2,3). e(1,4,3). e(2,2,9).").rules if rule.head is not None]
    query = parse("same(1,2,4).").rules[0].head
    assert query is not None
    rows = []
    for each in (program, whole):
        with load_engine("egglog").open(each) as session:
            answer = session.ask(facts, query)
        assert answer.holds
        rows.append(answer.counters["derived_facts"])
    assert rows == [9 + 4, 3 + 2]  # all pairs of both classes; one row for each element
