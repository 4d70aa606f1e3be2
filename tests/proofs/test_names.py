"""No text meets a name that a proof makes: every name of every text that is handed to a solver is judged here."""

from __future__ import annotations

import dataclasses
import itertools
import re
from pathlib import Path

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.games.rulesets import board_rules, load_rule_set, rule_set_names
from hexlogic.language import Atom, Integer, Rule
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.proofs import Proof, Refutation, prove_equivalent
from hexlogic.proofs.all_boards import ASSUMED, joint_rules
from hexlogic.proofs.bridges import Bridge, load_bridges, read_bridge
from hexlogic.proofs.joint import miter, with_values
from hexlogic.proofs.smt import lemmas as lemmas_module
from hexlogic.proofs.smt.export import exported
from hexlogic.proofs.smt.formulas import Problem, smtlib, tptp
from hexlogic.proofs.smt.lemmas import LemmaProver
from hexlogic.proofs.smt.models import Structure
from hexlogic.proofs.smt.translate import Sorts, Translator
from tests.proofs.proving import prove_for_all_boards

pytest.importorskip("cvc5")
pytest.importorskip("z3")

BRIDGES = [(game, bridge) for game in ("hex", "y") for bridge in load_bridges(game)]
BRIDGES += [pytest.param("havannah", bridge, marks=pytest.mark.slow) for bridge in load_bridges("havannah")]
HEADER = "% left: {}\n% right: {}\n% idea: none\n\n"


SMT_WORDS = {
    "set-logic", "declare-sort", "declare-fun", "declare-const", "define-fun", "assert", "check-sat", "distinct",
    "forall", "exists", "and", "or", "not", "ite", "div", "mod", "true", "false",
}  # fmt: skip


def can_be_spelled(name: str) -> bool:
    """Whether the rule language has the name for a predicate, by its own reader."""
    try:
        return parse(f"{name}.").rules == (Rule(Atom(name)),)
    except HexlogicError:
        return False


def names_of(problem: Problem) -> set[str]:
    """The names of predicates and constants in both texts of a problem; every other quoted name cannot be spelled."""
    script = re.sub("(?m)^;.*$", "", smtlib(problem))
    bare = set(re.findall(r"[^\s()|]+", re.sub(r"\|[^|]*\|", " ", script)))
    assert not {word for word in bare if can_be_spelled(word)} - SMT_WORDS, "every name of a text is quoted"
    quoted = re.findall(r"\|([^|]*)\|", script)
    terms = (line.partition(", ")[2] for line in tptp(problem).splitlines() if line[0] != "%")
    quoted += [word.replace("\\'", "'") for line in terms for word in re.findall(r"'((?:[^'\\]|\\.)*)'", line)]
    names = set()
    for text in quoted:
        kind, _, name = text.rpartition(" ")
        if kind in ("name", "size", "value"):
            names.add(name)
        elif re.fullmatch(r"\S+/\d+", text):
            names.add(text.rpartition("/")[0])
        else:
            assert not can_be_spelled(text), text
    return names


@pytest.mark.parametrize(("game", "bridge"), BRIDGES, ids=lambda one: getattr(one, "left", one))
def test_no_name_of_an_exported_problem_can_be_written(game: str, bridge: Bridge) -> None:
    lemmas, board = LemmaProver(total_s=60.0), board_rules(game)
    left, right = load_rule_set(bridge.left), load_rule_set(bridge.right)
    proof = prove_for_all_boards(left, right, game=game, bridges=[bridge], justify_lemma=lemmas)
    # The names that bridges speak of are those of both texts, told apart by their side.
    rules = [rule for statement in bridge.statements for rule in statement.rules]
    texts = (*joint_rules(left, right, game).program.rules, *board.rules, *rules)
    known = {*re.findall(r"[a-z]\w*", " ".join(map(str, texts))), *(name for name, _ in board.constants)}
    names = set[str]().union(*(names_of(one.problem) for one in exported(proof, board, lemmas)))
    assert names & known
    assert not {name for name in names - known if can_be_spelled(name)}


@pytest.mark.parametrize("name", [name for name in rule_set_names("hex") if name != "follow-line-tabled"])
def test_no_name_of_a_miter_can_be_written(name: str) -> None:
    left, right = (load_rule_set(one).instantiate(Hex(2, 2)) for one in ("follow-line-tabled", name))
    text = miter(with_values(left), with_values(right), [parse("owns(red,1).").rules[0].head])
    known = set(re.findall(r"[a-z]\w*", f"{left}{right}")) | {"not", "show"}
    names = set(re.findall(r"(?<![\w'])[_']*[a-z][\w']*", text)) - known
    assert "'differ'" in names
    assert not {name for name in names if can_be_spelled(name)}


def mine(name: str, *edits: tuple[str, str], more: str = ""):
    rules = load_rule_set(name)
    text = rules.text
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return dataclasses.replace(rules, text=text + more, path=Path("mine.lp"))


STONES = [
    ("hex", "follow-line-tabled", "clusters", "column(X,C), C <= 60"),
    ("y", "y/follow-line", "y/clusters", "row(X,R), R <= 60"),
]


@pytest.mark.parametrize(("game", "left", "right", "small"), STONES)
def test_a_predicate_called_stone_makes_no_false_lemma_true(
    game: str, left: str, right: str, small: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`stone` was the name of any stone in any place: the lemma became `stone(P,X) :- stone(P,X).`"""
    rules = mine(right, more=f"\nstone(P,X) :- owns(P,X), {small}.\n")
    bridge = read_bridge(HEADER.format(left, right) + "%% lemma stones: no\nstone(P,X) :- owns(P,X).\n", "mine.lp")

    def justification() -> str:
        prover = LemmaProver(each_s=2.0, total_s=10.0)
        proof = prove_for_all_boards(load_rule_set(left), rules, game=game, bridges=[bridge], justify_lemma=prover)
        return proof.lemmas[0].justification

    assert justification() == ASSUMED
    monkeypatch.setattr(lemmas_module, "internal_name", lambda kind: kind)
    assert justification().startswith("proved"), "the test finds the fault when it is there"


@pytest.mark.parametrize("name", ["stone", "shorter", "differ", "broken", "never", "held", "forbidden", "number"])
def test_a_rule_set_may_use_the_words_of_proofs(name: str) -> None:
    rules, plain = load_rule_set("clusters"), load_rule_set("follow-line-tabled")
    renamed = dataclasses.replace(rules, text=re.sub(r"\bsame_cluster\b", name, rules.text), path=Path("mine.lp"))
    assert renamed.text != rules.text
    assert isinstance(prove_equivalent(renamed, plain, Hex(3, 3)), Proof)
    wrong = dataclasses.replace(renamed, text=f"{renamed.text}\nwins(P) :- {name}(P,X,Y), X = 4.\n")
    assert isinstance(prove_equivalent(wrong, plain, Hex(3, 3)), Refutation)


@pytest.mark.parametrize(
    "text",
    [
        "p(B,B_2) :- q(B,B_2). p(X,Y) :- r(X,Y,B,B_2).",
        "p(X,Y) :- q(X,Y). p(Y,1) :- s(Y).",
        "p(X,Y) :- q(X,Y). p(Y,Y) :- s(Y).",
        "p(X,Y) :- q(X,Y). p(Y,X+1) :- s(Y), s(X).",
        "p(X,X_2) :- q(X,X_2). p(X_2,X) :- r(X,X_2,X_2_2,Y), s(X_2_2).",
        "p(A1,A2) :- q(A2,A1). p(A2,3) :- s(A2).",
        "p(1,Y) :- s(Y). p(A1,A2) :- q(A1,A2).",
        "p(X,Y) :- q(X,Y). p(Y,1..2) :- s(Y).",
    ],
)
def test_a_definition_keeps_the_variables_of_its_rules_apart(text: str) -> None:
    """The reasons of a predicate hold of exactly those values that clingo derives."""
    program = parse(text)
    facts = parse("q(0,1). q(2,1). q(1,3). r(0,1,2,3). r(2,2,1,1). r(3,1,2,2). r(1,0,0,3). s(0). s(2).")
    model = least_model(program, [rule.head for rule in facts.rules if rule.head is not None])
    _, typed, reasons = Translator(Sorts(program.rules, (), ())).only_rules(program.rules)
    structure = Structure(model, {})
    pairs = [tuple(map(Integer, pair)) for pair in itertools.product(range(5), repeat=2)]
    held = {pair for pair in pairs if structure.holds(reasons, dict(zip((one for one, _ in typed), pair, strict=True)))}
    assert held == {atom.arguments for atom in model if atom.name == "p"}
