"""What changed from session to session: each configuration over those that measured it, tested as `compare` does."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.agreement import unlike
from hexlogic.laboratory.records.store import RecordFile
from hexlogic.laboratory.report.charts import Point, lines
from hexlogic.laboratory.report.claims.noise import RATE
from hexlogic.laboratory.report.comparison import ChangeVerdict, ComparedSide, Name, SideResult, SuiteComparison
from hexlogic.laboratory.report.document import Bullets, Column, Entry, Figure, make_table
from hexlogic.laboratory.report.entries import slug
from hexlogic.laboratory.report.formatting import duration, listed, pipeline_name
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results

_BARS = "▁▂▃▄▅▆▇█"
_DRAWN = 8  # Lines of a figure: those that changed most

_WORDS: dict[ChangeVerdict, str] = {"open": "too noisy to tell", "unknown": "measured once", "other": "no answer"}
_REPORTED: tuple[ChangeVerdict, ...] = ("wrong", "lost", "slower", "faster", "found", "corrected")


class Course:
    """A configuration over the sessions of a suite, None where one did not measure it; `verdicts` are those of the
    steps from a session to the next that can be compared with it.

    `times_s` are the times that it has, by session, `factor` says by how much the last one differs from the first,
    whichever way, and `label` is its name for people.
    """

    def __init__(self, suite: str, name: Name, results: Sequence[SideResult | None]) -> None:
        self.suite, self.name, self.results = suite, name, results
        self.verdicts: list[ChangeVerdict] = []
        self.times_s = times = [result.time_s for result in results if result is not None and result.time_s]
        self.factor = max(times[-1] / times[0], times[0] / times[-1]) if times else 1.0
        self.label = ", ".join(pipeline_name(part) if place == 1 else part for place, part in enumerate(name))

    @property
    def verdict(self) -> ChangeVerdict:
        """What matters most of its steps."""
        return next((verdict for verdict in _REPORTED if verdict in self.verdicts), (*self.verdicts, "unknown")[0])


class SuiteHistory(NamedTuple):
    """The sessions of a suite by start, the configurations over them, and sentences on steps that are not compared."""

    suite: str
    files: Sequence[RecordFile]
    courses: list[Course]
    notes: list[str]


def histories(results: Results) -> list[SuiteHistory]:
    """The suites that several sessions measured."""
    return [_history(suite.suite, suite.every) for suite in results.suites if suite.earlier]


def _history(suite: str, files: Sequence[RecordFile]) -> SuiteHistory:
    sides = [ComparedSide(Path(file.session.session), file) for file in files]
    measured = [side.results({}) for side in sides]
    names = dict.fromkeys(name for results in measured for name in results)
    courses = {name: Course(suite, name, [results.get(name) for results in measured]) for name in names}
    notes = []
    for number, (old, new) in enumerate(itertools.pairwise(sides), start=1):
        step = f"{suite}, session {number} to {number + 1}"
        if differing := unlike([old.records.session, new.records.session], code=False):
            notes.append(f"{step}: not compared, for they have different {listed(differing)}.")
            continue
        try:
            comparison = SuiteComparison(old, new)
        except SuiteError as error:
            notes.append(f"{step}: not compared ({error}).")
            continue
        for change in comparison.changes:
            courses[change.name].verdicts.append(change.verdict)
    return SuiteHistory(suite, files, list(courses.values()), notes)


def _answer(results: Results, every: list[SuiteHistory]) -> PageAnswer:
    courses = sorted((c for history in every for c in history.courses), key=lambda course: (_rank(course), course.name))
    counts = {word: sum(course.verdict == word for course in courses) for word in _REPORTED}
    parts = [f"{count} {'is' if count == 1 else 'are'} {word}" for word, count in counts.items() if count]
    summary = f"{listed(parts)} beyond noise" if parts else "no change is shown beyond noise"
    compared = sum(bool(course.verdicts) for course in courses)
    finding = f"Of {compared:,} configurations {summary}; of the changes {RATE:.0%} may be false alarms."
    if apart := len(courses) - compared:
        apart_text = f"{apart:,} are drawn and not compared; the reasons stand below."
        finding = f"{finding} {apart_text}" if compared else apart_text
    table = make_table("history", "Each configuration, first and last", _COLUMNS, courses)
    sessions = [_session(history, number) for history in every for number in range(len(history.files))]
    listed_below = Bullets((*sessions, *(note for history in every for note in history.notes)))
    return PageAnswer(finding, [*map(_figure, every), table, listed_below])


def _session(history: SuiteHistory, number: int) -> str:
    session = history.files[number].session
    commit = f"commit {(session.commit or 'not known')[:10]}{' and changes' if session.dirty else ''}"
    machine = f"{session.cores} x {session.cpu_model or 'processor not known'}"
    started = session.started[:16].replace("T", " ")
    return f"{history.suite}, session {number + 1}: {started}, {commit}, {machine}."


def _rank(course: Course) -> tuple[int, float]:
    return [*_REPORTED, course.verdict].index(course.verdict), -course.factor


def _figure(history: SuiteHistory) -> Figure | None:
    known = sorted((course for course in history.courses if len(course.times_s) > 1), key=_rank)
    drawn = [course.label.split(", ") for course in known[:_DRAWN]]
    apart = [len(set(parts)) > 1 for parts in zip(*drawn, strict=False)]  # a legend is narrow
    labels = [", ".join(itertools.compress(parts, apart)) or ", ".join(parts) for parts in drawn]
    points = [
        Point(label, number, result.time_s, True, duration(result.time_s), len(result.times), "")
        for label, course in zip(labels, known, strict=False)
        for number, result in enumerate(course.results, start=1)
        if result is not None and result.time_s
    ]
    if not points:
        return None
    most = known[0]
    change = f"from {duration(most.times_s[0])} to {duration(most.times_s[-1])} ({_word(most)})"
    caption = "Median times by session, of the configurations that changed most; the sessions are listed below."
    title = f"{history.suite}: {most.label} went {change}"
    return lines(f"history-{slug(history.suite)}", title, caption, points, "session")


def _word(course: Course) -> str:
    if not course.verdicts:
        return "not compared" if sum(result is not None for result in course.results) > 1 else "in one session"
    return _WORDS.get(course.verdict, course.verdict)


def _entry(course: Course, place: int) -> Entry:
    result = course.results[place]
    if result is None or result.time_s is None:
        return Entry("" if result is None else result.outcome, None, "absent")
    return Entry(duration(result.time_s), result.time_s)


_COLUMNS: tuple[Column[Course], ...] = (
    Column("suite", "suite"),
    Column("name", "configuration", lambda course: course.label),
    Column("first_s", "first", lambda course: _entry(course, 0), numeric=True),
    Column("last_s", "last", lambda course: _entry(course, -1), numeric=True),
    Column("bars", "all sessions", lambda c: "".join(_BARS[min(7, int(8 * s / max(c.times_s)))] for s in c.times_s)),
    Column("verdict", "change", _word),
)

QUESTION = PageQuestion(
    name="history",
    title="History",
    text="What changed from session to session?",
    order=75,
    find=histories,
    answer=_answer,
    how="hexlogic report OLD NEW",
)
