"""What steps make of other parts of a program, what keeps a rewriting out, and rules that a query lets go of."""

from __future__ import annotations

import re
from dataclasses import replace

import clingo
import pytest

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.clingo_jobs import same_answer_sets
from hexlogic.encodings.clingo_runs import Run
from hexlogic.encodings.optimising import optimise_encoding, optimise_text
from hexlogic.encodings.reading import parts_of, read_encoding_text, with_constants
from hexlogic.encodings.rewriting import rewrite
from hexlogic.language import Predicate, Symbol
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import RESERVED
from hexlogic.language.passes.symmetric import PASS as SYMMETRIC
from tests.encodings.test_step_texts import changed

PARTS = "#program step(t). p(X,t) :- s(X,Y,t-1), q(Y,Z), r(Z,V). :- p(X,t), p(Y,t), X != Y. #show p/2."


@pytest.mark.parametrize(
    ("steps", "once", "text", "after"),
    [
        ("symmetric", (), PARTS, PARTS.replace("X != Y", "X < Y")),
        ("split", (), PARTS, PARTS),
        ("symmetric", (), "c(t). " + PARTS, None),
        ("symmetric", (), "#const t=3. " + PARTS, None),
        ("chase", (), ":- f(X,A), f(X,B), A != B. #program step(t). g(X,t) :- f(X,A), f(X,B), h(A,B).", None),
        ("replace", (), "u(X) :- a(X). #program step(t). a(t). h(X,t) :- u(X), h(X,t-1). h(0,t) :- h(0,t).", None),
    ],
)
def test_what_a_step_makes_in_other_parts(steps, once, text, after) -> None:
    encoding = read_encoding_text(text)
    analysis = Analysis(encoding, once=frozenset(once))
    assert rewrite(encoding, [steps], Statistics(), analysis).text == (text if after is None else after)


def test_a_constant_of_the_instance_takes_the_place_of_a_parameter() -> None:
    """As `clingo -c t=4` does: every instance of the part has the same rules then, and is left alone."""
    text = "n(1..3). { s(X,Y,0) : n(X), n(Y) }. " + PARTS
    kept, changed = (
        optimise_encoding(read_encoding_text(text), with_constants(None, given), steps=["symmetric"], last_step=3)
        for given in (["t=4"], ["v=4"])
    )
    assert kept.text == text
    assert changed.text != text
    control = clingo.Control(["-c", "t=4"])
    control.add("#program step(t). b(t).")
    control.ground([("base", []), ("step", [clingo.Number(1)])])
    assert [str(atom.symbol) for atom in control.symbolic_atoms] == ["b(4)"]


def test_auxiliary_predicates_of_a_part_have_its_parameters() -> None:
    encoding = read_encoding_text(PARTS)
    new = rewrite(encoding, ["split"], Statistics(), Analysis(encoding, once=frozenset(["step/1"])))
    assert new.auxiliary
    assert all(rule.head.arguments[-1] == Symbol("t") for edit in new.edits for rule in edit.rules[:-1])


@pytest.mark.takes_seconds
def test_several_parameters_of_a_part() -> None:
    text = "n(1..9). { g(X,Y) } :- n(X), n(Y). #program move(t,k). { p(X,t,k) : n(X) }. "
    text += ":- p(X,t,k), g(X,Y), g(Y,Z), g(Z,W), p(W,t,k), t != k. #show p/3."
    done = optimise_text(text, limit_s=30, last_step=1)
    assert "(X,t,k) :- p(" in done.text or "(Z,t,k) :- " in done.text
    assert str(done.check) == "the same answer sets on 4 instances"
    assert parts_of(done.encoding, 1).calls == ((("move", (1, 1)), ("move", (1, 2))),)
    text = "{ p(1..4) }. #program step(t,k). q(X,t,k) :- p(X), X > t."
    calls = parts_of(read_encoding_text(text)).calls
    assert same_answer_sets(text, text.replace("X > t", "X > k"), [Predicate("q", 3)], 30, Run(calls)) is False


def test_a_rewriting_without_proof_is_dropped(monkeypatch) -> None:
    monkeypatch.setattr(SYMMETRIC, "rewrite", lambda rule, context: [rule.with_body(rule.body[:-1])])
    assert changed(":- at(X,C), at(Y,C), X != Y.", "symmetric") == ":- at(X,C), at(Y,C), X != Y."


def test_auxiliary_predicates_have_no_classical_negation_in_common_with_others() -> None:
    text = (
        "{ p(X) } :- n(X). p(X) :- p(Y), e(Y,Z), p(Z), e(Z,X). -p(X) :- -p(Y), e(Y,Z), -p(Z), e(Z,X). -p(1) :- o. {o}. "
    )
    text += "n(1..3). e(1,2). e(2,3). e(1,3). e(3,1). #show p/1. "
    names = re.findall(rf"{RESERVED}\w+", changed(text, "split"))
    assert len({*names}) == 2
    text += " ".join(f"-{name}(X,Z) :- e(X,Z), o." for name in {*names})
    new = changed(text, "split").replace(text.partition("#show p/1. ")[2], "")
    assert {*names} & {*re.findall(rf"{RESERVED}\w+", new)} == set()
    assert same_answer_sets(text, new, [Predicate("p", 1)], 30) is True


SUM = "{ a(1..3) }. b(X) :- a(X), not c(X). c(X) :- a(X), not b(X). "


@pytest.mark.parametrize(
    ("rules", "gone"),
    [
        ("u(X) :- a(X).", True),
        ("u(X) :- a(X), 1 { b(Y) : a(Y) }.", True),
        ("u(X,Y) :- a(X), a(Y). u(X,Z) :- u(X,Y), u(Y,Z).", True),
        ("u(X) :- a(X). u(9). u(1..2) :- a(_).", True),
        ("u(X) :- a(X). #show a/1.", True),
        ("u(X) :- a(X). #show u/1.", False),
        ("u(X) :- a(X), not u(X).", False),
        ("u(X) :- a(X). u(Y) :- a(X), Y = #count { Z : u(Z) }.", False),
        ("u(X) :- a(X). :- u(1).", False),
        ("u(X) :- a(X). v(X) :- a(X), not u(X). :- v(1).", False),
        ("{ u(X) } :- a(X).", False),
        ("u(X) | v(X) :- a(X).", False),
        ("u(X) :- a(X). -u(1) :- a(_).", False),
        ("u(X) :- a(X). #external u(X) : a(X).", False),
        ("u(X) :- a(X). #minimize { 1,X : u(X) }.", False),
        ("u(X) :- a(X). #project u/1.", False),
        ("u(X) :- a(X). #heuristic u(X) : a(X). [1,true]", False),
        ("not u(X) :- a(X). u(1).", False),
        ("u(X) :- a(X). #program step(t). :- u(t).", False),
        ("#program step(t). u(X,t) :- a(X).", False),
        ("u(X) :- a(X). #script (python)\n#end.", False),
        ("u(X) :- a(X). #show u(X) : u(X).", False),
    ],
)
def test_rules_that_nothing_asks_for_are_dropped_where_a_query_says_what_matters(rules, gone) -> None:
    encoding = read_encoding_text(SUM + rules)
    analysis = Analysis(encoding)
    assert bool(rewrite(encoding, ["unused"], Statistics(), analysis).rewritings) == (gone and "#show" in rules)
    new = rewrite(encoding, ["unused"], Statistics(), replace(analysis, wanted=frozenset([Predicate("b", 1)])))
    assert bool(new.rewritings) == gone
    assert {rewriting.proof for rewriting in new.rewritings} <= {"splitting"}
    assert ("u(" in new.text.replace("u(9)", "").replace("u(1..2)", "")) != gone
