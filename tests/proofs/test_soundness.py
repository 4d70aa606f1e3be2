"""What `prove` once proved and is false, with its relatives: refused with its place, refuted, or not proved."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set, read_rule_set
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from hexlogic.process.files import rules_folder
from hexlogic.proofs import Proof, Refutation, prove_equivalent
from hexlogic.proofs.bounded import ONE_WINNER, prove_theorem
from hexlogic.proofs.bridges import read_bridge
from hexlogic.proofs.conditions import CONDITIONS, own_program
from hexlogic.proofs.uniform import prove_pass_for_all_boards
from tests.proofs.proving import prove_for_all_boards

BOARD = Hex(3, 3)
FLOOD, CLUSTERS = load_rule_set("follow-line-tabled"), load_rule_set("clusters")
BRIDGE = (rules_folder() / "bridges" / "follow-line-tabled--clusters.lp").read_text(encoding="utf-8")


def variant(rules, *edits, more=""):
    """The rule set with its text edited, in a file of its own name."""
    text = rules.text
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return dataclasses.replace(rules, text=text + more, path=Path("mine.lp"))


REFUSED = {
    "own predicates": [
        "adjacent(X,Z) :- adjacent(X,Y), adjacent(Y,Z).",
        "first(P,X) :- last(P,X).",
        "owns(P,X) :- opponent(P,Q), cell(X).",
        "owns(red,1).",
        "cell(10).",
        "first(X) :- cell(X).",
        "adjacent :- cell(X).",
    ],
    "defined predicates": [
        "wins(P) :- reach(P,X), last(P,X).",
        "wins(P) :- owns(P,X), not same_cluster_left(P,X,X).",
        "wins(P) :- from_first(P,X), last(P,X).",
        "wins(P) :- stone(P,X).",
        "#defined stone/2. wins(P) :- stone(P,X).",
        "#defined stone/2.",
    ],
    "no constraints": [":- owns(P,X), column(X,C), C > 4.", ":- wins(red), wins(blue)."],
    "own constants": [
        "#const rows = 4.",
        "#const columns = rows.",
        "#const red = blue.",
        "#const red = green.",
        "#const blue = red.",
        "%* *% #const a = 1. #const blue = a.",
    ],
    "sound text": [
        "wins(P) :- owns(P,X), column(X,1..4).",
        "p(1..4,X) :- cell(X).",
        "wins(P) :- owns(P,X), not q(Y). q(X) :- cell(X).",
        "q(X) :- cell(X), not q(X).",
        "#const a = b. #const b = a. q(a).",
        "#const a = 1. #const a = 2. q(a).",
        "#const a = X. q(a).",
    ],
    "one reading": [
        "-wins(P) :- owns(P,X).",
        "wins(P) :- owns(P,X), not -reach(P,X).",
        "-wins(red).",
        "(wins(P)) :- owns(P,X).",
        "%! equivalence same_cluster/3. wins(P) :- owns(P,X).",
        "% \0 wins(P) :- owns(P,X).",
        "wins(P) :- owns(P,X), X = 4294967297.",
        "wins(P) :- owns(P,X), X > 2147483648.",
        "wins(P) :- owns(P,X), X = (-2147483648)/(-1).",
        "wins(P) :- owns(P,X), X < 9 %* .",
    ],
}


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(("condition", "text"), [(name, text) for name, texts in REFUSED.items() for text in texts])
def test_a_text_that_breaks_a_condition_is_refused_by_every_proof(condition, text):
    assert condition in {*CONDITIONS, "sound text", "one reading"}
    mine = variant(CLUSTERS, more=f"\n{text}\n")
    line = mine.text.rstrip("\n").count("\n") + 1
    tries = (
        lambda: prove_for_all_boards(FLOOD, mine),
        lambda: prove_for_all_boards(mine, mine),
        lambda: prove_pass_for_all_boards(mine, Pipeline.parse("prune")),
        lambda: prove_equivalent(FLOOD, mine, BOARD),
        lambda: prove_theorem(ONE_WINNER, mine, BOARD),
    )
    for attempt in tries:
        with pytest.raises(HexlogicError) as caught:
            attempt()
        if "#defined" not in text and "%*" not in text:
            assert str(caught.value).startswith(f"mine.lp:{line}:")
        else:
            assert str(caught.value).startswith("mine.lp:")


@pytest.mark.parametrize(
    "more",
    [
        "%* *% wins(P) :- owns(P,X).",
        "%* %* *% *% wins(P) :- owns(P,X).",
        "#const big = 65536*65536/65536. wins(P) :- owns(P,X), X > big.",
        "#const big = 2147483647+1. wins(P) :- owns(P,X), X > big.",
        "% a note\n#const n = m. #const m = 2-4. wins(P) :- owns(P,X), X > n.",
    ],
)
def test_a_rule_that_only_clingo_saw_is_seen(more):
    """Each text wins with one stone, by clingo's comments or by its 32 bits."""
    mine = variant(CLUSTERS, more=f"\n{more}\n")
    assert isinstance(prove_equivalent(FLOOD, mine, BOARD), Refutation)
    if "2147483647" in more:
        with pytest.raises(HexlogicError, match="the term -2147483648 may leave 32 bits"):
            prove_for_all_boards(FLOOD, mine)
    else:
        assert not prove_for_all_boards(FLOOD, mine).proved


def test_a_comment_to_clingo_is_no_rule(tmp_path):
    """A carriage return alone ends no line of clingo's."""
    path = tmp_path / "mine.lp"
    path.write_bytes(CLUSTERS.text.encode() + b"\n% a note\rwins(P) :- owns(P,X).\n")
    assert isinstance(prove_equivalent(FLOOD, read_rule_set(path), BOARD), Proof)


def test_a_bridge_says_no_constant_of_a_rule_set():
    mine = variant(CLUSTERS, more="#const cap = 2.\n")
    claim = "%% claim: all\nreach(P,X) :- owns(P,X), X < cap.\n"
    text = f"% left: follow-line-tabled\n% right: clusters\n% idea: none\n\n{claim}"
    with pytest.raises(HexlogicError, match=r"b\.lp:6:1: cap is a #const of clusters"):
        prove_for_all_boards(FLOOD, mine, bridges=[read_bridge(text, "b.lp")])


@pytest.mark.parametrize("text", ["#const red = blue.", "#const blue = green."])
def test_no_command_reads_a_constant_in_place_of_a_player(text):
    with pytest.raises(HexlogicError, match=r"mine\.lp:18:8: #const (red|blue) is a name that the board or the stones"):
        variant(CLUSTERS, more=f"\n{text}\n").instantiate(BOARD)


def test_a_rule_set_without_its_query_is_refused():
    with pytest.raises(HexlogicError, match="no rule defines the query wins/1"):
        own_program(variant(CLUSTERS, ("wins(P) :-", "won(P) :-")), "hex")
    won = parse("#show won/1.").queries[0]
    other = dataclasses.replace(variant(CLUSTERS, ("wins(P) :-", "won(P) :-")), query=won)
    with pytest.raises(HexlogicError, match="the query is won/1"):
        prove_equivalent(other, other, BOARD)


def test_each_side_has_its_own_constants():
    """Both texts count columns up to a `#const cap` of their own; the rules differ from column 5 on."""
    edit = ("last(P,X).", "last(P,X), column(X,C), C <= cap.")
    low = variant(FLOOD, edit, more="#const cap = 2.\n")
    high = variant(CLUSTERS, ("last(P,Y).", "last(P,Y), column(Y,C), C <= cap."), more="#const cap = 400.\n")
    assert not prove_for_all_boards(low, high).proved
    assert isinstance(prove_equivalent(low, high, BOARD), Refutation)
    same = dataclasses.replace(low, text=low.text.replace("cap = 2", "cap = 4"))
    other = dataclasses.replace(high, text=high.text.replace("cap = 400", "cap = 4"))
    assert prove_for_all_boards(same, other).proved
    assert isinstance(prove_equivalent(same, other, BOARD), Proof)


def test_a_fact_with_an_interval_is_not_all_its_values():
    """A claim about `near` would assume last(P,1), ..., last(P,4) at once if an interval were frozen as it stands."""
    narrow = variant(FLOOD, ("last(P,X).", "last(P,X), column(X,C), near(C)."), more="near(1..2).\n")
    wide = variant(CLUSTERS, ("last(P,Y).", "last(P,Y), column(Y,C), near(C)."), more="near(1..8).\n")
    assert not prove_for_all_boards(narrow, wide).proved
    assert isinstance(prove_equivalent(narrow, wide, BOARD), Refutation)
    header = "% left: one\n% right: two\n% idea: none\n\n"
    one = dataclasses.replace(variant(FLOOD, ("wins(P) :- reach(P,X), last(P,X).", "")), name="one")
    one = dataclasses.replace(one, text=f"{one.text}near(1..2).\nwins(P) :- owns(P,X), near(X).\n")
    both = "wins(P) :- owns(P,1), owns(P,2).\n"
    two = dataclasses.replace(one, name="two", text=both)
    claim = "%% claim: every near cell has every value\nwins_right(P) :- near(X), owns(P,X).\n"
    done = prove_for_all_boards(one, two, bridges=[read_bridge(header + claim, "two.lp")])
    assert not done.proved
    assert "the claim wins_right(P) :- near(X), owns(P,X). fails" in done.reason


INTERNAL_ONCE = (
    "contradiction",
    "at_most__",
    "less__",
    "wins_right",
    "wins_left",
    "not__owns",
    "known__",
    "hyp__reach",
    "never__",
    "broken",
    "held",
    "different",
)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(("name", "arity"), [(name, number % 3) for number, name in enumerate(INTERNAL_ONCE)])
def test_names_that_were_internal_once_are_names_like_any_other(name, arity):
    """A helper of that name that makes `wins` true too often is found out; one that changes nothing does no harm."""
    arguments = ("P", "X")[:arity]
    atom = f"{name}({','.join(arguments)})" if arity else name
    broken = variant(CLUSTERS, more=f"{atom} :- owns(P,X).\nwins(P) :- owns(P,X), {atom}.\n")
    harmless = variant(CLUSTERS, more=f"{atom} :- owns(P,X).\n")
    assert not prove_for_all_boards(FLOOD, broken).proved
    assert isinstance(prove_equivalent(FLOOD, broken, Hex(2, 2)), Refutation)
    assert prove_for_all_boards(FLOOD, harmless).proved
    if arity < 2:
        assert isinstance(prove_equivalent(FLOOD, harmless, Hex(2, 2)), Proof)


@pytest.mark.takes_seconds(keep=5)
@pytest.mark.parametrize("name", ["c_P", "c_X", "c_Y", "k_X", "k_Y", "k_P1", "c_P1", "red"])
def test_a_constant_is_no_frozen_variable(name):
    mine = variant(FLOOD, ("wins(P) :- reach(P,X), last(P,X).", f"wins({name}) :- reach({name},X), last({name},X)."))
    assert not prove_for_all_boards(mine, CLUSTERS).proved
    assert isinstance(prove_equivalent(mine, CLUSTERS, Hex(2, 2)), Refutation)
    mine = variant(FLOOD, ("reach(P,Y) :- reach(P,X), adjacent(X,Y)", f"reach(P,Y) :- reach(P,X), adjacent({name},Y)"))
    assert not prove_for_all_boards(mine, CLUSTERS).proved


def test_a_function_is_no_invented_term():
    names = ["x__inverse_0(P,X)", "k(P,X)", "l__claim_4(P,X)", "plus__(X,1)", "next(X)"]
    for name in names:
        mine = variant(CLUSTERS, more=f"wins(P) :- owns(P,X), same_cluster(P,X,{name}).\n")
        mine = dataclasses.replace(mine, text=f"{mine.text}same_cluster(P,X,{name}) :- owns(P,X).\n")
        assert not prove_for_all_boards(FLOOD, mine).proved


def test_arithmetic_on_what_is_no_number_derives_nothing():
    """`red+1` has no value, so `odd` is empty and nobody wins by it."""
    mine = variant(CLUSTERS, ("last(P,Y).", "last(P,Y), odd(Z)."), more="odd(P+1) :- owns(P,X).\n")
    assert isinstance(prove_equivalent(FLOOD, mine, Hex(2, 2)), Refutation)
    assert not prove_for_all_boards(FLOOD, mine).proved
    mine = variant(CLUSTERS, ("last(P,Y).", "last(P,Y), 1/0 = 1/0."))
    assert isinstance(prove_equivalent(FLOOD, mine, Hex(2, 2)), Refutation)
    assert not prove_for_all_boards(FLOOD, mine).proved


def test_two_rule_sets_of_one_name_are_told_apart():
    with pytest.raises(HexlogicError, match="two different rule sets are called clusters"):
        prove_for_all_boards(CLUSTERS, variant(CLUSTERS, ("starts(P,X), last(P,Y)", "last(P,Y)")))


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("%% means: all\nwins_left(P) :- wins_right(P).", "b.lp:6:1: wins_left/1 is defined already"),
        ("%% means: all\nreach(P,X) :- owns(P,X).", "b.lp:6:1: reach/2 is defined already"),
        ("%% means: all\nadjacent(X,X) :- cell(X).", "b.lp:6:1: adjacent/2 is defined already"),
        ("%% means: all\nowns(P,X) :- first(P,X).", "b.lp:6:1: owns/2 is defined already"),
        ("%% means: all\nreach(P) :- owns(P,X).", "b.lp:6:1: reach/2 is defined already"),
        ("%% means: all\nm(X) :- cell(X).\n%% means: more\nm(X) :- owns(P,X).", "b.lp:8:1: m/1 is defined already"),
        ("%% means: all\nm(X) :- cell(X), not m(X).", "b.lp:6:1: m/1 depends on its own negation"),
        ("%% means: all\nm(X) :- nowhere(X).", "b.lp:6:1: nobody defines nowhere/1"),
        ("%% means: all\nm(P) :- wins(P).", "both rule sets do: wins_left/1 and wins_right/1"),
        ("%% means: all\nm(X) :- later(X).\n%% means: more\nlater(X) :- cell(X).", "b.lp:6:1: nobody defines later/1"),
        ("%% means: all\nm(Y) :- cell(X).", "variable Y is unsafe"),
        ("%% means: all\nm(X) :- column(X,1..4).", "an interval outside a fact"),
        ("%% means: all\n#const a = 1.\nm(X) :- column(X,a).", "b.lp:5:1: a block holds rules only"),
        ("%% means: all\n#defined m/1.\nn(X) :- m(X).", "b.lp:5:1: a block holds rules only"),
        ("%% claim: all\nwins(P) :- reach(P,X).", "b.lp:6:1: nobody defines wins/1"),
        ("%% claim: all\nowns(P,X) :- broken(P,X).", "b.lp:6:1: nobody defines broken/2"),
        ("%% lemma all: all\nadjacent(X,Y) :- elsewhere(X,Y).", "b.lp:6:1: nobody defines elsewhere/2"),
        ("%% lemma all: all\ncolumn(X,1..4) :- cell(X).", "b.lp:6:1: an interval outside a fact"),
        ("%% lemma all: all\ncell(X+1) :- cell(X).", "b.lp:6:1: arithmetic in the head of a lemma"),
        ("%% claim: all\nowns(P,X) :- reach(P,X), Z < X.", "b.lp:6:1: variable Z is unsafe"),
        (
            "%% means: all\ncontradiction(X) :- cell(X).\n%% claim: x\nowns(P,X) :- reach(P).",
            "b.lp:8:1: nobody defines",
        ),
        ("cell(X) :- column(X,C).", "b.lp:5:1: text before the first block"),
        ("%* *% cell(X) :- column(X,C).", "b.lp:5:7: text before the first block"),
        ("%% means: all\n%* *% m(X) :- nowhere(X).", "b.lp:6:7: nobody defines nowhere/1"),
        ("%% means: all\n%* m(X) :- cell(X).\n%% means: more\n*% n(X) :- cell(X).", "lexer error, unexpected <EOF>"),
        ("%% means: all\n-m(X) :- cell(X).", "b.lp:6:1: a minus before m(X) (classical negation"),
    ],
)
def test_a_bridge_only_introduces(block, message):
    text = f"% left: follow-line-tabled\n% right: clusters\n% idea: none\n\n{block}\n"
    with pytest.raises(HexlogicError) as caught:
        prove_for_all_boards(FLOOD, CLUSTERS, bridges=[read_bridge(text, "b.lp")])
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "lemma",
    [
        "%% lemma narrow: no board has a fourth row\n:- row(X,R), R > 9.",
        "%% lemma few: five stones in a cluster at the most\ncontradiction :- owns(P,X), row(X,R), R > 9.",
    ],
)
def test_what_is_assumed_is_in_the_headline(lemma):
    """False from 10x10 on, and no check on small boards finds it."""
    done = prove_for_all_boards(FLOOD, CLUSTERS, bridges=[read_bridge(BRIDGE + f"\n{lemma}\n", "b.lp")])
    name = lemma.split()[2].rstrip(":")
    assert (done.proved, done.assumed) == (True, (name,))
    assert str(done).endswith(f"boards of up to 46,340 columns and rows (hex): proved, assuming 1 lemma ({name})")
    assert "proved for all boards" not in str(done)


def test_a_lemma_that_was_proved_is_not_assumed():
    left, right = load_rule_set("clusters-union"), CLUSTERS
    asked = []

    def justify(lemma, rules, board):
        asked.append((lemma.name, bool(rules.rules), bool(board.rules)))
        return "proved by hand"

    done = prove_for_all_boards(left, right, justify_lemma=justify)
    assert asked == [("symmetric", True, True)]
    assert [section.justification for section in done.lemmas] == ["proved by hand"]
    boards = "boards of up to 46,340 columns and rows (hex)"
    assert str(done) == f"clusters-union and clusters are equal: proved for all {boards}"
