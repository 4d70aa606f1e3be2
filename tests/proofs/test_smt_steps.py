"""Steps of induction proved again from their exported text, and what must not be provable."""

from __future__ import annotations

import dataclasses
import functools
import random

import pytest
from typer.testing import CliRunner

from hexlogic.cli import app
from hexlogic.games import Hex, Position
from hexlogic.games.rulesets import board_rules, load_rule_set
from hexlogic.language import Program
from hexlogic.language.parser import parse_rule
from hexlogic.process.files import rules_folder
from hexlogic.proofs.bridges import load_bridges, read_bridge
from hexlogic.proofs.induction import Theory
from hexlogic.proofs.smt.export import check_problems, exported
from hexlogic.proofs.smt.formulas import FALSE, Named, Not, smtlib
from hexlogic.proofs.smt.lemmas import LemmaProver, step_problem
from hexlogic.proofs.smt.models import check_axioms, closed, false_axioms, structure_of
from hexlogic.proofs.smt.provers import ask
from tests.proofs.proving import prove_for_all_boards

pytest.importorskip("cvc5")
pytest.importorskip("z3")

BOARD = board_rules("hex")
BRIDGES = load_bridges()
FLOOD = next(bridge for bridge in BRIDGES if bridge.left == "follow-line-tabled")
ASSUMING = {"maker-breaker": ("Hex theorem (no draw)", "Hex theorem (one winner)")}


def proof_of(bridge, **options):
    return prove_for_all_boards(load_rule_set(bridge.left), load_rule_set(bridge.right), bridges=[bridge], **options)


@functools.cache
def obligations_of(bridge):
    return [step.obligation for section in proof_of(bridge).sections for step in section.steps if step.obligation]


@pytest.mark.takes_seconds
@pytest.mark.parametrize("bridge", BRIDGES, ids=lambda bridge: bridge.left)
def test_every_shipped_bridge_is_proved_again_by_both_provers(bridge):
    lemmas = LemmaProver()
    proof = proof_of(bridge, justify_lemma=lemmas)
    assert proof.proved
    assert proof.assumed == ASSUMING.get(bridge.left, ())
    problems = exported(proof, BOARD, lemmas)
    assert sum(one.kind == "step" for one in problems) == len(obligations_of(bridge))
    assert len({one.problem.name for one in problems}) == len(problems)
    for checked in check_problems(problems, ["cvc5", "z3"]):
        assert checked.ok, checked.failed
        assert sum(total for _, total in checked.counts.values()) == len(problems)
    assert check_axioms(problems, "hex") == []


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize("bridge", BRIDGES, ids=lambda bridge: bridge.left)
def test_the_axioms_are_true_in_least_models_of_random_positions(bridge):
    """They mean what the rules mean, and they are not contradictory: they have these models."""
    obligation = obligations_of(bridge)[-1]
    axioms, dice = closed(step_problem(obligation, BOARD))[:-1], random.Random(bridge.left)
    axioms = [axiom for axiom in axioms if not axiom.name.startswith("hypothesis")]
    assert len(axioms) >= len(obligation.axioms)
    negated = [dataclasses.replace(axiom, formula=Not(axiom.formula)) for axiom in axioms]
    for _ in range(6):
        game = Hex.square(3)
        colours = {cell: dice.choice(("red", "blue", None)) for cell in game.cells}
        red, blue = (frozenset(cell for cell in game.cells if colours[cell] == player) for player in ("red", "blue"))
        structure = structure_of(Program(obligation.axioms), Position(game, red, blue), BOARD)
        assert false_axioms(axioms, structure) == []
        assert false_axioms(negated, structure) == negated


def test_a_wrong_axiom_is_false_somewhere():
    obligation = obligations_of(FLOOD)[-1]
    wrong = dataclasses.replace(obligation, learned=(*obligation.learned, parse_rule(":- owns(P,X).")))
    position = Position(Hex.square(3), frozenset({1}), frozenset())
    structure = structure_of(Program(obligation.axioms), position, BOARD)
    axioms = closed(step_problem(wrong, BOARD))
    assert [axiom.text for axiom in false_axioms(axioms, structure)] == [":- owns(P,X)."]


def test_contradictory_axioms_are_told_as_vacuous():
    bridge = FLOOD
    proof = proof_of(bridge)
    (section,) = [one for one in proof.sections if one.kind == "conclusion"][:1]
    (step,) = section.steps
    assert step.obligation is not None
    false = dataclasses.replace(step.obligation, learned=(parse_rule(":- owns(P,X)."),))
    steps = (dataclasses.replace(step, obligation=false),)
    broken = dataclasses.replace(proof, sections=(dataclasses.replace(section, steps=steps),))
    problems = exported(broken, BOARD, LemmaProver())
    assert any(":- owns(P,X). is false of" in words for words in check_axioms(problems, "hex"))


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize(
    ("claim", "provable"),
    [
        ("from_first(P,Y) :- reach(P,Y).", True),
        ("from_first(P,Y) :- same_cluster(P,X,Y).", False),
        ("last(P,Y) :- reach(P,Y).", False),
        ("wins_right(P) :- reach(P,Y).", False),
        (":- reach(P,Y).", False),
    ],
)
def test_a_wrong_claim_is_not_proved_by_the_provers_either(claim, provable):
    obligation = obligations_of(FLOOD)[0]
    theory = Theory(Program(obligation.axioms))
    theory.learn(parse_rule("owns(P,X) :- same_cluster(P,X,Y)."))
    steps = theory.prove(parse_rule(claim))
    scripts = [smtlib(step_problem(step.obligation, BOARD)) for step in steps]
    for prover in ("cvc5", "z3"):
        answers = ask(prover, scripts, each_s=2)
        assert len(answers) == 2
        assert all(answer.verdict == "proved" for answer in answers) == provable


@pytest.mark.takes_seconds
def test_no_step_proves_false_from_its_axioms_and_the_frozen_rule_needs_its_literals():
    """An exporter that dropped facts or the hypothesis would make these unprovable, one that adds too much, vacuous."""
    for obligation in obligations_of(FLOOD):
        problem = step_problem(obligation, BOARD)
        general = tuple(axiom for axiom in problem.axioms if not axiom.name.startswith(("fact", "hypothesis")))
        vacuous = dataclasses.replace(problem, axioms=general, goal=Named("goal", "false", FALSE))
        without_facts = dataclasses.replace(problem, axioms=general)
        for answer in ask("cvc5", [smtlib(vacuous), smtlib(without_facts)], each_s=1):
            assert answer.verdict != "proved"


@pytest.mark.takes_seconds
def test_a_lemma_that_is_false_from_9x9_on_fails_with_the_sizes():
    text = (rules_folder() / "bridges" / "follow-line-tabled--clusters.lp").read_text()
    lemma = "\n%% lemma small: boards are small\n:- row(X,9), column(X,9).\n"
    proof = proof_of(read_bridge(text + lemma, "small.lp"), justify_lemma=LemmaProver())
    assert not proof.proved
    (step,) = proof.lemmas[0].steps
    assert (step.ok, step.note) == (False, "it does not hold with rows = 9, columns = 9")


def test_a_wrong_bridge_fails_with_both_provers_at_hand():
    text = (rules_folder() / "bridges" / "follow-line-tabled--clusters.lp").read_text()
    wrong = read_bridge(text.replace("same_cluster(P,X,Y), first(P,X).", "same_cluster(P,X,Y)."), "wrong.lp")
    proof = proof_of(wrong, justify_lemma=LemmaProver())
    assert not proof.proved


def run(*arguments):
    return CliRunner().invoke(app, ["prove", *map(str, arguments)])


def test_the_command_exports_and_checks(tmp_path):
    done = run("follow-line-tabled", "clusters", "--all-sizes", "--check", "cvc5,z3", "--export", tmp_path)
    assert done.exit_code == 0, done.output
    assert "cvc5 proved 8 of 8 steps, 32 of 32 bounds of integers" in done.output
    assert "z3 proved 8 of 8 steps, 32 of 32 bounds of integers" in done.output
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 2 * (8 + 32)
    assert names[0] == "001-claim-owns-p-x-same-cluster-p-x-y-case-same-cluster-p-x-x-owns-p-x.p"
    text = (tmp_path / names[1]).read_text()
    assert "; claim: owns(P,X) :- same_cluster(P,X,Y)." in text
    assert "; rule: same_cluster(P,X,X) :- owns(P,X)." in text


def test_a_rule_file_with_a_bridge_of_its_own(tmp_path):
    mine = load_rule_set("follow-line-tabled")
    (tmp_path / "mine.lp").write_text(mine.text.replace("follow-line-tabled", "mine").replace("reach", "flood"))
    bridge = (rules_folder() / "bridges" / "follow-line-tabled--clusters.lp").read_text()
    text = bridge.replace("% left:   follow-line-tabled", "% left:   mine").replace("reach", "flood")
    (tmp_path / "bridge.lp").write_text(text)
    arguments = (tmp_path / "mine.lp", "clusters", "--all-sizes")
    assert "found by `hexlogic prove --all-sizes`" in run(*arguments).output
    done = run(*arguments, "--bridge", tmp_path / "bridge.lp")
    assert done.exit_code == 0, done.output
    assert "mine and clusters are equal: proved for all boards of up to 46,340 columns and rows (hex)" in done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--all-sizes", "--check", "vampire"), "unknown prover 'vampire'"),
        (("--size", "3", "--check", "z3"), "--check is for --all-sizes"),
        (("--all-sizes", "--bridge", "nowhere.lp"), "cannot read the bridge"),
        (("--all-sizes", "--check", "z3", "--pipeline", "prune"), "--check and --export are for bridges"),
    ],
)
def test_wrong_use(arguments, words):
    done = run("follow-line-tabled", "clusters", *arguments)
    assert words in str(done.exception)


def test_a_missing_prover_is_told_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr("hexlogic.proofs.smt.provers.importlib.util.find_spec", lambda name: None)
    done = run("follow-line-tabled", "clusters", "--all-sizes", "--check", "cvc5")
    assert "the prover cvc5 is not installed (pip install 'hexlogic[proofs]')" in str(done.exception)
    lemmas = LemmaProver()
    assert proof_of(BRIDGES[1], justify_lemma=lemmas).assumed == ("symmetric",)
