"""Many positions: what it costs to judge thousands of positions at once, by each rule set and method, against one
after the other."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.laboratory.records.types import PositionsRun, Session, grouped
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.noise import pooled_variances
from hexlogic.laboratory.report.claims.relations import LimitReached, Missing, Relation, Timed, Timing, relate
from hexlogic.laboratory.report.claims.sentences import adjective
from hexlogic.laboratory.report.document import Block, Column, Entry, make_table, number
from hexlogic.laboratory.report.entries import copied, factor_entry, megabytes, options_text, status_tone, with_interval
from hexlogic.laboratory.report.formatting import duration, limits_text
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, Section, SuiteRecords


@dataclass(frozen=True, slots=True)
class JudgedPositions:
    """A rule set on many positions of a board by one method, all its runs together, and how it stands to `asked`."""

    session: Session
    runs: tuple[PositionsRun, ...]
    timing: Timing
    against: Relation | None = None

    @property
    def first(self) -> PositionsRun:
        """The first run; the others differ in their times alone."""
        return self.runs[0]

    @property
    def position_s(self) -> float | None:
        """The median CPU seconds of a position."""
        return self.timing.median_s if isinstance(self.timing, Timed) else None

    @property
    def times_s(self) -> tuple[float, ...]:
        """The CPU seconds of a position in each run; empty unless every run ended."""
        return self.timing.times_s if isinstance(self.timing, Timed) else ()

    @property
    def repeat(self) -> str:
        """The command that measures it again, by all methods."""
        first, session = self.first, self.session
        parts = [("rules", first.rule_set), ("positions", f"{first.size}"), ("limit", f"{session.limits.cpu_s:g}")]
        return f"hexlogic bench {options_text([(name, [text]) for name, text in parts])} --repeats {session.repeats}"


def judged_positions(*suites: SuiteRecords) -> list[JudgedPositions]:
    """All rule sets, boards and methods: the largest board first, and on a board the fastest."""
    judged: list[JudgedPositions] = []
    for suite in suites:
        every = [run for run in suite.positions if run.counted]
        groups = grouped(every, lambda run: (run.rule_set, run.size, run.method))
        noise = pooled_variances((key[2], _times(runs)) for key, runs in groups.items())
        timings = {key: _timing(runs, noise.get(key[2])) for key, runs in groups.items()}
        for key, runs in groups.items():
            asked = timings.get((key[0], key[1], "asked"))
            against = None if asked is None or key[2] == "asked" else relate(asked, timings[key])
            judged.append(JudgedPositions(suite.session, tuple(runs), timings[key], against))
    return sorted(judged, key=lambda each: (-each.first.size, each.position_s is None, each.position_s or 0.0))


def _times(runs: Sequence[PositionsRun]) -> tuple[float, ...]:
    """CPU seconds of a position in each run; empty unless every run ended."""
    spent = [(run.phases.query_cpu_s, run.positions) for run in runs if run.is_good]
    times = tuple(cpu_s / count for cpu_s, count in spent if cpu_s and count)
    return times if len(times) == len(runs) else ()


def _timing(runs: Sequence[PositionsRun], noise: float | None) -> Timing:
    if times_s := _times(runs):
        return Timed(times_s, noise)
    return LimitReached() if any(run.status == "timeout" for run in runs) else Missing("no positions were judged")


def _time(judged: JudgedPositions) -> Entry:
    if judged.position_s is not None:
        return number(judged.position_s, duration)
    if any(run.category == "wrong" for run in judged.runs):
        return Entry("WRONG", None, "bad")
    worst = next((run.status for run in judged.runs if run.status != "answered"), judged.first.status)
    return Entry(worst, None, status_tone(worst))


_COLUMNS: tuple[Column[JudgedPositions], ...] = (
    Column("rule_set", "reformulation", lambda judged: judged.first.rule_set),
    Column("size", "n", lambda judged: number(judged.first.size), numeric=True),
    Column("method", "method", lambda judged: judged.first.method),
    Column("position_s", "a position", _time, numeric=True),
    Column("factor", "against asked [95 %]", lambda judged: factor_entry(judged.against), numeric=True),
    Column(
        "load_s",
        "start",
        lambda judged: number(statistics.median(run.phases.load_s or 0.0 for run in judged.runs), duration),
        numeric=True,
    ),
    Column(
        "peak_bytes",
        "memory (MB)",
        lambda judged: number(max(run.usage.peak_bytes or 0 for run in judged.runs), megabytes()),
        numeric=True,
    ),
    Column("repeat", "repeat", lambda judged: copied(judged.repeat)),
)


def _blocks(suite: SuiteRecords) -> list[Block]:
    judged = judged_positions(suite)
    return [make_table("positions", "Many positions", _COLUMNS[:-1], judged)] if judged else []


def _legend(session: Session) -> str:
    return (
        "a position: CPU time on one core, both players, random positions by turns; packed: boards in machine words, "
        "64 positions to a word; batch: arrays of bytes, packed on the way; asked: one after the other, on compiled; "
        "start: grounding, compilation and a check by the referee. Limits per run, everything included: "
        f"{limits_text(session.limits)}."
    )


SECTION = Section(name="positions", order=75, blocks=_blocks, legend=_legend)


_TIMES = "CPU time of a position on one core, both players; bars are the lowest and the highest run."


def _answer(results: Results, judged: list[JudgedPositions]) -> PageAnswer:
    table = make_table("positions", "Every rule set, board and method", _COLUMNS, judged)
    largest = [each for each in judged if each.first.size == judged[0].first.size and each.position_s]
    if not largest:
        return PageAnswer("No run judged its positions.", [table])
    best = largest[0]
    position_s = best.position_s or 1.0
    place = f"{best.first.size}x{best.first.size}"
    against = "" if best.against is None else f"; against one after the other it is {adjective(best.against)}"
    finding = (
        f"{best.first.rule_set} judges a position of {place} in {duration(position_s)} ({best.first.method}){against}."
    )
    title = f"A position of {place} takes {duration(position_s)} with {best.first.rule_set}"
    figure = dots("positions", title, _TIMES, [_dot(each) for each in largest], "time of a position", "seconds")
    return PageAnswer(finding, [figure, table])


def _dot(judged: JudgedPositions) -> Dot:
    position_s, low, high = judged.position_s or 1.0, min(judged.times_s), max(judged.times_s)
    return Dot(
        row=judged.first.rule_set,
        series=judged.first.method,
        value=position_s,
        low=low,
        high=high,
        shown=with_interval(duration, position_s, low, high),
        runs=len(judged.times_s),
        repeat=judged.repeat,
    )


QUESTION = PageQuestion(
    name="positions",
    title="Many positions",
    text="What does a position cost among millions?",
    order=45,
    find=lambda results: judged_positions(*results.suites),
    answer=_answer,
    how="hexlogic bench --positions 9",
)
