"""How it was measured, where, and what the figures do not say."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from hexlogic.report.caveats import doubts, explain_marks, waiting
from hexlogic.report.claims.relations import BAND
from hexlogic.report.document import Block, Bullets, Column, Entry, Heading, make_table, number
from hexlogic.report.formatting import limits_text, listed
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.repeat import copied
from hexlogic.report.topic import PageAnswer, PageQuestion
from hexlogic.runs.store import RecordFile

__all__ = ["QUESTION"]

_HOW = (
    "A run is a process of its own under limits of time and memory; its answer is compared with a referee's that "
    "shares no code with the rules. A time is the first answer in a fresh process, grounding and solving.",
    "A time is the median of the counted runs. One run that met a limit decides: then there is a bound and no time.",
    "A factor compares the same rules on the same engine, board and suite: a ratio of medians with a 95 % interval "
    "(Student's t on logarithms; the variance of a few repeats is drawn towards that of all configurations of the "
    "engine). Over several boards it is the geometric mean, and its interval the wider one of two: from the repeats, "
    "and from how much the boards differ.",
    "*Saves* and *costs* are said of intervals that exclude 1, *no difference* of one within "
    + f"{BAND:g}x of 1; all else is not told apart.",
    "RSF, the runtime savings factor: the slowest time of the same reformulation and engine over this one; a bound "
    "where any of them met its limit.",
    "A mark `*` says that a time is near that of the smallest query there is, `!` that runs vary by more than a tenth, "
    "`#` that wall and CPU time part. Where they part often, times from 10 ms on are CPU seconds.",
    "A handful of fixed positions is not the game: they were chosen because they are difficult, so savings are larger "
    "here than on an average position.",
)


def _answer(material: Material, every: Sequence[SuiteRecords]) -> PageAnswer:
    found = [file for suite in every for file in suite.files]
    hosts = sorted({one.session.host for one in found})
    runs = sum(len(one.runs) + len(one.playings) for one in found)
    finding = f"{runs:,} runs in {len(found)} sessions on {listed(hosts)}."
    if len(hosts) > 1:
        finding += " Suites from different machines stand beside each other and never share a ratio."
    if not any("epilog" in one.session.engines for one in found):
        finding += " The paper's engine, Epilog in a browser, was not measured: its figures are to be compared in kind."
    marks = [text for suite in material.suites for text in explain_marks(suite.configurations)]
    warned = [f"{one.session.suite}: {text}" for one in found for text in doubts(one)]
    blocks: list[Block] = [Bullets(_HOW)]
    if warned or marks:
        blocks += [Heading("What to distrust in these records"), Bullets((*warned, *dict.fromkeys(marks)))]
    return PageAnswer(finding, [*blocks, make_table("sessions", "The sessions", _COLUMNS, found)])


def _engines(one: RecordFile) -> str:
    engines = one.session.engines
    return ", ".join(f"{name} {info.version or 'missing'}" for name, info in engines.items())


def _end(one: RecordFile) -> Entry:
    end = one.end
    text = "cut off" if end is None else end.reason
    return Entry(text, text, "" if text == "completed" else "late")


_COLUMNS: Sequence[Column[RecordFile]] = (
    Column("suite", "suite", lambda one: one.session.suite),
    Column("started", "started (UTC)", lambda one: one.session.started[:16].replace("T", " ")),
    Column("cpu", "processor", lambda one: f"{one.session.cores} x {one.session.cpu_model or 'not known'}"),
    Column("load", "load before", lambda one: number(one.session.load_1m, ".1f"), numeric=True),
    Column("waiting", "wall / CPU time", lambda one: number(waiting(one), ".2f"), numeric=True),
    Column("engines", "engines", _engines),
    Column("limits", "limits a run", lambda one: limits_text(one.session.limits)),
    Column("commit", "commit", lambda one: (one.session.commit or "")[:10] + ("+" * bool(one.session.dirty))),
    Column("runs", "runs", lambda one: len(one.runs) + len(one.playings), numeric=True),
    Column("end", "end", _end),
    Column("repeat", "repeat", lambda one: copied(shlex.join(one.session.command))),
)

QUESTION = PageQuestion(
    name="method",
    title="Method and machine",
    text="How was it measured, and what should be distrusted?",
    order=80,
    find=lambda material: material.every,
    answer=_answer,
    how="hexlogic bench",
)
