"""Growth: fits find the shape that made the data, intervals hold what they promise, estimates say that they are."""

from __future__ import annotations

import math
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.laboratory.records.types import Run, Status
from hexlogic.laboratory.report import render_report
from hexlogic.laboratory.report.statistics import summarise
from hexlogic.laboratory.report.topics.growth import Shape, find_series, fit_growth
from tests.laboratory.report.records import records, run

SHAPES = {
    "power": lambda n, b: n**b,
    "exponential": lambda n, b: math.exp(b * n),
    "steeper": lambda n, b: n ** (b * n),
}


@settings(deadline=None)
@given(st.sampled_from(sorted(SHAPES)), st.floats(1.2, 3), st.floats(1e-6, 1e6), st.integers(6, 12))
def test_exact_data_give_their_shape_back(shape: Shape, slope: float, scale: float, count: int) -> None:
    points = [(n, scale * SHAPES[shape](n, slope)) for n in range(3, 3 + count)]
    growth = fit_growth(points)
    assert growth is not None
    assert growth.shape == shape
    assert growth.slope == pytest.approx(slope)
    assert growth.estimate(20).value == pytest.approx(scale * SHAPES[shape](20, slope), rel=1e-3)


def test_intervals_hold_in_nineteen_cases_of_twenty() -> None:
    chance, fitted, held, foretold = random.Random(2019), 0, 0, 0
    for _ in range(600):
        noisy = [(n, 3.0 * n**2.5 * math.exp(chance.gauss(0, 0.1))) for n in range(6, 16)]
        growth = fit_growth(noisy)
        assert growth is not None
        if growth.shape != "power":
            continue
        fitted += 1
        held += growth.low <= 2.5 <= growth.high
        estimate = growth.estimate(18)
        foretold += estimate.low <= 3.0 * 18**2.5 * math.exp(chance.gauss(0, 0.1)) <= estimate.high
    assert fitted > 300
    assert 0.9 < held / fitted < 0.99
    assert 0.9 < foretold / fitted < 0.99


def test_the_constant_part_is_left_out() -> None:
    growth = fit_growth([(n, 1.0 + 0.001 * n**4) for n in (3, 4, 5, 6, 7, 8, 9, 12, 16, 23, 34)])
    assert growth is not None
    assert growth.sizes[0] > 5
    assert growth.shape == "power"
    assert 3.5 < growth.slope <= 4


def test_sizes_with_no_work_at_all_are_left_out() -> None:
    growth = fit_growth([(3, 0.0), (4, 0.0), *((n, 2.0 * n**3) for n in range(5, 10))])
    assert growth is not None
    assert (growth.shape, growth.sizes) == ("power", (6, 7, 8, 9))


@pytest.mark.parametrize("values", [[], [0.0, 0.0, 0.0], [1.0], [1.0, 9.0], [1.0, 1.1, 1.2, 1.3], [5.0, 4.0, 3.0]])
def test_too_little_to_fit(values: list[float]) -> None:
    assert fit_growth(list(enumerate(values, start=3))) is None


def on(size: int, one: Run) -> Run:
    return msgspec.structs.replace(one, task=f"difficult-1@{size}", rows=size, columns=size)


def climb(sizes: range, ms: float, work: int, each: float, last: Status | None, **options: object) -> list[Run]:
    """Runs of `power-set ground` on swipl whose time and work grow by `each`; then one that ends with `last`."""
    runs = [
        on(n, run("power-set", "ground", "swipl", ms * each ** (n - 3), work=round(work * each ** (n - 3))))
        for n in sizes
    ]
    if last is not None:
        runs.append(on(sizes[-1] + 1, run("power-set", "ground", "swipl", status=last, **options)))  # type: ignore[arg-type]
    return runs


def test_what_the_paper_stopped_is_estimated_with_its_fit() -> None:
    (series,) = find_series(summarise(climb(range(3, 7), 1.0, 40_000, 20, "timeout")))
    estimate = series.estimate(9)
    assert estimate is not None
    assert estimate.value == pytest.approx(0.001 * 20**6, rel=0.01)
    assert estimate.low <= estimate.value <= estimate.high
    text = " ".join(render_report(records(climb(range(3, 7), 1.0, 40_000, 20, "timeout"))).split())
    assert "swipl grounding 6 8.0 s 320,000,000 > 10 s x20/column" in text
    assert "power-set, grounding, on swipl, which the paper stopped after 900 s: at n = 9 an estimated 18 h" in text
    assert "from the growth of inferences at n = 3, 4, 5 and 6: x20 per column" in text


@pytest.mark.parametrize(
    ("last", "options"),
    [(None, {}), ("out-of-memory", {}), ("unsupported", {}), ("timeout", {"asked_cpu_s": None})],
)
def test_no_estimate_when_something_else_than_the_query_ended_it(last: Status | None, options: dict[str, None]) -> None:
    (series,) = find_series(summarise(climb(range(3, 7), 1.0, 40_000, 20, last, **options)))
    assert series.estimate(9) is None


def test_no_estimate_that_could_be_anything() -> None:
    """Three sizes whose times scatter: the interval would go from nothing to the age of the universe."""
    times = zip((3, 4, 5), (1.0, 80.0, 900.0), strict=True)
    runs = [on(n, run("power-set", "ground", "pydatalog", ms)) for n, ms in times]
    runs.append(on(6, run("power-set", "ground", "pydatalog", status="timeout")))
    (series,) = find_series(summarise(runs))
    assert series.time_growth is not None
    assert series.estimate(9) is None


def test_a_measured_size_is_not_estimated() -> None:
    (series,) = find_series(summarise(climb(range(3, 10), 0.01, 400, 3, "timeout")))
    assert series.estimate(9) is None
    assert series.estimate(10) is not None


def test_single_boards_are_no_series() -> None:
    assert find_series(summarise([run("clusters", "none", "swipl", 1.0)])) == []
