"""Tables 1 and 2 of the paper, with our figures beside the printed ones."""

from __future__ import annotations

from hexlogic.report.chapters.common import again_item, factor_item, slug, time_item, work_item
from hexlogic.report.document import Block, Bullets, Chapter, Column, Grid, Heading, Item, Text
from hexlogic.report.findings import findings
from hexlogic.report.gather import Material, SuiteRecords
from hexlogic.report.marks import explain_marks
from hexlogic.report.paper import PAPER, PAPER_CAP_MS
from hexlogic.report.stats import CellStats, savings
from hexlogic.report.table import Notes
from hexlogic.report.words import pipeline_rank, pipeline_words, seconds

__all__ = ["paper_chapter"]

_COLUMNS = (
    Column("engine", "engine", choices=True),
    Column("pipeline", "GOTs applied", choices=True),
    Column("time_s", "time (ms)", numeric=True),
    Column("rsf", "RSF [95 %]", numeric=True),
    Column("again_s", "again (ms)", numeric=True),
    Column("work", "work", numeric=True),
    Column("paper_ms", "paper (ms)", numeric=True),
    Column("paper_rsf", "paper RSF", numeric=True),
)
_NUMBERS = {"power-set": "1", "clusters": "2"}


def paper_chapter(material: Material) -> Chapter | None:
    """The chapter; None when no board has the paper's rule sets with more than one pipeline."""
    blocks: list[Block] = []
    for suite in material.suites:
        tables = [block for name in PAPER for block in _tables(suite, name)]
        if tables and len(material.suites) > 1:
            blocks.append(Heading(f"Suite {suite.suite}"))
        blocks += tables
    if not blocks:
        return None
    lead = Text(
        "Guru and Weng (2019) timed two reformulations on a 9x9 board with 17 stones and no winning path, on Epilog "
        "in a browser, with a cap of 15 minutes. RSF, the runtime savings factor, is the slowest time of the same "
        "reformulation and engine divided by this one; where the slowest met its limit, the factor is at least that "
        "much. `again` is the same question asked once more in the same process, `work` SWI-Prolog's inferences, "
        "clingo's ground rules or egglog's rule matches, which repeat exactly. Pruning is described in the paper and "
        "not measured there."
    )
    return Chapter("paper", "The paper's Tables 1 and 2 beside ours", (lead, *blocks))


def _tables(suite: SuiteRecords, name: str) -> list[Block]:
    own = [cell for cell in suite.cells if cell.rule_set == name and "@" not in cell.task]
    blocks: list[Block] = []
    for task, query in dict.fromkeys((cell.task, cell.query) for cell in own):
        cells = [cell for cell in own if (cell.task, cell.query) == (task, query)]
        cells.sort(key=lambda cell: (suite.engines.index(cell.engine), pipeline_rank(cell.pipeline)))
        if len({cell.pipeline for cell in cells}) > 1:
            title = f"Table {_NUMBERS[name]}: {name} ({task}, {query})"
            notes = Notes()
            rows = tuple(_row(cell, cells, suite, notes) for cell in cells)
            file = slug(f"paper table {_NUMBERS[name]} {suite.suite} {task} {query}")
            blocks.append(Grid(file, title, _COLUMNS, rows, tuple(notes.texts)))
            told = findings(cells, suite.session.engines, suite.session.limits)
            blocks.append(Bullets((*told, *explain_marks(cells))))
    return blocks


def _row(cell: CellStats, among: list[CellStats], suite: SuiteRecords, notes: Notes) -> tuple[Item, ...]:
    saved = savings(cell, among)
    figure = PAPER[cell.rule_set].get(cell.pipeline)
    paper, printed = Item("", None), Item("", None)
    if figure is not None:
        cap = f"> {seconds(PAPER_CAP_MS / 1000)}"
        paper = Item(cap, None, "late") if figure.time_ms is None else Item(f"{figure.time_ms:g}", figure.time_ms)
        printed = Item(figure.rsf, figure.rsf)
    return (
        Item(cell.engine, cell.engine),
        Item(pipeline_words(cell.pipeline), cell.pipeline),
        time_item(cell, suite.session.limits, notes),
        factor_item(saved),
        again_item(cell),
        work_item(cell),
        paper,
        printed,
    )
