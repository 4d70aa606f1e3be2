"""Programs, passes and names that a proof must not be fooled by."""

from __future__ import annotations

import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set
from hexlogic.language.names import internal_name
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from hexlogic.proofs import Refutation, prove_equivalent
from hexlogic.proofs.bridges import read_bridge
from hexlogic.proofs.conditions import CONDITIONS
from hexlogic.proofs.uniform import prove_pass_for_all_boards, uniformly_contained
from tests.checkout import CHECKOUT
from tests.proofs.proving import prove_for_all_boards
from tests.proofs.test_soundness import BRIDGE, CLUSTERS, FLOOD, variant


def test_programs_are_checked_like_rule_sets():
    board = CLUSTERS.instantiate(Hex(2, 2))
    for text, message in (
        (":- owns(red,1).", "constraint"),
        ("owns(red,1).", "owns/2 is an input"),
        ("#defined q/1. wins(P) :- q(P).", "q/1"),
        ("wins(P) :- owns(P,X), q(P).", "q/1"),
    ):
        with pytest.raises(HexlogicError, match=message):
            prove_equivalent(board, board + parse(text), Hex(2, 2))


def test_what_passes_write_is_said_with_the_boards():
    done = prove_pass_for_all_boards(CLUSTERS, Pipeline.parse("ground,reorder,prune"))
    assert "clusters after reorder,prune, as the passes write it on 2x2 2x3 3x3 4x3 5x5 9x9 11x11, are" in str(done)


def test_a_constraint_promises_only_of_what_both_programs_have():
    """`r` comes from `p`, so the constraint holds in one model for a reason that the other may not have."""
    one = parse("#defined q/1. :- q(X), not r(X). r(X) :- p(X). p(X) :- q(X).")
    other = parse("#defined q/1. :- q(X), not r(X). r(X) :- p(X). p(X) :- q(X), r(X).")
    assert not all(step.ok for step in uniformly_contained(one, other))
    base = parse("#defined q/1. #defined r/1. :- q(X), not r(X). p(X) :- q(X).")
    more = parse("#defined q/1. #defined r/1. :- q(X), not r(X). p(X) :- q(X), r(X).")
    assert all(step.ok for step in uniformly_contained(base, more))
    without = parse("#defined q/1. #defined r/1. p(X) :- q(X), r(X).")
    assert all(step.ok for step in uniformly_contained(base, without))
    assert not all(step.ok for step in uniformly_contained(base, without, constraints=()))


def test_a_program_without_end_is_refused():
    """More of them: `test_integers.py`."""
    mine = variant(CLUSTERS, more="num(X) :- cell(X). num(X-1) :- num(X).\n")
    with pytest.raises(HexlogicError, match=r"^mine.lp:17:20: `num\(X-1\) :- num\(X\).` may derive atoms without end"):
        prove_for_all_boards(FLOOD, mine)
    means = "\n%% means: all\nnum(X) :- cell(X). num(f(X)) :- num(X).\n"
    with pytest.raises(HexlogicError, match=r"^b.lp:\d+:20: `num\(f\(X\)\) :- num\(X\).` may derive atoms without end"):
        prove_for_all_boards(FLOOD, CLUSTERS, bridges=[read_bridge(BRIDGE + means, "b.lp")])


def test_a_text_that_leaves_32_bits_is_refused():
    """More of them: `test_integers.py`."""
    guard = "wins(P) :- owns(P,X), X*1100000000 < 0.\n"
    with pytest.raises(HexlogicError, match=r"^mine.lp:17:1: the term X\*1100000000 may leave 32 bits on a board with"):
        prove_for_all_boards(FLOOD, variant(CLUSTERS, more=guard))
    lists = variant(load_rule_set("follow-line"), more=guard)
    with pytest.raises(HexlogicError, match=r"^mine.lp:\d+:1: the term X\*1100000000 may leave 32 bits on this board"):
        prove_equivalent(FLOOD, lists, Hex(2, 2))
    assert isinstance(prove_equivalent(FLOOD, variant(CLUSTERS, more=guard), Hex(2, 2)), Refutation)


def test_every_condition_of_the_page_has_its_function_and_its_test():
    page = (CHECKOUT / "docs" / "proofs.md").read_text(encoding="utf-8")
    table = page.partition("| condition |")[2].partition("\n\n")[0]
    rows = [[part.strip() for part in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    assert {row[0] for row in rows} >= set(CONDITIONS)
    folders = (CHECKOUT / "tests" / "proofs", CHECKOUT / "tests" / "games" / "rulesets")
    tests = "".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.glob("test_*.py"))
    for name, _, function, test in rows:
        module, _, attribute = function.strip("`").partition(".")
        homes = {"names": "language", "clingo_reading": "language", "templates": "games.rulesets"}
        found = getattr(importlib.import_module(f"hexlogic.{homes.get(module, 'proofs')}.{module}"), attribute)
        assert callable(found)
        assert f"def {test.strip('`')}(" in tests, test
        if name in CONDITIONS:
            assert CONDITIONS[name] is found


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["not", "c", "k", "some", "less"]),
            st.from_regex(r"_{0,2}[a-zA-Z'][\w']{0,3}", fullmatch=True),
        ),
        min_size=2,
        max_size=2,
        unique=True,
    )
)
def test_no_text_spells_an_internal_name(pairs):
    names = [internal_name(*pair) for pair in pairs]
    assert names[0] != names[1]
    for name in (names[0], internal_name("not", names[0])):
        for text in (f"{name}.", f"p({name}).", f"p({name}(1)).", f"p :- not {name}.", f"p :- q,{name}(X)."):
            with pytest.raises(HexlogicError):
                parse(text)


def test_a_file_that_takes_a_registered_name_is_told_apart_in_the_sentence():
    mine = variant(CLUSTERS, ("starts(P,X), last(P,Y)", "last(P,Y), starts(P,X)"))
    assert str(prove_for_all_boards(FLOOD, mine)).startswith("follow-line-tabled and clusters (mine.lp) are equal")
    assert str(prove_equivalent(FLOOD, mine, Hex(2, 2))).startswith("follow-line-tabled and clusters (mine.lp) are")
    assert str(prove_equivalent(FLOOD, CLUSTERS, Hex(2, 2))) == "follow-line-tabled and clusters are equal on 2x2 Hex"
