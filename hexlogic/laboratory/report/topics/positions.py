"""Many positions: what it costs to judge thousands of positions at once, by each rule set and method, against one
after the other."""

import statistics
from collections.abc import Sequence

from hexlogic.laboratory.records.types import PositionsRun, Session, grouped
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.noise import pooled_variances
from hexlogic.laboratory.report.claims.relations import LimitReached, Missing, Relation, Timed, Timing, relate
from hexlogic.laboratory.report.claims.sentences import adjective
from hexlogic.laboratory.report.document import Block, Column, Entry, make_table, number
from hexlogic.laboratory.report.entries import Sample, copied, megabytes, options_text, status_entry, with_interval
from hexlogic.laboratory.report.formatting import duration
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, SuiteRecords
from hexlogic.laboratory.report.statistics import median


class JudgedPositions:
    """A rule set on many positions of a board by one method, all its runs together.

    `first` is a run, from which the others differ in their times alone. `times_s` are the CPU seconds of a position in
    each run, empty unless every run ended, and `position_s` is their median; `load_s` the median time of a start,
    `peak_bytes` the most memory. `against` is how it stands to the method `asked`; None where nothing is to compare.
    """

    def __init__(self, session: Session, runs: Sequence[PositionsRun]) -> None:
        self.session = session
        self.runs = runs
        self.first = runs[0]
        spent = [(run.phases.query_cpu_s, run.positions) for run in runs if run.is_good]
        times = tuple(cpu_s / count for cpu_s, count in spent if cpu_s and count)
        self.times_s = times if len(times) == len(runs) else ()
        self.position_s = median(self.times_s)
        self.load_s = statistics.median(run.phases.load_s or 0.0 for run in runs)
        self.peak_bytes = max(run.usage.peak_bytes or 0 for run in runs)
        self.noise: float | None = None
        self.against: Relation | None = None

    @property
    def timing(self) -> Timing:
        """The time of a position as what relations are made from."""
        if self.times_s:
            return Timed(self.times_s, self.noise)
        is_late = any(run.status == "timeout" for run in self.runs)
        return LimitReached() if is_late else Missing("no positions were judged")

    @property
    def sample(self) -> Sample:
        """The same for a table of evidence: the time of a position."""
        return Sample(
            rule_set=self.first.rule_set,
            pipeline=self.first.method,
            engine=f"Batch, {self.first.method}",
            place=f"{self.first.size}x{self.first.size}",
            size=self.first.size,
            timing=self.timing,
            shown=_time(self),
            limit="" if self.times_s else self.first.status,
            runs=len(self.runs),
            repeat=self.repeat,
        )

    @property
    def repeat(self) -> str:
        """The command that measures it again, by all methods."""
        limit, repeats = self.session.limits.cpu_s, self.session.repeats
        options = options_text(
            rules=[self.first.rule_set], positions=[self.first.size], limit=[limit], repeats=[repeats]
        )
        return f"hexlogic bench {options}"


def judged_positions(*suites: SuiteRecords) -> list[JudgedPositions]:
    """All rule sets, boards and methods: the largest board first, and on a board the fastest."""
    every: list[JudgedPositions] = []
    for suite in suites:
        groups = grouped(
            (run for run in suite.positions if run.counted), lambda run: (run.rule_set, run.size, run.method)
        )
        judged = {key: JudgedPositions(suite.session, runs) for key, runs in groups.items()}
        noise = pooled_variances((key[2], positions.times_s) for key, positions in judged.items())
        for key, positions in judged.items():
            positions.noise = noise[key[2]]
        for (rule_set, size, method), positions in judged.items():
            asked = judged.get((rule_set, size, "asked"))
            if asked is not None and method != "asked":
                positions.against = relate(asked.timing, positions.timing)
        every += judged.values()
    return sorted(every, key=lambda each: (-each.first.size, each.position_s is None, each.position_s or 0.0))


def _time(judged: JudgedPositions) -> Entry:
    if judged.position_s is not None:
        return number(judged.position_s, duration)
    if any(run.category == "wrong" for run in judged.runs):
        return Entry("WRONG", None, "bad")
    return status_entry(next((run.status for run in judged.runs if run.status != "answered"), judged.first.status))


_COLUMNS: tuple[Column[JudgedPositions], ...] = (
    Column("rule_set", "reformulation", lambda judged: judged.first.rule_set),
    Column("size", "n", lambda judged: number(judged.first.size), numeric=True),
    Column("method", "method", lambda judged: judged.first.method),
    Column("position_s", "a position", _time, numeric=True),
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
    largest = [each for each in judged if each.first.size == judged[0].first.size and each.position_s]
    if not largest:
        return PageAnswer("No run judged its positions.", [table])
    best, place = largest[0], f"{judged[0].first.size}x{judged[0].first.size}"
    rules, takes = best.first.rule_set, duration(best.position_s or 1.0)
    against = "" if best.against is None else f"; against one after the other it is {adjective(best.against)}"
    finding = f"{rules} judges a position of {place} in {takes} ({best.first.method}){against}."
    title = f"A position of {place} takes {takes} with {rules}"
    figure = dots("positions", title, _TIMES, [_dot(each) for each in largest], "time of a position", "seconds")
    return PageAnswer(finding, [figure, table])


def _dot(judged: JudgedPositions) -> Dot:
    first, value, low, high = judged.first, judged.position_s or 1.0, min(judged.times_s), max(judged.times_s)
    shown, runs = with_interval(duration, value, low, high), len(judged.times_s)
    return Dot(first.rule_set, first.method, value, low=low, high=high, shown=shown, runs=runs, repeat=judged.repeat)


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
