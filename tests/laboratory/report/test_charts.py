"""Charts as specifications: what a legend must tell apart."""

from __future__ import annotations

import json

import pytest

from hexlogic.ggp.machines import REASONERS
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.language.engines import engine_names


def colours(series: list[str]) -> dict[str, str]:
    """The colour of each series, as the scale of the chart gives it."""
    found = [Dot(row="a", series=name, value=1.0, shown="1", runs=1, repeat="hexlogic") for name in series]
    figure = dots("picture", "Title", "Caption", found, "times as fast")
    scales: list[dict[str, list[str]]] = []

    def look(part: object) -> None:
        if isinstance(part, dict):
            if "domain" in part and str(part.get("range", [""])[0]).startswith("#"):
                scales.append(part)
            for inner in part.values():
                look(inner)
        elif isinstance(part, list):
            for inner in part:
                look(inner)

    look(json.loads(json.dumps(figure.spec)))
    (scale,) = {json.dumps([one["domain"], one["range"]]) for one in scales}
    domain, shades = json.loads(scale)
    return dict(zip(domain, shades, strict=True))


@pytest.mark.parametrize(
    "series",
    [
        list(engine_names()),
        [*REASONERS.names(), "by hand"],
        ["one's own", *REASONERS.names(), "by hand", "another"],
        [f"rules {number}" for number in range(12)],
    ],
)
def test_each_series_has_a_colour_of_its_own(series: list[str]) -> None:
    found = colours(series)
    assert sorted(found) == sorted(series)
    assert len(set(found.values())) == len(series)


def test_an_engine_has_the_same_colour_in_every_chart() -> None:
    assert colours(["clingo", "swipl"])["swipl"] == colours(["mine", "swipl", "egglog"])["swipl"]
