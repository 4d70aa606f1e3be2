"""How time grows with the board: a line for each reformulation up to the first size without an answer, how far each
configuration comes, and what the rest would take.

Three shapes are tried, each a straight line through the logarithms: n^b (power), b^n (exponential) and n^(b n)
(steeper). The one with the least error is kept. Sizes at the small end whose value is below three times the smallest
measure the constant part, not the growth, and are left out while enough others remain.
"""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from hexlogic.games import Hex
from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.charts import Point, lines
from hexlogic.laboratory.report.claims.noise import LEVEL, two_sided_quantile
from hexlogic.laboratory.report.claims.relations import Estimate
from hexlogic.laboratory.report.claims.sentences import extrapolation, reached
from hexlogic.laboratory.report.document import Block, Bullets, Column, Entry, Figure, make_table, number
from hexlogic.laboratory.report.entries import copied, passes_text, pipeline_entry, repeat, time_text
from hexlogic.laboratory.report.formatting import counter_name, duration, listed, pipeline_name, pipeline_rank
from hexlogic.laboratory.report.published import PAPER, PAPER_SIZE
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, SuiteRecords
from hexlogic.laboratory.report.statistics import ConfigurationStats, question, seconds_of, work_counter

_PROPORTIONAL = "inferences"
"""The counter whose growth is that of the time: each inference takes about as long as any other."""

_CAPTION = "The first answer on each size, median; a line that meets the limit goes out of the picture."
_MANY = 2  # Engines that have a figure

Shape: TypeAlias = Literal["power", "exponential", "steeper"]

_SHAPES: Final[Mapping[Shape, Callable[[int], float]]] = {
    "power": lambda n: math.log(n),
    "exponential": lambda n: float(n),
    "steeper": lambda n: n * math.log(n),
}

_LEAST = 3  # Fewer sizes are not fitted: two parameters go through any two of them
_ENOUGH = 4  # While more sizes than these are there, those at the floor are left out

_FLOOR = 3.0

VAGUE = 1e4
"""An interval whose ends differ by more than this factor is useless."""


class Growth:
    """Least squares through the logarithms: `slope` is b of the power and of the steeper shape, and log b of the
    exponential one; `low` and `high` bound it at 95 %; `spread` is the standard deviation of the logarithms around the
    line."""

    def __init__(self, shape: Shape, points: Sequence[tuple[int, float]]) -> None:
        self.shape = shape
        self.sizes = tuple(size for size, _ in points)
        xs, ys = [_SHAPES[shape](size) for size in self.sizes], [math.log(value) for _, value in points]
        self._x, self._y = statistics.fmean(xs), statistics.fmean(ys)
        self._square = sum((x - self._x) ** 2 for x in xs)
        self.slope = statistics.linear_regression(xs, ys).slope
        rest = sum((y - self._y - self.slope * (x - self._x)) ** 2 for x, y in zip(xs, ys, strict=True))
        self.spread = math.sqrt(rest / (len(points) - 2))
        self._wide = two_sided_quantile(len(points) - 2, LEVEL) * self.spread
        self.low = self.slope - self._wide / math.sqrt(self._square)
        self.high = self.slope + self._wide / math.sqrt(self._square)

    def __str__(self) -> str:
        if self.shape == "exponential":
            slope, low, high = (f"{math.exp(value):.3g}" for value in (self.slope, self.low, self.high))
            return f"x{slope} per column ({low} to {high})"
        power = f"n^({self.slope:.2f} n)" if self.shape == "steeper" else f"n^{self.slope:.2f}"
        return f"{power} ({self.low:.2f} to {self.high:.2f})"

    def short(self) -> str:
        """The shape alone: `n^2.1`, `x17/column`, `n^(1.2 n)`."""
        if self.shape == "exponential":
            return f"x{math.exp(self.slope):.2g}/column"
        return f"n^({self.slope:.2f} n)" if self.shape == "steeper" else f"n^{self.slope:.1f}"

    def estimate(self, size: int) -> Estimate:
        """What the fit says of a size, with its prediction interval.

        >>> round(fit_growth([(n, 2.0 * n**3) for n in (4, 5, 6, 8)]).estimate(10).value)
        2000
        """
        x = _SHAPES[self.shape](size)
        middle = self._y + self.slope * (x - self._x)
        wide = self._wide * math.sqrt(1 + 1 / len(self.sizes) + (x - self._x) ** 2 / self._square)
        powers = middle, middle - wide, middle + wide
        return Estimate(*(math.exp(power) if power < 700 else math.inf for power in powers))


def fit_growth(points: Sequence[tuple[int, float]]) -> Growth | None:
    """The growth of values by size, zeros left out; None when fewer than three sizes are there or nothing grows.

    >>> str(fit_growth([(n, 7.0 * 3**n) for n in range(3, 9)]))
    'x3 per column (3 to 3)'
    >>> str(fit_growth([(n, 0.5 * n**2) for n in range(3, 9)]))
    'n^2.00 (2.00 to 2.00)'
    >>> fit_growth([(n, 1.0) for n in range(3, 9)]) is None
    True
    """
    used = sorted((size, value) for size, value in points if value > 0)
    least = used[0][1] if used else 0.0
    while len(used) > _ENOUGH and used[0][1] < _FLOOR * least:
        del used[0]
    if len(used) < _LEAST or used[-1][1] < _FLOOR * least:
        return None
    return min((Growth(shape, used) for shape in _SHAPES), key=lambda growth: growth.spread)


class Series:
    """One configuration on one family of boards, by size up to the first without an answer.

    `first` is the configuration on the smallest board; the others differ from it in the board alone. `timed` are those
    with a time, `last` the largest of them; `stopped` is the configuration that ended the series, None when it came to
    the last size of the suite. `time_growth` and `work_growth` say how its time and its work counter grow; None where
    nothing can be fitted or the engine has no counter.
    """

    def __init__(self, configs: Sequence[ConfigurationStats]) -> None:
        self.configurations = sorted(configs, key=lambda config: config.size)
        self.first = self.configurations[0]
        self.timed = [config for config in self.configurations if config.time_s]
        self.last = self.timed[-1] if self.timed else None
        self.time_s = self.timed[-1].time_s if self.timed else None
        self.stopped = None if self.configurations[-1].time_s else self.configurations[-1]
        self.time_growth = fit_growth([(config.size, seconds_of(config)) for config in self.timed])
        works = [(config.size, work_counter(config)) for config in self.timed]
        self.work_growth = fit_growth([(size, float(work.value)) for size, work in works if work is not None])

    @property
    def ended_by(self) -> str:
        """What ended the series, in a word."""
        if self.stopped is None:
            return "last size"
        return "WRONG" if self.stopped.status == "answered" else self.stopped.limit_met

    @property
    def basis(self) -> tuple[str, Growth | None, float]:
        """What is extrapolated, how it grows, and the seconds of one: inferences where they are counted, at the time
        that one took on the largest board, else the time itself."""
        largest = self.timed[-1]
        work = largest.counters.get(_PROPORTIONAL)
        if work and self.work_growth is not None:
            return counter_name(_PROPORTIONAL), self.work_growth, seconds_of(largest) / work
        return "time", self.time_growth, 1.0

    def estimate(self, size: int) -> Estimate | None:
        """Seconds that a query beyond the measured sizes would take.

        None when nothing can be fitted, when something else than the query ended the series, and when the fit leaves
        open by more than a factor of ten thousand what it would be.
        """
        if self.last is None or self.last.size >= size or self.stopped is None or self.stopped.floor_s is None:
            return None
        _, growth, each_s = self.basis
        if growth is None:
            return None
        count = growth.estimate(size)
        estimate = Estimate(count.value * each_s, count.low * each_s, count.high * each_s)
        return estimate if estimate.high <= VAGUE * estimate.low else None


def find_series(configs: Sequence[ConfigurationStats]) -> list[Series]:
    """The series among configurations, in the order of their first configurations; configurations on single boards are
    passed over."""
    members = [config for config in configs if config.mode is None and config.family]
    groups = grouped(members, lambda config: (*question(config)[:3], config.family, config.query))
    return [Series(group) for group in groups.values()]


def estimates(all_series: Sequence[Series]) -> list[str]:
    """The estimates with their intervals and fits, those of the paper's unfinished configurations first."""

    def is_unfinished(series: Series) -> bool:
        figure = PAPER.get(series.first.rule_set, {}).get(series.first.pipeline)
        return figure is not None and figure.time_ms is None

    sentences = []
    for series in sorted(all_series, key=lambda series: not is_unfinished(series)):
        if (estimate := series.estimate(PAPER_SIZE)) is not None:
            first, (what, fit, _) = series.first, series.basis
            sizes = listed([str(size) for size in fit.sizes]) if fit is not None else ""
            beside = ", which the paper stopped after 900 s" if is_unfinished(series) else ""
            name = f"{first.rule_set}, {pipeline_name(first.pipeline)}, on {first.engine}{beside}"
            grounds = f"from the growth of {what} at n = {sizes}: {fit}"
            sentences.append(extrapolation(name, PAPER_SIZE, estimate, grounds))
    return sentences


def _found(results: Results) -> list[Series]:
    every = [series for suite in results.suites for series in find_series(suite.configurations)]
    return [series for series in every if len(series.configurations) > 1]


def growth_figure(results: Results, engine: str | None = None) -> Figure | None:
    """The lines of an engine after the last pipeline: of the one with the most reformulations unless given."""
    every = _found(results)
    if (engine := engine or next(iter(_engines(every)), None)) is None:
        return None
    last = max((series.first.pipeline for series in every if series.first.engine == engine), key=pipeline_rank)
    drawn = [series for series in every if (series.first.engine, series.first.pipeline) == (engine, last)]
    points = [point for series in drawn for point in _points(series)]
    if not any(point.finished for point in points):
        return None
    furthest = max(point.place for point in points)
    ends = {series.first.rule_set: series.last.size if series.last else 0 for series in drawn}
    limits = {series.first.limits.cpu_s for series in drawn}
    title = reached(engine, passes_text(last), furthest, ends)
    axis = "board size n (n x n)" if drawn[0].first.game == Hex.name else "board size n"
    limit = limits.pop() if len(limits) == 1 else None
    return lines(f"growth-{engine}", title, _CAPTION, points, axis, limit)


def _points(series: Series) -> list[Point]:
    timed = [(config, seconds_of(config), True) for config in series.timed]
    if (stopped := series.stopped) is not None and stopped.status == "timeout":
        timed.append((stopped, stopped.floor_s or stopped.limits.cpu_s, False))
    return [
        Point(config.rule_set, config.size, time_s, finished, time_text(config), config.counted, repeat(config))
        for config, time_s, finished in timed
    ]


def _engines(every: Sequence[Series]) -> list[str]:
    """Those with the most reformulations first."""
    groups = grouped(every, lambda series: series.first.engine)
    return sorted(groups, key=lambda name: -len({series.first.rule_set for series in groups[name]}))


def _answer(results: Results, every: list[Series]) -> PageAnswer:
    drawn = [growth_figure(results, engine) for engine in _engines(every)[:_MANY]]
    titles = [f"{figure.title}." for figure in drawn if figure is not None]
    table = make_table("growth", "How far each configuration comes, and how its time grows", _COLUMNS, every)
    return PageAnswer(" ".join(titles) or "Nothing was answered on two sizes.", [*drawn, table])


def _blocks(suite: SuiteRecords) -> list[Block]:
    """On a terminal the same table for each rule set on each family of boards, and its estimates."""
    blocks: list[Block] = []
    every = find_series(suite.configurations)
    firsts = grouped(every, lambda series: (series.first.rule_set, series.first.family, series.first.query))
    for (rule_set, family, query), group in firsts.items():
        title = f"{rule_set} on {family}@n, {query}: growth"
        blocks += [make_table("growth", title, _COLUMNS[1:-1], group), Bullets(tuple(estimates(group)))]
    return blocks


_COLUMNS: tuple[Column[Series], ...] = (
    Column("rule_set", "reformulation", lambda series: series.first.rule_set),
    Column("engine", "engine", lambda series: series.first.engine, group=True),
    Column("pipeline", "passes", lambda series: pipeline_entry(series.first.pipeline)),
    Column("largest", "up to n", lambda s: number(s.last.size, "d") if s.last else Entry("-", 0), numeric=True),
    Column("time_s", "time there", lambda series: number(series.time_s, duration), numeric=True),
    Column("work", "work there", lambda series: work_counter(series.last) if series.last else None, numeric=True),
    Column("ended_by", "ended by"),
    Column("grows", "time grows as", lambda series: "" if series.time_growth is None else series.time_growth.short()),
    Column("repeat", "repeat", lambda series: copied(repeat(*series.configurations))),
)

QUESTION = PageQuestion(
    name="growth",
    title="Growth",
    text="How does time grow with the board?",
    order=30,
    find=_found,
    answer=_answer,
    how="hexlogic bench --suite scaling",
    blocks=_blocks,
    legend="time there: the first query in a fresh process on the largest board that was answered, {runs}. Limits per "
    "run: {limits}.",
)
