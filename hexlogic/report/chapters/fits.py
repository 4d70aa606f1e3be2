"""How far each configuration comes on a series of boards, how it grows, and what the rest would take."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.process.limits import MEGABYTE, Limits
from hexlogic.report.document import Column, Grid, Item, Tone, item
from hexlogic.report.growth import Growth
from hexlogic.report.paper import PAPER_SIZE
from hexlogic.report.series import Series, estimate_text
from hexlogic.report.words import milliseconds, pipeline_rank, pipeline_words, seconds

__all__ = ["fits_grid"]

_COLUMNS = (
    Column("rule_set", "reformulation", choices=True),
    Column("engine", "engine", choices=True),
    Column("pipeline", "passes", choices=True),
    Column("largest", "up to n", numeric=True),
    Column("time_s", "time there (ms)", numeric=True),
    Column("ended_by", "ended by", choices=True),
    Column("time_growth", "time grows as"),
    Column("work_growth", "work grows as"),
    Column("estimate_s", f"estimate for n = {PAPER_SIZE}", numeric=True),
    Column("estimate_low_s", "from (s)", numeric=True),
    Column("estimate_high_s", "to (s)", numeric=True),
)


def fits_grid(series: Sequence[Series], name: str, limits: Limits) -> Grid:
    """The table; its CSV file is called `name`."""
    order = sorted(series, key=lambda one: (one.name[0], one.name[2], pipeline_rank(one.name[1])))
    rows = tuple(_row(one, limits) for one in order)
    return Grid(name, "How far, and how it grows (shape with its 95 % interval)", _COLUMNS, rows)


def _row(one: Series, limits: Limits) -> tuple[Item, ...]:
    rule_set, pipeline, engine, _, _ = one.name
    timed = one.timed
    far = (Item("-", 0), Item("", None))
    if timed:
        size, _, time_s = timed[-1]
        far = Item(str(size), size), Item(milliseconds(time_s), time_s)
    found = one.estimate(PAPER_SIZE)
    ends = (None, None) if found is None else (found.low, found.high)
    return (
        item(rule_set),
        item(engine),
        Item(pipeline_words(pipeline), pipeline),
        *far,
        _end(one, limits),
        _growth(one.time_growth),
        _growth(one.work_growth),
        Item("", None) if found is None else Item(estimate_text(found), found.value, "late"),
        *(Item("", None) if end is None else Item(f"{end:,.3g}", end) for end in ends),
    )


def _end(one: Series, limits: Limits) -> Item:
    cell = one.stopped
    if cell is None:
        return item("last size")
    text: str = ""
    tone: Tone = ""
    match cell.status:
        case "timeout":
            text, tone = f"> {seconds(limits.cpu_s)}", "late"
        case "out-of-memory":
            text, tone = f"> {limits.memory_bytes / MEGABYTE:,.0f} MB", "late"
        case "answered":
            text, tone = "WRONG", "bad"
        case "unsupported":
            text, tone = "unsupported", "absent"
        case "crashed" | "error":
            text, tone = cell.status, "bad"
    return Item(text, cell.status, tone)


def _growth(growth: Growth | None) -> Item:
    return Item("", None) if growth is None else item(str(growth))
