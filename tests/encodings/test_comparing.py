"""Two texts by their answer sets: what is equal, what is not, and what a comparison of many sets cannot see."""

from __future__ import annotations

import dataclasses

import pytest

from hexlogic.encodings.checking import check_rewritten, same_answer_sets
from hexlogic.encodings.instances import instances_of
from hexlogic.encodings.reading import read_encoding_text
from hexlogic.encodings.rewriting import interface_of, rewrite
from hexlogic.logic import Predicate
from hexlogic.passes.statistics import Statistics


def test_a_wrong_text_is_found_by_comparison() -> None:
    encoding = read_encoding_text("n(1..4). { a(X) } :- n(X). :- a(X), a(Y), X != Y.")
    right = rewrite(encoding, ["symmetric"], Statistics(), interface_of(encoding))
    seen = interface_of(encoding).predicates
    assert check_rewritten(right, seen, None, 20).equal
    (edit,) = right.edits
    wrong = dataclasses.replace(edit, rules=(edit.rules[-1].with_body(edit.rules[-1].body[:1]),))
    found = check_rewritten(dataclasses.replace(right, edits=(wrong,)), seen, None, 20)
    assert str(found) == "DIFFERENT ANSWER SETS on the instance that was given"


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("{a(1..9)}.", "{a(1..9)}. {hidden}.", True),
        ("{a(1..3)}.", "{a(1..3)}. {hidden}.", False),
        ("{a(1..9)}. :~ a(X). [X]", "{a(1..9)}. :~ a(X). [X+1]", False),
        ("{a(1..9)}.", "{a(1..9)}. :- a(1), a(2).", False),
        ("{a(1..9)}. :- a(1), a(2).", "{a(1..9)}.", False),
    ],
)
def test_how_answer_sets_are_compared(left, right, same) -> None:
    """With more than 200 answer sets some are looked for in the other program: an added free atom then stays unseen."""
    assert same_answer_sets(left, right, [Predicate("a", 1)], 30) is same


def test_without_an_instance_random_facts_are_compared() -> None:
    """A comparison of programs without facts says that they are equal, whatever was left out."""
    encoding = read_encoding_text("{ on }. p(X) :- cfg(X,red), on. :- p(X), -q(X), X < 3.")
    (_, _, added), *random = instances_of(encoding, None, 3)
    assert added == ""
    assert [name for name, _, _ in random] == [f"random facts, seed {seed}" for seed in range(3)]
    texts = [facts for _, _, facts in random]
    assert all("cfg(" in text and "-q(" in text and "p(" not in text and " on." not in text for text in texts)
    assert any("red" in text for text in texts)
    left, right = (f"{{ on }}. p(X) :- cfg(X){rest}." for rest in (", on", ""))
    given = [same_answer_sets(left + text, right + text, [Predicate("p", 1)], 30) for text in ("", "cfg(2).")]
    assert given == [True, False]


def test_a_wrong_text_is_found_without_an_instance() -> None:
    encoding = read_encoding_text("{ a(X) } :- n(X). :- a(X), a(Y), X != Y.")
    right = rewrite(encoding, ["symmetric"], Statistics(), interface_of(encoding))
    (edit,) = right.edits
    wrong = dataclasses.replace(edit, rules=(edit.rules[-1].with_body(edit.rules[-1].body[:1]),))
    found = check_rewritten(dataclasses.replace(right, edits=(wrong,)), interface_of(encoding).predicates, None, 20)
    assert str(found).startswith("DIFFERENT ANSWER SETS on random facts, seed ")
