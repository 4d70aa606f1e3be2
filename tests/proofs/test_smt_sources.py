"""Lemmas that are proved from other lemmas and by induction, and what must never be an axiom."""

from __future__ import annotations

import dataclasses

import pytest

from hexlogic.errors import HexlogicError, RuleSyntaxError
from hexlogic.games import Position, load_game
from hexlogic.games.rulesets import board_rules, load_rule_set
from hexlogic.language import Program, Variable
from hexlogic.language.parser import parse_rule
from hexlogic.process.files import rules_folder
from hexlogic.proofs.all_boards import ASSUMED, UNUSED
from hexlogic.proofs.bridges import load_bridges, read_bridge
from hexlogic.proofs.smt.board import board_problem, lemma_problems
from hexlogic.proofs.smt.export import check_problems, exported
from hexlogic.proofs.smt.formulas import Not, smtlib
from hexlogic.proofs.smt.lemmas import LemmaProver
from hexlogic.proofs.smt.models import false_axioms, structure_of
from hexlogic.proofs.smt.provers import ask
from tests.proofs.proving import prove_for_all_boards

pytest.importorskip("cvc5")
pytest.importorskip("z3")

Y = board_rules("y")
(BRIDGE,) = load_bridges("y")
TEXT = (rules_folder() / "bridges" / "y" / "follow-line--clusters.lp").read_text()
HEADER = "% left: y/follow-line\n% right: y/clusters\n% idea: none\n"
LEMMAS = {one.name: one for one in BRIDGE.statements if one.kind == "lemma"}
SOURCES = {
    "rows in order": (),
    "first row": (),
    "next row": (),
    "some row": ("first row", "next row"),
    "symmetric": ("rows in order", "some row"),
}


def proof_along(bridge, **options):
    left, right = load_rule_set("y/follow-line"), load_rule_set("y/clusters")
    return prove_for_all_boards(left, right, game="y", bridges=[bridge], **options)


def lemmas_of(text):
    return [one for one in read_bridge(f"{HEADER}\n{text}", "mine.lp").statements if one.kind == "lemma"]


@pytest.mark.takes_seconds
def test_y_is_proved_for_all_boards_and_again_by_both_provers():
    lemmas = LemmaProver()
    proof = proof_along(BRIDGE, justify_lemma=lemmas)
    assert str(proof) == "y/follow-line and y/clusters are equal: proved for all boards of up to size 46,340 (y)"
    problems = exported(proof, Y, lemmas)
    of_lemmas = [one for one in problems if one.kind == "lemma"]
    for name, sources in SOURCES.items():
        own = [one.problem for one in of_lemmas if one.text.startswith(f"{name}: ")]
        used = [[axiom.text for axiom in one.axioms if axiom.name.startswith("lemma")] for one in own]
        assert all(len(texts) == 0 for one, texts in zip(own, used, strict=True) if "division" in one.name)
        rules = [str(LEMMAS[source].rule) for source in sources]
        assert all(texts == rules for one, texts in zip(own, used, strict=True) if "division" not in one.name)
        assert [one for one in own if "division" not in one.name], name
    for checked in check_problems(problems, ["cvc5", "z3"]):
        assert checked.ok, checked.failed


def test_claims_do_not_see_the_lemmas_that_others_are_proved_from():
    """So without provers only the lemma that claims use is assumed."""
    proof = proof_along(BRIDGE)
    assert str(proof).endswith("on the boards of up to size 46,340 (y): proved, assuming 1 lemma (symmetric)")
    assert [one.justification for one in proof.lemmas] == [UNUSED] * 4 + [ASSUMED]
    learned = {rule for section in proof.sections for step in section.steps if step.obligation is not None
               for rule in step.obligation.learned}  # fmt: skip
    assert LEMMAS["symmetric"].rule in learned
    assert not learned & {LEMMAS[name].rule for name in SOURCES if name != "symmetric"}


@pytest.mark.takes_seconds(keep=9)
@pytest.mark.parametrize(
    ("false", "dependent"),
    [
        (":- row(X,9).", ":- row(X,R), column(X,1), R = 9."),
        (":- row(X,30).", ":- row(X,30), column(X,1)."),
        ("adjacent(X,Y) :- cell(X), cell(Y), Y < 30.", "adjacent(X,Y) :- cell(X), cell(Y), X < 30, Y < 30."),
    ],
)
def test_a_false_lemma_is_no_axiom(false, dependent):
    """The dependent lemma follows from the false one, which clingo may not find out on small boards."""
    wrong, from_wrong = lemmas_of(f"%% lemma wrong: no\n{false}\n\n%% lemma next from wrong: no\n{dependent}\n")
    script = smtlib(board_problem(from_wrong.rule, Y, known=[wrong.rule], euclidean=True, equivalences=True))
    assert [answer.verdict for answer in ask("cvc5", [script], each_s=10)] == ["proved"]
    lemmas = LemmaProver(each_s=1, total_s=8)
    assert not isinstance(lemmas(from_wrong, Program(()), Y), str)
    assert lemmas.problems == {}


def test_a_proof_stops_at_a_false_source():
    _, _, claims = TEXT.partition("%% lemma symmetric from ")
    text = f"{HEADER}\n%% lemma wrong: no\n:- row(X,9).\n\n%% lemma symmetric from wrong, {claims}"
    text = text.replace("wrong, rows in order, some row", "wrong")
    proof = proof_along(read_bridge(text, "wrong.lp"), justify_lemma=LemmaProver())
    assert not proof.proved
    assert "the lemma wrong: :- row(X,9). fails" in str(proof)
    assert proof.sections[-1].steps[0].note == "it does not hold with size = 9"


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("justify", ["first row", "rows in order"])
def test_nothing_is_proved_from_what_is_not(justify, monkeypatch):
    """One source is not proved in time: neither is what stands on it, and what does not is still proved."""
    lemmas, proves = LemmaProver(), LemmaProver._proves
    monkeypatch.setattr("hexlogic.proofs.smt.lemmas.refute_board_lemma", lambda *_: {})

    chosen = LEMMAS[justify]
    unproved = lemma_problems(chosen.rule, Y, [source.rule for source in chosen.sources], chosen.induction)

    def forgetful(self, prover, problems, deadline):
        return problems != unproved and proves(self, prover, problems, deadline)

    monkeypatch.setattr(LemmaProver, "_proves", forgetful)
    why = {name: lemmas(lemma, Program(()), Y) for name, lemma in LEMMAS.items()}
    assert why[justify] is why["symmetric"] is None
    assert why["next row"] == "proved by cvc5"
    assert (why["some row"] is None) == (justify == "first row")
    assert str(LEMMAS["symmetric"].rule) not in lemmas.problems


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("%% lemma a from b: no\n:- row(1,2).\n\n%% lemma b: no\n:- row(1,2).", "mine.lp:5:1: no lemma 'b'"),
        ("%% lemma a from a: no\ncell(X) :- row(X,R).", "no lemma 'a' stands above the lemma a"),
        ("%% lemma a from: no\ncell(X) :- row(X,R).\n\n%% lemma b from a,: no\ncell(X) :- row(X,R).", "no lemma ''"),
        ("%% lemma a: no\ncell(X) :- row(X,R).\n\n%% lemma a: no\ncell(X) :- row(X,R).", "two lemmas are called a"),
        ("%% lemma a by induction on Z: no\ncell(X) :- row(X,R).", "induction on Z, which is no argument"),
        ("%% claim a from b: no\ncell(X) :- row(X,R).\n\n%% lemma b from a: no\ncell(X) :- row(X,R).", "no lemma 'a'"),
    ],
)  # fmt: skip
def test_sources_stand_above_under_one_name(text, words):
    with pytest.raises(RuleSyntaxError) as error:
        lemmas_of(text)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "%% lemma a: no\ncell(X) :- owns(P,X).\n\n%% lemma b from a: no\ncell(X) :- row(X,R).",
        "%% lemma a: no\ncell(X) :- row(X,R).\n\n%% lemma b from a: no\ncell(X) :- owns(P,X).",
        "%% lemma b by induction on X: no\ncell(X) :- owns(P,X).",
    ],
)
def test_lemmas_about_stones_are_neither_sources_nor_proved_from_any(text):
    with pytest.raises(HexlogicError, match="are for lemmas about the board"):
        LemmaProver()(lemmas_of(text)[-1], Program(()), Y)


@pytest.mark.takes_seconds(keep=9)
@pytest.mark.parametrize(
    ("lemma", "true"),
    [
        ("row(X,R) :- cell(X).", True),
        ("rank(X) :- cell(X).", False),
        (":- cell(X), X > 30.", False),
        ("column(X,1) :- cell(X).", False),
    ],
)
def test_induction_proves_no_false_lemma(lemma, true):
    known = [LEMMAS[name].rule for name in SOURCES["some row"]]
    problems = lemma_problems(parse_rule(lemma), Y, known=known, induction=Variable("X"))
    assert [one.name for one in problems][-2:] == ["start", "induction"]
    for prover in ("cvc5", "z3"):
        start, step = ask(prover, [smtlib(one) for one in problems[-2:]], each_s=2)
        assert start.verdict == "proved"
        assert (step.verdict == "proved") == true


def test_induction_needs_its_start():
    """Nothing is below every number: a lemma about negative numbers has no first case."""
    below = Y.with_rules((*Y.rules, parse_rule("below(X) :- cell(Z), X = 0-Z.")))
    problems = lemma_problems(parse_rule("row(X,R) :- below(X)."), below, induction=Variable("X"))
    (start,) = [problem for problem in problems if problem.name == "start"]
    for prover in ("cvc5", "z3"):
        (answer,) = ask(prover, [smtlib(start)], each_s=2)
        assert answer.verdict != "proved"


@pytest.mark.parametrize("size", [1, 2, 3])
def test_definitions_and_lemmas_that_are_axioms_are_true_of_real_boards(size):
    game = load_game("y").of_size(size)
    structure = structure_of(Program(()), Position(game, frozenset(), frozenset()), Y)
    known = [lemma.rule for lemma in LEMMAS.values()]
    axioms = board_problem(parse_rule(":- side(S,X)."), Y, known=known, equivalences=True).axioms
    assert {axiom.name for axiom in axioms} >= {f"definition of {name}" for name in ("row/2", "column/2", "adjacent/2")}
    assert false_axioms(axioms, structure) == []
    negated = [dataclasses.replace(axiom, formula=Not(axiom.formula)) for axiom in axioms]
    assert false_axioms(negated, structure) == negated


@pytest.mark.takes_seconds
def test_havannah_is_proved_but_for_the_symmetry_and_the_two_lemmas_about_rings():
    left, right = load_rule_set("havannah/follow-line"), load_rule_set("havannah/clusters")
    proof = prove_for_all_boards(left, right, game="havannah")
    assert proof.proved, proof
    assert proof.assumed == ("symmetric", "loops are rings", "rings are loops")
    assert all(step.ok for lemma in proof.lemmas for step in lemma.steps)
