"""A session on a terminal of 100 columns: the blocks of all questions, their legends and warnings; and as data."""

import re
import textwrap
from collections.abc import Iterable

from tabulate import SEPARATING_LINE, tabulate

from hexlogic.laboratory.records.store import RecordFile
from hexlogic.laboratory.report.document import Block, Bullets, Command, Drawing, Figure, Heading, Listing, Table, Text
from hexlogic.laboratory.report.quality import clock_findings, doubts, explain_marks, wrong_answers
from hexlogic.laboratory.report.results import SuiteRecords, questions
from hexlogic.laboratory.report.statistics import savings
from hexlogic.laboratory.report.topics.playouts import play_data
from hexlogic.laboratory.report.topics.positions import judged_positions

WIDTH = 100


def render_report(records: RecordFile) -> str:
    """Tables, each with what it shows, how to read them, and at the end, where it is seen, what is wrong."""
    suite = SuiteRecords([records])
    asked = [config for config in suite.configurations if config.mode is None]
    blocks: list[Block] = []
    reading: list[str] = []
    repeats, limits = records.session.repeats, records.session.limits
    runs = "one run" if repeats == 1 else f"median of {repeats} runs (fewer of slow ones)"
    for question in questions():
        if shown := question.blocks(suite):
            blocks += shown
            reading.append(question.legend.format(runs=runs, limits=limits))
    reading = [*reading, *explain_marks(asked), *clock_findings(suite.configurations)]
    wrong = wrong_answers(suite) + doubts(records)
    return render_blocks([*blocks, Bullets(tuple(reading)), *map(Text, wrong)]) + "\n"


def report_data(records: RecordFile) -> dict[str, object]:
    """`cells` (the raw values of `ConfigurationStats` and its factor) and `findings`, for
    JSON: raw seconds, and the factors beside them; `positions` where many were judged at once."""
    suite = SuiteRecords([records])
    rows = []
    for config in suite.configurations:
        saved = savings(config, suite.configurations)
        factor = {"rsf": saved.value, "rsf_low": saved.low, "rsf_high": saved.high}
        rows.append(config.data() | factor | {"rsf_is_bound": saved.kind == "AtLeast"})
    sentences = [text for block in session_blocks(suite) if isinstance(block, Bullets) for text in block.texts]
    data: dict[str, object] = {"cells": rows, "findings": sentences}
    if judged := judged_positions(suite):
        data["positions"] = [
            {"rule_set": each.rule_set, "size": each.size, "method": each.pipeline, "times_s": each.times_s}
            for each in judged
        ]
    return data | play_data(records.playings) if records.playings else data


def session_blocks(suite: SuiteRecords) -> list[Block]:
    """The blocks of all questions for a suite."""
    return [block for question in questions() for block in question.blocks(suite)]


def render_blocks(blocks: Iterable[Block]) -> str:
    """The blocks, with an empty line between any two of them; figures and tables without rows are left out.

    >>> from hexlogic.laboratory.report.document import Column, plain
    >>> columns = Column("engine", "engine", group=True), Column("time_s", "time (ms)", numeric=True)
    >>> rows = [(plain("swipl"), plain("1.0")), (plain("swipl"), plain("2.0")), (plain("clingo"), plain("> 10 s"))]
    >>> print(render_blocks([Table("file", "title", columns, tuple(rows)), Bullets(("One.", "Two."))]))
    title
    <BLANKLINE>
    engine      time
                (ms)
    --------  ------
    swipl        1.0
                 2.0
    --------  ------
    clingo    > 10 s
    <BLANKLINE>
    One.
    Two.
    """
    return "\n\n".join(text for block in blocks if (text := _block(block)))


def _block(block: Block) -> str:
    match block:
        case Table():
            return _table(block) if block.rows else ""
        case Bullets(texts=texts):
            return "\n".join(map(wrapped, texts))
        case Text(text=text) | Heading(text=text):
            return wrapped(text)
        case Command(text=text):
            return f"$ {text}"
        case Figure() | Drawing() | Listing():
            return ""


def _table(table: Table) -> str:
    columns = table.columns
    groups = [place for place, column in enumerate(columns) if column.group]
    rows: list[list[str] | str] = []
    before: list[str] | None = None
    for row in table.rows:
        group = [row[place].text for place in groups]
        if groups and before not in (None, group):
            rows.append(SEPARATING_LINE)
        rows.append(["" if place in groups and group == before else entry.text for place, entry in enumerate(row)])
        before = group
    widths = [max((len(row[place].text) for row in table.rows), default=0) for place in range(len(columns))]
    heads = [_head(column.head, width) for column, width in zip(columns, widths, strict=True)]
    align = ["right" if column.numeric else "left" for column in columns]
    text = tabulate(rows, headers=heads, tablefmt="simple", colalign=align, disable_numparse=True)
    notes = [wrapped(f"[{place}] {note}", hang=4) for place, note in enumerate(table.notes, start=1)]
    return "\n".join([wrapped(table.title), "", *(line.rstrip() for line in text.splitlines()), *notes])


def _head(text: str, width: int) -> str:
    """The head of a column, in lines that are no wider than its entries where its words allow that."""
    if "\n" not in text:
        text = re.sub(r" (?=[(\[])", "\n", text)
    return "\n".join(
        line for part in text.split("\n") for line in textwrap.wrap(part, max(width, 6), break_long_words=False)
    )


def wrapped(text: str, hang: int = 2) -> str:
    """A paragraph in lines of at most `WIDTH`, but for words that are longer."""
    return textwrap.fill(text, WIDTH, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)
