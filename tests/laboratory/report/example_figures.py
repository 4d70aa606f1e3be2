"""Figures of the example report, computed again from its records by polars."""

from __future__ import annotations

import html
import math
import re
from collections import Counter
from collections.abc import Iterator

import polars as pl
from scipy.stats import t as student

from tests.checkout import CHECKOUT

EXAMPLE = CHECKOUT / "docs" / "example-report"


def row(cells: pl.DataFrame, **key: str) -> dict[str, object]:
    (found,) = cells.filter(**key).iter_rows(named=True)
    return found


def interval(pairs: list[tuple[dict, dict]]) -> tuple[float, float, float]:
    """The geometric mean of before over after, with the wider of the two intervals."""
    logs = [math.log(before["median"] / after["median"]) for before, after in pairs]
    sides = [side for pair in pairs for side in pair]
    variance = sum(side["error"] for side in sides)
    freedom = variance**2 / sum(side["error"] ** 2 / side["freedom"] for side in sides)
    half = student.ppf(0.975, freedom) * math.sqrt(variance) / len(pairs)
    if len(pairs) > 1:
        half = max(half, student.ppf(0.975, len(logs) - 1) * pl.Series(logs).std() / math.sqrt(len(logs)))
    mean = sum(logs) / len(logs)
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def highest(cell: dict) -> float:
    """The upper end of the interval of a median."""
    return cell["median"] * math.exp(student.ppf(0.975, cell["freedom"]) * math.sqrt(cell["error"]))


def shown(table: str) -> Iterator[list[str]]:
    """The rows of a table of the front page as a reader sees them."""
    page = (EXAMPLE / "index.html").read_text(encoding="utf-8")
    body = re.search(rf'(?s)id="table-{table}".*?<tbody>(.*?)</tbody>', page)
    assert body is not None
    for line in re.findall(r"(?s)<tr>(.*?)</tr>", body[1]):
        cells = re.findall(r"(?s)<td[^>]*>(.*?)</td>", line)
        yield [html.unescape(re.sub(r"<[^>]+>", "", cell)) for cell in cells]


MODES = ("anew", "followed")
SCALE = {"": 1, "k": 1e3, "M": 1e6}


def agrees(text: str, found: tuple[float, float, float]) -> bool:
    """Whether `11x [7.4, 16]` says these three: two digits, the ends rounded outwards."""
    said = re.fullmatch(r"([\d.,]+)x \[([\d.]+)([kM]?), ([\d.]+)([kM]?)\]", text)
    assert said is not None, text
    value = float(said[1].replace(",", ""))
    low, high = float(said[2]) * SCALE[said[3]], float(said[4]) * SCALE[said[5]]
    near = abs(value / found[0] - 1) < 0.06
    return near and 0.89 * found[1] <= low <= found[1] * 1.001 and found[2] * 0.999 <= high <= found[2] * 1.11


PASSES = {
    "none": "none",
    "grounding": "ground",
    "reordering": "reorder",
    "both": "ground,reorder",
}


def asked_of_most(own: pl.DataFrame) -> pl.DataFrame:
    """The questions that most candidates were asked, of the candidates that were asked all of them: one that met its
    limit on a board was not asked about larger ones, and counts as asked."""
    places = {(suite, task): (*task.split("@"), "0")[:2] for suite, task in own.select("suite", "task").iter_rows()}
    asked: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for one in own.iter_rows(named=True):
        mine = asked.setdefault((one["rule_set"], one["pipeline"]), set())
        mine.add((one["suite"], one["task"]))
        board, size = places[one["suite"], one["task"]]
        if not one["good"]:
            mine |= {
                place
                for place, (other, larger) in places.items()
                if place[0] == one["suite"] and other == board and int(larger) > int(size) > 0
            }
    times = Counter(place for found in asked.values() for place in found)
    common = {place for place in times if times[place] == max(times.values())}
    whole = {candidate for candidate, found in asked.items() if common <= found}
    return own.filter(
        pl.struct("suite", "task").map_elements(lambda one: tuple(one.values()) in common, return_dtype=pl.Boolean),
        pl.struct("rule_set", "pipeline").map_elements(
            lambda one: tuple(one.values()) in whole, return_dtype=pl.Boolean
        ),
    )
