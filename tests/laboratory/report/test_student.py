"""The statistics of the report agree with scipy's, which is an oracle here and no dependency."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtr, stdtrit
from scipy.stats import false_discovery_control

from hexlogic.laboratory.report.claims.noise import discoveries, two_sided_p, two_sided_quantile

FREEDOMS = st.floats(0.5, 1e4)


@settings(deadline=None)
@given(st.floats(1e-6, 40), FREEDOMS)
def test_probabilities_are_those_of_scipy(t: float, freedom: float) -> None:
    assert two_sided_p(t, freedom) == pytest.approx(2 * float(stdtr(freedom, -t)), rel=1e-9, abs=1e-300)


@settings(deadline=None)
@given(FREEDOMS, st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.999]))
def test_quantiles_are_those_of_scipy(freedom: float, level: float) -> None:
    assert two_sided_quantile(freedom, level) == pytest.approx(float(stdtrit(freedom, (1 + level) / 2)), rel=1e-8)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_discoveries_are_those_of_scipy(chances: list[float]) -> None:
    adjusted = false_discovery_control(chances)
    for found, wanted in zip(discoveries(chances, 0.05), adjusted, strict=True):
        assert found == (wanted <= 0.05) or wanted == pytest.approx(0.05, rel=1e-12)
