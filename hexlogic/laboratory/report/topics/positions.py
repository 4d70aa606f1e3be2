"""Many positions: what it costs to judge thousands of positions at once, by each rule set and method, against one
after the other."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.laboratory.records.types import PositionsRun, grouped
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.noise import pooled_variances
from hexlogic.laboratory.report.claims.relations import LimitReached, Missing, Relation, Timed, Timing, relate
from hexlogic.laboratory.report.claims.sentences import adjective
from hexlogic.laboratory.report.document import Block, Column, Entry, make_table, number
from hexlogic.laboratory.report.entries import Sample, copied, megabytes, options_text, status_entry, with_interval
from hexlogic.laboratory.report.formatting import duration
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, SuiteRecords
from hexlogic.laboratory.report.statistics import median


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPositions(Sample):
    """A rule set on many positions of a board by one method, all its runs together: `pipeline` is the method, and times
    are CPU seconds of a position.

    `load_s` is the median time of a start, `peak_bytes` the most memory, `against` how it stands to the method `asked`
    (None where nothing is to compare).
    """

    load_s: float
    peak_bytes: int
    against: Relation | None

    @property
    def position_s(self) -> float | None:
        """The median of the runs; None unless every run ended."""
        return median(self.times_s)


def judged_positions(*suites: SuiteRecords) -> list[JudgedPositions]:
    """All rule sets, boards and methods: the largest board first, and on a board the fastest."""
    every: list[JudgedPositions] = []
    for suite in suites:
        counted = (run for run in suite.positions if run.counted)
        groups = grouped(counted, lambda run: (run.rule_set, run.size, run.method))
        times = {key: _times_s(runs) for key, runs in groups.items()}
        noise = pooled_variances((key[2], times_s) for key, times_s in times.items())
        timings = {key: _timing(runs, times[key], noise[key[2]]) for key, runs in groups.items()}
        limit, repeats = suite.session.limits.cpu_s, suite.session.repeats
        for (rule_set, size, method), runs in groups.items():
            timing, asked = timings[rule_set, size, method], timings.get((rule_set, size, "asked"))
            options = options_text(rules=[rule_set], positions=[size], limit=[limit], repeats=[repeats])
            judged = JudgedPositions(
                rule_set=rule_set,
                pipeline=method,
                engine=f"Batch, {method}",
                place=f"{size}x{size}",
                size=size,
                timing=timing,
                shown=_shown(runs, timing),
                limit="" if isinstance(timing, Timed) else runs[0].status,
                runs=len(runs),
                repeat=f"hexlogic bench {options}",
                load_s=statistics.median(run.phases.load_s or 0.0 for run in runs),
                peak_bytes=max(run.usage.peak_bytes or 0 for run in runs),
                against=None if asked is None or method == "asked" else relate(asked, timing),
            )
            every.append(judged)
    return sorted(every, key=lambda judged: (-judged.size, judged.position_s is None, judged.position_s or 0.0))


def _times_s(runs: Sequence[PositionsRun]) -> tuple[float, ...]:
    """The CPU seconds of a position in each run; empty unless every run ended."""
    spent = [(run.phases.query_cpu_s, run.positions) for run in runs if run.is_good]
    times = tuple(cpu_s / count for cpu_s, count in spent if cpu_s and count)
    return times if len(times) == len(runs) else ()


def _timing(runs: Sequence[PositionsRun], times_s: tuple[float, ...], noise: float | None) -> Timing:
    if times_s:
        return Timed(times_s, noise)
    return LimitReached() if any(run.status == "timeout" for run in runs) else Missing("no positions were judged")


def _shown(runs: Sequence[PositionsRun], timing: Timing) -> Entry:
    if isinstance(timing, Timed):
        return number(timing.median_s, duration)
    if any(run.category == "wrong" for run in runs):
        return Entry("WRONG", None, "bad")
    return status_entry(next((run.status for run in runs if run.status != "answered"), runs[0].status))


_COLUMNS: tuple[Column[JudgedPositions], ...] = (
    Column("rule_set", "reformulation"),
    Column("size", "n", numeric=True),
    Column("method", "method", lambda judged: judged.pipeline),
    Column("position_s", "a position", lambda judged: judged.shown, numeric=True),
    Column("factor", "against asked [95 %]", lambda judged: judged.against, numeric=True),
    Column("load_s", "start", lambda judged: number(judged.load_s, duration), numeric=True),
    Column("peak_bytes", "memory (MB)", lambda judged: number(judged.peak_bytes, megabytes()), numeric=True),
    Column("repeat", "repeat", lambda judged: copied(judged.repeat)),
)


def _blocks(suite: SuiteRecords) -> list[Block]:
    judged = judged_positions(suite)
    return [make_table("positions", "Many positions", _COLUMNS[:-1], judged)] if judged else []


_TIMES = "CPU time of a position on one core, both players; bars are the lowest and the highest run."


def _answer(results: Results, judged: list[JudgedPositions]) -> PageAnswer:
    table = make_table("positions", "Every rule set, board and method", _COLUMNS, judged)
    largest = [each for each in judged if each.size == judged[0].size and each.position_s]
    if not largest:
        return PageAnswer("No run judged its positions.", [table])
    best = largest[0]
    rules, place, takes = best.rule_set, best.place, duration(best.position_s or 1.0)
    against = "" if best.against is None else f"; against one after the other it is {adjective(best.against)}"
    finding = f"{rules} judges a position of {place} in {takes} ({best.pipeline}){against}."
    title = f"A position of {place} takes {takes} with {rules}"
    figure = dots("positions", title, _TIMES, [_dot(each) for each in largest], "time of a position", "seconds")
    return PageAnswer(finding, [figure, table])


def _dot(judged: JudgedPositions) -> Dot:
    value, low, high = judged.position_s or 1.0, min(judged.times_s), max(judged.times_s)
    shown, runs, again = with_interval(duration, value, low, high), judged.runs, judged.repeat
    return Dot(judged.rule_set, judged.pipeline, value, low=low, high=high, shown=shown, runs=runs, repeat=again)


QUESTION = PageQuestion(
    name="positions",
    title="Many positions",
    text="What does a position cost among millions?",
    order=45,
    find=lambda results: judged_positions(*results.suites),
    answer=_answer,
    how="hexlogic bench --positions 9",
    blocks=_blocks,
    legend="a position: CPU time on one core, both players, random positions by turns; packed: boards in machine "
    "words, 64 positions to a word; batch: arrays of bytes, packed on the way; asked: one after the other, on "
    "compiled; start: grounding, compilation and a check by the referee. Limits per run, everything included: "
    "{limits}.",
)
