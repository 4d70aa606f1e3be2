"""Claims: a wrong one cannot be formed, each sentence has its cases, and no sentence contradicts its table."""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hexlogic.laboratory.report
from hexlogic.laboratory.report.claims import sentences
from hexlogic.laboratory.report.claims.relations import (
    BAND,
    REFERENCE,
    Estimate,
    LimitReached,
    Missing,
    Relation,
    Timed,
    Timing,
    against_slowest,
    at_least,
    at_most,
    no_baseline,
    relate,
)
from hexlogic.laboratory.report.claims.sentences import adjective, entry, interval_text, verb

PARTS = {"interval_text", "entry", "verb", "adjective", "counter_text"}
"""What sentences are made of."""
SENTENCES: dict[str, Callable[..., str]] = {
    name: make
    for name, make in inspect.getmembers(sentences, inspect.isfunction)
    if make.__module__ == sentences.__name__ and not name.startswith("_") and name not in PARTS
}
FASTER = Relation(7.76, 7.02, 8.61)
SLOWER = Relation(0.5, 0.4, 0.6)
SAME = Relation(1.0, 0.97, 1.04)
OPEN = Relation(2.0, 0.5, 8.0)
KINDS: dict[str, Relation] = {
    "Faster": FASTER,
    "Slower": SLOWER,
    "Same": SAME,
    "Undecided": OPEN,
    "Once": Relation(2.0),
    "AtLeast": at_least(3384.0),
    "AtLeast below 1": at_least(0.25),
    "AtMost": at_most(0.1),
    "AtMost above 1": at_most(4.0),
    "Reference": REFERENCE,
    "NoBaseline": no_baseline("the baseline did not finish"),
}

SAVING = re.compile(r"\b(saves?|faster|fastest)\b")
COSTING = re.compile(r"\b(costs?|slower)\b")
EQUAL = re.compile(r"\b(no difference|equally fast)\b")
CLAIMS = re.compile(r"\b(saves?|saving|costs?|faster|fastest|slower|slowest|loss|no difference|equally fast)\b")


@pytest.mark.parametrize("name", KINDS)
def test_words_of_every_relation(name: str) -> None:
    """Only what decides is said with a verb that decides; the band alone is called no difference."""
    relation = KINDS[name]
    for text in (verb(relation), verb(relation, plural=True), adjective(relation)):
        assert bool(SAVING.search(text)) == (relation.decides > 0), text
        assert bool(COSTING.search(text)) == (relation.decides < 0), text
        assert bool(EQUAL.search(text)) == (relation.kind == "Same"), text
        if relation.is_bound:
            assert "cannot be told apart" not in text
            assert ("at least" in text) == bool(relation.decides), text
            assert ("not decided: a limit came first" in text) == (not relation.decides), text


@given(st.floats(1e-3, 1e3), st.sampled_from([at_least, at_most]))
def test_a_bound_that_excludes_1_is_a_saving_or_a_cost(value: float, make: Callable[[float], Relation]) -> None:
    relation = make(value)
    excludes = value > 1 if (relation.kind == "AtLeast") else value < 1
    assert relation.decides == (0 if not excludes else 1 if (relation.kind == "AtLeast") else -1)
    told = SENTENCES["worth"]({"a": relation})
    for text in (verb(relation), adjective(relation), told, SENTENCES["passes"]("ground", {"swipl": relation})):
        assert "told apart" not in text
        assert ("not decided" in text) == (not excludes), text
    saved, lost = "grounding and reordering together save", "grounding and reordering together cost"
    told = told.replace("do not finish, and ", "")
    assert (saved in told, lost in told) == (relation.decides > 0, relation.decides < 0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Relation(2.0, 3.0, 4.0),
        lambda: Relation(2.0, math.nan, 4.0),
        lambda: at_least(0.0),
        lambda: at_most(math.nan),
    ],
)
def test_a_claim_that_its_figures_do_not_support_cannot_be_made(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        make()


SENTENCE_CASES: dict[str, list[tuple[tuple[object, ...], str]]] = {
    "passes": [
        (
            ("ground", {"swipl": FASTER, "clingo": SLOWER, "egglog": OPEN}),
            "grounding saves 7.8x [7.0, 8.7] on swipl, costs 2.0x [1.6, 2.5] on clingo and cannot be told apart here "
            "(2.0x [0.50, 8.0]) on egglog",
        ),
        (("ground,reorder", {"swipl": at_least(3384.0)}), "both save at least 3,300x on swipl"),
        (
            ("reorder", {"swipl": at_least(0.25)}),
            "reordering is not decided: a limit came first (>= 0.2x) on swipl",
        ),
    ],
    "pruning": [
        ((None,), "pruning finds nothing to drop"),
        ((SAME,), "pruning then makes no difference (1.0x [0.97, 1.1], within 1.1x)"),
        ((Relation(2.0),), "pruning then cannot be told apart: measured once (2.0x [?])"),
    ],
    "unfinished": [
        (([], ["none"], "10 s"), ""),
        ((["none", "ground"], ["none", "ground"], "10 s"), "nothing finishes in 10 s"),
        ((["none"], ["none", "reorder"], "10 s"), "without reordering nothing finishes in 10 s"),
        ((["reorder"], ["none", "reorder"], "10 s"), '"reordering" does not finish in 10 s'),
    ],
    "leader": [
        (("clusters", "5.0 ms", {}), "clusters (5.0 ms)"),
        (("clusters", "5.0 ms", {"follow-line": FASTER}), "clusters is the fastest (5.0 ms)"),
        (
            ("clusters", "5.0 ms", {"follow-line": FASTER, "power-set": OPEN}),
            "clusters comes first by median (5.0 ms), not told apart from power-set",
        ),
        (
            ("clusters", "5.0 ms", {"power-set": SAME}),
            "clusters comes first by median (5.0 ms), not told apart from power-set",
        ),
    ],
    "worth": [
        (
            ({"a on swipl": FASTER, "b on swipl": at_least(10.0), "c on swipl": SLOWER, "d": SAME, "e": OPEN},),
            "Grounding and reordering together save time in 2 of 5 pairs of reformulation and engine, most for b on "
            "swipl (>= 10x); they cost time in 1, for c on swipl (2.0x slower [1.6, 2.5]); they make no "
            "difference in 1; 1 cannot be told apart here.",
        ),
        (
            ({"a": OPEN, "b": Relation(6.0)},),
            "Grounding and reordering together save time in none of 2 pairs of reformulation and engine; 2 cannot be "
            "told apart here.",
        ),
        (
            ({"a": OPEN, "b": at_most(4.6), "c": at_least(0.5), "d": at_most(0.5)}, 2),
            "Grounding and reordering together save time in none of 4 pairs of reformulation and engine, each of 2 "
            "questions by itself; they cost time in 1, for d (at least 2.0x slower); 2 are not decided, as a "
            "limit came first (<= 4.6x and >= 0.5x); 1 cannot be told apart here.",
        ),
    ],
    "not_slower": [
        (
            ({"swipl": ["a", "b", "c"], "clingo": [], "egglog": list("abcd")},),
            "Not shown to be slower than the choice: swipl: a, b and c; egglog: a, b and 2 more.",
        ),
        (({"swipl": []},), ""),
    ],
    "followed": [
        (
            ("clusters", {"swipl (n = 9)": FASTER}),
            "clusters: following a game instead of asking anew after each move saves 7.8x [7.0, 8.7] on swipl (n = 9).",
        )
    ],
    "extrapolation": [
        (
            ("clusters", 9, Estimate(7300.0, 3700.0, 14500.0), "from the growth"),
            "clusters: at n = 9 an estimated 2.0 h (95 %: 62 min to 4.0 h), from the growth.",
        )
    ],
    "reached": [
        (
            ("swipl", "grounding", 9, {"a": 9, "b": 5, "c": 7}),
            "After grounding, on swipl: a reaches n = 9; b ends at n = 5",
        ),
        (("swipl", "grounding", 9, {"a": 7}), "After grounding, on swipl: none reaches n = 9; a ends at n = 7"),
        (
            ("swipl", "as written", 9, dict.fromkeys("abcde", 9)),
            "After as written, on swipl: 5 reformulations reach n = 9",
        ),
    ],
    "clock": [
        (
            ("swipl", 3, 57),
            "Times of swipl from 10 ms on are CPU seconds of the processes that answered: in 3 of 57 runs wall and CPU "
            "seconds part by a fifth or more.",
        )
    ],
    "pooled_change": [
        (("the whole suite", 57, SLOWER), "the whole suite (57 cells): 2.0x slower [1.6, 2.5]"),
        (("swipl", 1, SAME), "swipl (1 cell): equally fast (1.0x [0.97, 1.1], within 1.1x)"),
        (("swipl", 2, OPEN), "swipl (2 cells): cannot be told apart here (2.0x [0.50, 8.0])"),
    ],
    "changes": [
        (
            ({"slower beyond noise": 1, "too noisy to tell": 2}, 1.25, 2, 1.04),
            "3 cells with times on both sides: 1 slower beyond noise, 2 too noisy to tell (threshold 1.25x). 2 of the "
            "3 intervals hold 1, no change at all; the median of new over old is 1.04.",
        )
    ],
}


def test_every_sentence_has_a_case() -> None:
    assert SENTENCE_CASES.keys() == SENTENCES.keys()


@pytest.mark.parametrize(
    ("name", "arguments", "said"), [(name, *case) for name, cases in SENTENCE_CASES.items() for case in cases]
)
def test_what_each_sentence_says(name: str, arguments: tuple[object, ...], said: str) -> None:
    assert SENTENCES[name](*arguments) == said


def test_comparing_words_stand_in_one_place_only() -> None:
    """Texts that are put together outside of `claims` hold no verb and no comparative of time."""
    root = Path(hexlogic.laboratory.report.__file__).parent
    found = []
    for path in sorted(root.rglob("*.py")):
        if path.parent.name != "claims":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found += [
                (path.name, part.value)
                for text in ast.walk(tree)
                if isinstance(text, ast.JoinedStr)
                for part in text.values
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and CLAIMS.search(part.value)
            ]
    allowed = [
        ("terminal.py", "RSF: the slowest time of the same reformulation"),
        ("quality.py", "most of that time is what any query costs."),
        ("passes.py", "RSF: the slowest time of the same reformulation"),
        ("passes.py", "engine); >=: a configuration met a limit"),
        ("passes.py", "Saves, costs and makes no difference are said of intervals that show it"),
    ]
    rest = [one for one in found if not any(one[0] == name and text in one[1] for name, text in allowed)]
    assert rest == []


times = st.floats(1e-5, 10.0)
samples = st.lists(times, min_size=1, max_size=6).map(tuple)
noises = st.one_of(st.none(), st.floats(1e-6, 1.0))
timings: st.SearchStrategy[Timing] = st.one_of(
    st.builds(Timed, samples, noises),
    st.builds(LimitReached, st.one_of(st.none(), times)),
    st.builds(Missing, st.just("unsupported")),
)


@settings(deadline=None)
@given(timings, timings)
def test_any_two_times_give_a_claim_that_holds(baseline: Timing, this: Timing) -> None:
    """A bound where a limit came first, nothing where there is nothing, and no more than the medians say."""
    relation = relate(baseline, this)
    match baseline, this:
        case Timed(), Timed():
            value, low, high = relation.value, relation.low, relation.high
            assert relation.kind in ("Faster", "Slower", "Same", "Undecided", "Once")
            assert value == pytest.approx(baseline.median_s / this.median_s)
            assert (relation.kind == "Once") == (low is None) == (high is None)
            if low is not None and high is not None:
                assert (relation.decides > 0) == (low > 1 and high > BAND)
        case LimitReached(), Timed():
            assert relation.kind in ("AtLeast", "NoBaseline")
            if relation.kind == "AtLeast":
                assert (relation.value or 0.0) <= (baseline.at_least_s or 0.0) / this.median_s * (1 + 1e-9)
        case Timed(), LimitReached():
            assert relation.kind in ("AtMost", "NoBaseline")
        case _:
            assert not relation.is_known


@settings(deadline=None)
@given(st.builds(Timed, samples, noises), st.lists(timings, max_size=5))
def test_a_savings_factor_is_exact_only_when_all_finished(this: Timed, among: list[Timing]) -> None:
    relation = against_slowest(this, among)
    assert (relation.kind == "AtLeast") == any(isinstance(one, LimitReached) for one in among)
    value = relation.value
    assert value is not None
    assert value >= 1
    if relation.kind == "AtLeast":
        medians = [one.median_s for one in among if isinstance(one, Timed)]
        floors = [one.at_least_s or 0.0 for one in among if isinstance(one, LimitReached)]
        assert (relation.value or 0.0) <= max([this.median_s, *medians, *floors]) / this.median_s * (1 + 1e-9)


@settings(deadline=None)
@given(st.floats(1e-4, 1e7), st.floats(1.0, 50.0), st.floats(1.0, 50.0))
def test_a_printed_interval_holds_the_true_one(value: float, below: float, above: float) -> None:
    found = Relation(value, value / below, value * above)
    units = {"k": 1e3, "M": 1e6}
    low, high = (
        float(part.rstrip("kM")) * units.get(part[-1], 1.0)
        for part in interval_text(found.low, found.high).strip("[]").split(", ")
    )
    assert low <= found.low * (1 + 1e-9)
    assert found.high <= high * (1 + 1e-9)
    assert entry(found).endswith(interval_text(found.low, found.high))
