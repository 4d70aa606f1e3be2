"""Two texts by their answer sets: what is equal, what is not, and what a comparison of many sets cannot see."""

from __future__ import annotations

import dataclasses

import clingo
import pytest

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.checking import EncodingInstances, given_instance, random_instance
from hexlogic.encodings.clingo_jobs import same_answer_sets
from hexlogic.encodings.reading import read_encoding_text
from hexlogic.encodings.rewriting import Rewritten, rewrite
from hexlogic.language import Predicate
from hexlogic.language.ground.profile import Statistics
from hexlogic.proofs.question import equal

_ARITIES = (("q", 2), ("r", 1), ("t", 2), ("s", 1))


def test_a_wrong_text_is_found_by_comparison() -> None:
    encoding = read_encoding_text("n(1..4). { a(X) } :- n(X). :- a(X), a(Y), X != Y.")
    right = rewrite(encoding, ["symmetric"], Statistics(), Analysis(encoding))
    seen = Analysis(encoding).predicates
    assert equal(encoding, right, EncodingInstances(seen, None, 20)).equal
    (edit,) = right.edits
    wrong = dataclasses.replace(edit, rules=(edit.rules[-1].with_body(edit.rules[-1].body[:1]),))
    found = equal(encoding, dataclasses.replace(right, edits=(wrong,)), EncodingInstances(seen, None, 20))
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
    assert given_instance(None).added == ""
    drawn = [random_instance(encoding, None, seed) for seed in range(3)]
    assert [one.name for one in drawn] == [f"random facts, seed {seed}" for seed in range(3)]
    texts = [one.added for one in drawn]
    assert all("cfg(" in text and "-q(" in text and "p(" not in text and " on." not in text for text in texts)
    assert any("red" in text for text in texts)
    left, right = (f"{{ on }}. p(X) :- cfg(X){rest}." for rest in (", on", ""))
    given = [same_answer_sets(left + text, right + text, [Predicate("p", 1)], 30) for text in ("", "cfg(2).")]
    assert given == [True, False]


def test_a_wrong_text_is_found_without_an_instance() -> None:
    encoding = read_encoding_text("{ a(X) } :- n(X). :- a(X), a(Y), X != Y.")
    right = rewrite(encoding, ["symmetric"], Statistics(), Analysis(encoding))
    (edit,) = right.edits
    wrong = dataclasses.replace(edit, rules=(edit.rules[-1].with_body(edit.rules[-1].body[:1]),))
    found = equal(
        encoding, dataclasses.replace(right, edits=(wrong,)), EncodingInstances(Analysis(encoding).predicates, None, 20)
    )
    assert str(found).startswith("DIFFERENT ANSWER SETS on random facts, seed ")


def test_smaller_instances() -> None:
    """Widths of intervals and whole numbers that constants have are divided; what a proof has looked at stays."""
    encoding = read_encoding_text("#const n = 40. #const m = a. q(3..n,1..9). r(1). r(2). { s(1..n) } :- q(1,_).")
    profile = read_encoding_text("#const k = 16. [override] t(k..20,1..80).")
    found = random_instance(encoding, profile, 0, 8, keep=True)
    places = [place for place, one in enumerate(encoding.statements) if one.is_fact]
    assert found.gone == places[:1]
    control = clingo.Control()
    control.add(Rewritten(encoding).without(found.gone) + found.added)
    control.ground()
    sizes = {name: sum(1 for _ in control.symbolic_atoms.by_signature(name, arity)) for name, arity in _ARITIES}
    assert sizes == {"q": 1 * 2, "r": 2, "t": 3 * 10, "s": 0}
    half = random_instance(encoding, profile, 0, 2, keep=True)
    assert half.gone == []
    assert "1..80" in half.added or "t(" not in half.added


def test_an_instance_that_takes_too_long_is_made_smaller() -> None:
    encoding = read_encoding_text("n(1..300). { a(X,Y) } :- n(X), n(Y). :- a(X,Y), a(Y,Z), a(Z,V), n(X), V > 9999.")
    new = rewrite(encoding, ["prune", "symmetric", "anonymous"], Statistics(), Analysis(encoding))
    found = equal(encoding, new, EncodingInstances(Analysis(encoding).predicates, None, 0.4))
    assert found.equal
    assert found.instances > 0
    assert found.skipped[0] == "more than 0.4 CPU s"
    assert str(found) == f"the same answer sets on {found.instances} instances, {len(found.skipped)} could not be " + (
        "compared (more than 0.4 CPU s)"
    )
