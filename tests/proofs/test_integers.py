"""The integers of the theorems: what leaves 32 bits on a small board, or has no finite ground program, is refused."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.games.rulesets import board_rules, load_rule_set
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from hexlogic.process.files import rules_folder
from hexlogic.proofs import Refutation, prove_equivalent
from hexlogic.proofs.bridges import read_bridge
from hexlogic.proofs.conditions import LEAST_LARGEST, finite_integers
from hexlogic.proofs.smt.lemmas import LemmaProver
from hexlogic.proofs.uniform import prove_pass_for_all_boards
from tests.proofs.proving import prove_for_all_boards

FLOOD, CLUSTERS, LINES = map(load_rule_set, ("follow-line-tabled", "clusters", "follow-line"))
BRIDGE = (rules_folder() / "bridges" / "follow-line-tabled--clusters.lp").read_text(encoding="utf-8")
LINE = BRIDGE.count("\n") + 3
"""The line of the first rule of what `bridge` adds."""


def mine(more, rules=CLUSTERS, name=None):
    text = f"{rules.text}{more}\n"
    return dataclasses.replace(rules, name=name or rules.name, text=text, path=Path("mine.lp"))


def bridge(more):
    return read_bridge(f"{BRIDGE}\n{more}\n", "b.lp")


def refusal(left=FLOOD, right=CLUSTERS, bridges=None, justify=lambda *_: "proved by a solver that counts without end"):
    with pytest.raises(HexlogicError) as caught:
        prove_for_all_boards(left, right, bridges=bridges, justify_lemma=justify)
    return str(caught.value)


OVERFLOWS = {
    "X+2147483583 < 0": ("X+2147483583", 9),
    "X*33000000 < 0": ("X*33000000", 9),
    "0-X*33000000 > 0": ("0-X*33000000", 9),
    "X*X*X*X < 0": ("X*X*X*X", 15),
    "2147483647+1 < 0": ("2147483647+1", 1),
    "X > 2147483647*2": ("2147483647*2", 1),
    "X+2147483000 = Y, Y < 0": ("X+2147483000", 26),
    "cell(X+2147483583)": ("X+2147483583", 9),
    "not cell(X*33000000)": ("X*33000000", 9),
    "cell(65), X*33000000 < 0": ("X*33000000", 9),
    "X*X*X < 0, X*X*X*X < 100": ("X*X*X", 36),
}


@pytest.mark.parametrize(("guard", "term", "size"), [(guard, *rest) for guard, rest in OVERFLOWS.items()])
def test_a_text_that_leaves_32_bits_on_a_small_board_is_refused(guard, term, size):
    """With the lemma that the guard never holds, which is true of integers without end and false of clingo's."""
    rule = f"wins(P) :- owns(P,X), cell(X), {guard}."
    lemma = f"%% lemma never: the guard is false\n:- owns(P,X), cell(X), {guard}."
    told = refusal(right=mine(rule), bridges=[bridge(lemma)])
    assert told.startswith(
        f"mine.lp:{CLUSTERS.text.count(chr(10)) + 1}:1: the term {term} may leave 32 bits on a board "
    )
    assert f"rows = {size}, columns = {size} " in told
    told = refusal(bridges=[bridge(lemma)])
    assert told.startswith(f"b.lp:{LINE}:1: the term {term} may leave 32 bits")
    claim = f"%% claim: the guard is false\ncontradiction :- reach(P,X), cell(X), {guard}."
    assert refusal(bridges=[bridge(claim)]).startswith(f"b.lp:{LINE}:1: the term {term} may leave 32 bits")
    with pytest.raises(HexlogicError, match="may leave 32 bits"):
        prove_pass_for_all_boards(mine(rule), Pipeline.parse("prune"))


def test_the_square_of_a_cell_wraps_on_the_first_board_after_the_headline():
    told = mine("small(X) :- cell(X), X*X < 0.")
    proof = prove_for_all_boards(FLOOD, told)
    assert (proof.proved, proof.largest) == (True, 215)
    assert "proved for all boards of up to 215 columns and rows (hex)" in str(proof)
    assert 215**4 < 2**31 <= 216**4


NESTED = "num(X) :- cell(X). num(f(X)) :- num(X)."
ENDLESS = (
    "num(1). num(X-1) :- num(X).",
    "num(X) :- cell(X). num(X+1) :- num(X).",
    "num(X) :- cell(X), cell(65). num(X-1) :- num(X), cell(65).",
    "num(X) :- cell(X). num(Y) :- num(X), Y = X-1.",
    "num(X) :- cell(X). num(Y) :- num(X), X-1 = Y.",
    "even(0). odd(X+1) :- even(X). even(X+1) :- odd(X).",
    "num(1). num(X*2) :- num(X).",
    "num(0). num(0-X-X-1) :- num(X).",
    "num(X) :- cell(X). num(X/2+X) :- num(X).",
    "num(9). num(X-1) :- num(X), X < rows.",
    "num(X) :- cell(X). num(X+1) :- num(X), X != 100.",
    "num(X) :- cell(X). num(X+1) :- num(X), not row(X,1).",
    "num(1,2). num(Y,X+Y) :- num(X,Y).",
    "num(1,2). num(Y,Z) :- num(X,Y), pair(X,Y,Z). pair(X,Y,Z) :- num(X,Y), Z = X+Y.",
    "num(f(X)) :- cell(X). num(f(Y)) :- num(f(X)), Y = X-1.",
    NESTED,
    "num(X) :- cell(X). num(X-1) :- num(X), X > 0-red.",
    "num(1). num(X-1) :- num(X), X-1 < 0. num(X-1) :- num(X), X-1 >= 0.",
    "num(1). num(X*Y) :- num(X), cell(Y).",
    "num(X) :- cell(X), X \\ 2 = 5. num(1). num(X-3) :- num(X), X \\ 2 < 2.",
)


@pytest.mark.parametrize("text", ENDLESS)
def test_a_program_without_end_is_refused_in_a_rule_set_and_in_a_bridge(text):
    if "0-red" not in text and text != NESTED:  # the one derives nothing; the other is below
        assert "mine.lp:" in (told := refusal(right=mine(text)))
        assert "may derive atoms without end" in told or "may leave 32 bits" in told
    blocks = " ".join(rule if ":-" in rule else f"{rule[:-1]} :- cell(X)." for rule in map(str, parse(text).rules))
    if "0-red" not in text:
        assert f"b.lp:{LINE}:" in refusal(bridges=[bridge(f"%% means: growing\n{blocks}")])


def test_compound_terms_of_a_rule_set_may_grow_where_every_lemma_is_about_the_board():
    """Claims are by induction on derivations, which are finite; a lemma may rest on a least element."""
    growing = mine(NESTED)
    done = prove_for_all_boards(FLOOD, growing, justify_lemma=lambda *_: "proved by a solver that counts without end")
    assert done.proved
    lemma = bridge("%% lemma least: of the rules' own predicates\nnum(X) :- num(f(X)).")
    told = refusal(right=growing, bridges=[lemma])
    assert "mine.lp:" in told
    assert "may derive atoms without end" in told


def test_what_only_a_schema_of_infinite_chains_contradicts_is_refused():
    """`num` has no least element, so a false lemma would follow from the schema that every set of numbers has one."""
    means = "%% means: all\nnum(X) :- cell(X), cell(65).\nnum(X-1) :- num(X).\n"
    means += "least(L) :- num(L), not smaller(L).\nsmaller(L) :- num(L), num(K), K < L.\n"
    lemma = "%% lemma least element: there is one\nleast(L) :- num(X).\n"
    told = refusal(bridges=[bridge(means + lemma)], justify=LemmaProver())
    assert told.startswith(f"b.lp:{LINE + 1}:1: `num(X-1) :- num(X).` may derive atoms without end")


FINITE = {
    "depth(X,0) :- cell(X). depth(X,D+1) :- depth(X,D), D < rows.": 46340,
    "depth(X,0) :- cell(X). depth(X,D+1) :- depth(X,D), D+1 < rows.": 46340,
    "depth(0). depth(E) :- depth(D), E = D+1, E <= columns.": 46340,
    "depth(rows). depth(D-1) :- depth(D), D > 0.": 46340,
    "depth(1). depth(2*D) :- depth(D), 2*D <= rows.": 46340,
    "turn(0). turn(E) :- turn(D), E = (D+1)\\6.": 46340,
    "even(0). odd(X+1) :- even(X), X < 9. even(X+1) :- odd(X).": 46340,
    "num(0). num(Y) :- num(X), adjacent(X,Y).": 46340,
    "num(9). num(X/2) :- num(X).": 46340,
    "num(f(1)). num(f(Y)) :- num(f(X)), adjacent(X,Y).": 46340,
    "place(R*columns+C) :- row(X,R), column(X,C).": 1290,
}


@pytest.mark.parametrize(("text", "largest"), FINITE.items())
def test_a_finite_program_keeps_its_largest_board(text, largest):
    assert finite_integers(board_rules("hex"), parse(text)).largest == largest >= LEAST_LARGEST


@pytest.mark.parametrize(
    ("game", "largest"), [("hex", 46340), ("y", 46340), ("havannah", 17515), ("tic-tac-toe-3d", 1290)]
)
def test_what_the_rules_of_a_board_bound(game, largest):
    assert finite_integers(board_rules(game), parse("")).largest == largest


def test_a_cell_beyond_the_largest_board_does_leave_32_bits():
    assert 46340**2 < 2**31 - 1 < 46341**2
    assert 1290**3 < 2**31 - 1 < 1291**3


LISTS = "wins(P) :- owns(P,X), 2147483647+1 < 0."


def test_another_engine_than_clingo_decides_no_text_that_leaves_32_bits():
    """SWI-Prolog counts without end, so the rule never fires there; with clingo it always does."""
    assert isinstance(prove_equivalent(FLOOD, mine(LISTS), Hex(2, 2)), Refutation)
    for rule in (LISTS, "wins(P) :- owns(P,X), X*1100000000 < 0."):
        with pytest.raises(HexlogicError, match=r"^mine.lp:\d+:1: the term .* may leave 32 bits on this board"):
            prove_equivalent(FLOOD, mine(rule, LINES, "mine"), Hex(2, 2))
    bare = mine(LISTS.replace("2147483647+1", "X*1100000000"), LINES).instantiate(Hex(2, 2)).without_constraints()
    with pytest.raises(HexlogicError, match="may leave 32 bits on this board"):
        prove_equivalent(FLOOD, bare, Hex(2, 2))
    counted = "count(P,X,visited(X,nil),1) :- owns(P,X). count(P,Y,visited(Y,V),N+1) :- count(P,X,V,N), adjacent(X,Y)."
    with pytest.raises(HexlogicError, match="its numbers have no bound that is known"):
        prove_equivalent(FLOOD, mine(counted, LINES, "mine"), Hex(2, 2))


def test_the_same_rules_under_another_name_need_no_bridge():
    lines = [line for line in CLUSTERS.text.splitlines() if line and not line.startswith(("%", "#"))]
    turned = "% name: mine\n\n" + "\n % a comment\n".join(reversed(lines))
    other = dataclasses.replace(CLUSTERS, name="mine", text=turned, path=Path("mine.lp"))
    proof = prove_for_all_boards(CLUSTERS, other)
    assert (proof.proved, proof.largest) == (True, 46340)
    assert "proved for all boards of up to 46,340" in str(proof)
    assert prove_for_all_boards(other, dataclasses.replace(other, name="again")).proved
    less = dataclasses.replace(other, text=turned.replace("starts(P,X), ", ""))
    assert not prove_for_all_boards(CLUSTERS, less).proved
    num = "num(X) :- cell(X). num(X-1) :- num(X)."
    assert "without end" in refusal(mine(num), mine(num, name="again"))
    huge = "wins(P) :- owns(P,X), X*33000000 < 0."
    assert "may leave 32 bits" in refusal(mine(huge), mine(huge, name="again"))
    for text in (":- owns(red,X).", "cell(0).", "wins(P) :- nobody(P)."):
        assert "mine.lp:" in refusal(mine(text), mine(text, name="again"))


def test_the_same_rules_with_other_constants_are_not_the_same():
    edit = "near(P) :- owns(P,X), X < cap. wins(P) :- near(P). #const cap = {}."
    assert prove_for_all_boards(mine(edit.format("2+2")), mine(edit.format("2+2"), name="again")).proved
    assert not prove_for_all_boards(mine(edit.format(3)), mine(edit.format(4), name="again")).proved
