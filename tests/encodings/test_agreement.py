"""Random programs with choices, disjunction and aggregates have the same answer sets before and after every step."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.optimising import PIPELINES
from hexlogic.encodings.reading import read_encoding_text
from hexlogic.encodings.rewriting import rewrite
from hexlogic.encodings.steps import step_names
from hexlogic.language import Predicate
from hexlogic.language.ground.profile import Statistics
from tests.encodings.random_encodings import Maker, PartsMaker, accepted, answer_sets, staged_answer_sets

_LIMIT = 60
_MANY = 400
_ALL = [
    *((name,) for name in step_names()),
    *PIPELINES,
    ("split", "semijoin", "anonymous", "symmetric", "count"),
    ("count", "semijoin", "split"),
    ("differ", "key", "count", "anonymous"),
]
_WANTED = frozenset([Predicate("c", 1), Predicate("d", 2)])


def sizes(seed: int) -> Statistics:
    """Sizes that differ from the true ones, so that each step finds something that seems to pay."""
    generator = random.Random(seed)
    found = Statistics()
    for name, arity in (
        ("n", 1),
        ("e", 2),
        ("f", 2),
        ("c", 1),
        ("d", 2),
        ("a", 1),
        ("b", 1),
        ("q", 1),
        ("p", 2),
        ("v", 2),
        ("r", 2),
    ):
        found.sizes[Predicate(name, arity)] = generator.choice([1.0, 20.0, 1000.0])
        for place in range(arity):
            found.columns[Predicate(name, arity), place] = generator.choice([1.0, 10.0, 500.0])
    return found


def signatures(predicates: Iterable[Predicate]) -> frozenset[tuple[str, int, bool]]:
    return frozenset((each.name.lstrip("-"), each.arity, not each.name.startswith("-")) for each in predicates)


def compare(seeds: range) -> tuple[int, set[str], set[str]]:
    """How many pairs of programs were compared, the steps that changed one, and the proofs used."""
    compared, used, proofs = 0, set(), set()
    for seed in seeds:
        text = Maker(seed).text()
        if not accepted(text):
            continue
        encoding = read_encoding_text(text)
        analysis = Analysis(encoding)
        seen = signatures(analysis.predicates)
        before = answer_sets(text, seen, _LIMIT)
        if before is None:
            continue
        same = {text}
        for steps in _ALL:
            new = rewrite(encoding, steps, sizes(seed), analysis)
            if new.text not in same:
                left = seen - signatures(new.hidden)
                kept = answer_sets(text, left, _LIMIT) if new.hidden else before
                assert answer_sets(new.text, left, _LIMIT) == kept, (seed, steps, text, new.text)
                same.add(new.text)
                compared += 1
                used |= {rewriting.step for rewriting in new.rewritings}
                proofs |= {rewriting.proof for rewriting in new.rewritings}
        # only some predicates matter
        seen = frozenset((one.name, one.arity, True) for one in _WANTED)
        shows = "".join(f"#show {one}.\n" for one in sorted(_WANTED))
        before = answer_sets(text + shows, seen, _LIMIT)
        for steps in (("unused",), *PIPELINES[2:4]):
            new = rewrite(encoding, steps, sizes(seed), replace(analysis, wanted=_WANTED))
            new = replace(new, shown=_WANTED) if new.shows_all and new.auxiliary else new
            if any(rewriting.step == "unused" for rewriting in new.rewritings):
                assert answer_sets(new.text + shows, seen, _LIMIT) == before, (seed, steps, text, new.text)
                compared += 1
                used.add("unused")
                proofs |= {rewriting.proof for rewriting in new.rewritings}
    return compared, used, proofs


def compare_parts(seeds: range) -> tuple[int, set[str]]:
    """The same for programs with parts that are ground one after the other, once and again: after every call."""
    compared, used = 0, set()
    for seed in seeds:
        maker = PartsMaker(seed)
        text = maker.text()
        if not accepted(text):
            continue
        encoding = read_encoding_text(text)
        for calls, once in ((maker.once, ("step/1", "check/1")), (maker.again, ())):
            analysis = Analysis(encoding, once=frozenset(once))
            seen = signatures(analysis.predicates)
            before = staged_answer_sets(text, seen, calls, _MANY)
            same = {text}
            for steps in _ALL if len(before) > 1 else ():
                new = rewrite(encoding, steps, sizes(seed), analysis)
                if new.text not in same:
                    left, steps_done = seen - signatures(new.hidden), calls[: len(before) - 1]
                    after = staged_answer_sets(new.text, left, steps_done, _MANY)
                    kept = staged_answer_sets(text, left, steps_done, _MANY) if new.hidden else before
                    assert after == kept, (seed, steps, text, new.text)
                    same.add(new.text)
                    compared += 1
                    used |= {rewriting.step for rewriting in new.rewritings if rewriting.block.part != "base"}
    return compared, used


@pytest.mark.takes_seconds
def test_answer_sets_stay_over_many_calls_quick() -> None:
    compared, used = compare_parts(range(1, 3))
    assert compared > 20
    assert used >= {"anonymous", "split"}


@pytest.mark.slow
def test_answer_sets_stay_over_many_calls() -> None:
    compared, used = compare_parts(range(2, 40))
    assert compared > 300
    assert used >= {"anonymous", "split", "prune", "count", "semijoin", "key"}


def test_answer_sets_stay_quick() -> None:
    compared, used, proofs = compare(range(20))
    assert compared > 30
    assert used >= {"anonymous", "split"}
    assert "definitions" in proofs


@pytest.mark.slow
def test_answer_sets_stay() -> None:
    compared, used, proofs = compare(range(20, 600))
    assert compared > 2000
    assert used >= set(step_names()) - {"overlap", "bounds", "asked", "distance", "mirror"}
    assert proofs >= {
        "definitions",
        "order",
        "copies",
        "closure",
        "dependencies",
        "counting",
        "guarantees",
        "arithmetic",
        "values",
        "splitting",
    }
