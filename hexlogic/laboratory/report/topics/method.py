"""How it was measured, where, and what the figures do not say."""

import shlex
from collections.abc import Sequence

from hexlogic.laboratory.records.store import RecordFile
from hexlogic.laboratory.report.claims.relations import BAND
from hexlogic.laboratory.report.document import Block, Bullets, Column, Entry, Heading, make_table, number
from hexlogic.laboratory.report.entries import copied
from hexlogic.laboratory.report.formatting import listed
from hexlogic.laboratory.report.quality import doubts, explain_marks, waiting
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, SuiteRecords, questions

_HOW = (
    "A run is a process of its own under limits of time and memory; a referee that shares no code with the rules "
    "checks its answer. A time is that of the first answer, grounding and solving.",
    "A time is the median of the counted runs; one run that met a limit makes it a bound.",
    "A factor compares the same rules on the same engine, board and suite: a ratio of medians with a 95 % interval "
    "(Student's t on logarithms; the variance of a few repeats is drawn towards that of all configurations of the "
    "engine). Over several boards it is the geometric mean; its interval is the wider one of that from the repeats and "
    "that from the boards.",
    "*Saves* and *costs* are said of intervals and bounds that exclude 1, *no difference* of an interval within "
    + f"{BAND:g}x of 1. Other intervals are not told apart, other bounds decide nothing.",
    "RSF, the runtime savings factor: the slowest time of the same reformulation and engine over this one; a bound "
    "where any of them met its limit.",
    "A mark `*` says that a time is near that of the smallest query there is, `!` that runs vary by more than a tenth, "
    "`#` that wall and CPU time part. Where they part often, times from 10 ms on are CPU seconds.",
    "The positions were chosen because they are difficult: savings are larger here than on an average one.",
)


def _answer(results: Results, every: Sequence[SuiteRecords]) -> PageAnswer:
    files = [file for suite in every for file in suite.files]
    hosts = sorted({file.session.host for file in files})
    runs = sum(len(file.measurements) for file in files)
    sessions = "one session" if len(files) == 1 else f"{len(files)} sessions"
    finding = f"{'One run' if runs == 1 else f'{runs:,} runs'} in {sessions} on {listed(hosts)}."
    if len(hosts) > 1:
        finding += " Suites from different machines stand beside each other and never share a ratio."
    epilogs = [file.session.engines["epilog"] for file in files if "epilog" in file.session.engines]
    if all(info.missing is not None for info in epilogs):
        finding += " The paper's engine, Epilog in a browser, was not measured: its figures are to be compared in kind."
    marks = [f"{suite.suite}: {text}" for suite in results.suites for text in explain_marks(suite.configurations)]
    silent = [f"{each.title}: `{each.how}`." for each in questions() if not each.find(results)]
    warned = [f"{file.session.suite}: {text}" for file in files for text in doubts(file)]
    blocks: list[Block] = [Bullets(_HOW)]
    if warned or marks:
        blocks += [Heading("What to distrust in these records"), Bullets((*warned, *dict.fromkeys(marks)))]
    if silent:
        blocks += [Heading("What measures the rest"), Bullets(tuple(silent))]
    return PageAnswer(finding, [*blocks, make_table("sessions", "The sessions", _COLUMNS, files)])


def _engines(file: RecordFile) -> str:
    engines = file.session.engines
    return ", ".join(f"{name} {info.version or 'missing'}" for name, info in engines.items())


def _end(file: RecordFile) -> Entry:
    text = "cut off" if file.end is None else file.end.reason
    return Entry(text, text, "" if text == "completed" else "late")


_COLUMNS: Sequence[Column[RecordFile]] = (
    Column("suite", "suite", lambda file: file.session.suite),
    Column("started", "started (UTC)", lambda file: file.session.started[:16].replace("T", " ")),
    Column("cpu", "processor", lambda file: f"{file.session.cores} x {file.session.cpu_model or 'not known'}"),
    Column("load", "load before", lambda file: number(file.session.load_1m, ".1f"), numeric=True),
    Column("waiting", "wall / CPU time", lambda file: number(waiting(file), ".2f"), numeric=True),
    Column("engines", "engines", _engines),
    Column("limits", "limits a run", lambda file: str(file.session.limits)),
    Column("commit", "commit", lambda file: (file.session.commit or "")[:10] + ("+" * bool(file.session.dirty))),
    Column("runs", "runs", lambda file: len(file.measurements), numeric=True),
    Column("end", "end", _end),
    Column("repeat", "repeat", lambda file: copied(shlex.join(file.session.command))),
)

QUESTION = PageQuestion(
    name="method",
    title="Method",
    text="How was it measured, and what should be distrusted?",
    order=80,
    find=lambda results: results.suites,
    answer=_answer,
    how="hexlogic bench",
)
