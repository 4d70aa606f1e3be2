"""The query asked again: neither the grain of a clock nor a disturbance of the machine decides its time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from hexlogic.errors import EngineError
from hexlogic.laboratory.runs.kinds.question import BATCH_S, BATCHES, repeat_query
from hexlogic.language.engines import Answer

BUDGET_S = 5.0


def engine_with_grain(query_s: float, grain_s: float) -> Callable[[], Answer]:
    """Answers timed by a clock that only shows multiples of its grain, the queries at any phase of it."""
    chance = random.Random(1)

    def ask() -> Answer:
        begin = chance.random() * grain_s
        ticks = (begin + query_s) // grain_s - begin // grain_s
        return Answer(True, ticks * grain_s)

    return ask


@pytest.mark.parametrize("query_s", [0.13e-6, 0.7e-6, 5e-6, 40e-6, 300e-6])
def test_grain_of_the_clock_does_not_matter(query_s: float) -> None:
    """SWI-Prolog's clock is a float of seconds since 1970, which has a grain of a quarter of a microsecond."""
    found, asked = repeat_query(Answer(True, query_s), engine_with_grain(query_s, 2**-22), budget_s=BUDGET_S)
    assert found == pytest.approx(query_s, rel=0.02)
    assert asked * query_s >= BATCH_S * 0.9


@pytest.mark.takes_seconds
def test_clock_a_hundred_times_as_coarse_as_the_query() -> None:
    """Nearly every query takes no time at all on such a clock; a hundred ticks of it are enough all the same."""
    found, _ = repeat_query(Answer(True, 0.0), engine_with_grain(1e-6, 100e-6), budget_s=BUDGET_S, batch_s=0.01)
    assert found == pytest.approx(1e-6, rel=0.1)


def test_a_disturbed_query_does_not_decide() -> None:
    count = 0

    def ask() -> Answer:
        nonlocal count
        count += 1
        return Answer(True, 0.02 if count % 10 == 0 else 0.0005, 0.0005)

    found, asked = repeat_query(Answer(True, 0.001), ask, budget_s=BUDGET_S)
    assert found == pytest.approx(0.001)
    assert asked == BATCHES


def test_slow_query_is_not_repeated() -> None:
    assert repeat_query(Answer(True, 0.2), lambda: Answer(True, 0.2)) == (None, 0)


def test_budget_ends_the_repetitions(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def ask() -> Answer:
        now[0] += 0.01
        return Answer(False, 0.000_001)

    found, asked = repeat_query(Answer(False, 0.000_001), ask, budget_s=0.05)
    monkeypatch.undo()
    assert now[0] < 2, "one batch more than the budget at most, and a batch is a hundred queries"
    assert found == pytest.approx(0.000_001)
    assert asked == round(now[0] / 0.01)


def test_answer_that_changes_is_an_error() -> None:
    with pytest.raises(EngineError, match="changed its answer"):
        repeat_query(Answer(True, 0.001), lambda: Answer(False, 0.001), budget_s=BUDGET_S)
