"""Many positions: what it costs to judge thousands of positions at once, by each rule set and method, against one
after the other."""

from __future__ import annotations

import statistics

from hexlogic.report.charts import Dot, dots
from hexlogic.report.claims.phrases import adjective
from hexlogic.report.document import Block, Column, Entry, make_table, number
from hexlogic.report.dots import with_interval
from hexlogic.report.entries import factor_entry, megabytes, status_tone
from hexlogic.report.formatting import duration, limits_text
from hexlogic.report.judgings import Judging, judgings
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.playouts import rate_text
from hexlogic.report.repeat import copied
from hexlogic.report.topic import PageAnswer, PageQuestion, Section
from hexlogic.runs.records import Session

__all__ = ["QUESTION", "SECTION"]


def _time(one: Judging) -> Entry:
    if one.position_s is not None:
        return number(one.position_s, duration)
    if any(run.category == "wrong" for run in one.runs):
        return Entry("WRONG", None, "bad")
    worst = next((run.status for run in one.runs if run.status != "answered"), one.first.status)
    return Entry(worst, None, status_tone(worst))


_COLUMNS: tuple[Column[Judging], ...] = (
    Column("rule_set", "reformulation", lambda one: one.first.rule_set),
    Column("size", "n", lambda one: number(one.first.size), numeric=True),
    Column("method", "method", lambda one: one.first.method),
    Column("position_s", "a position", _time, numeric=True),
    Column(
        "factor", "against asked [95 %]", lambda one: factor_entry(one.against) if one.against else "", numeric=True
    ),
    Column(
        "load_s",
        "start",
        lambda one: number(statistics.median(run.phases.load_s or 0.0 for run in one.runs), duration),
        numeric=True,
    ),
    Column(
        "peak_bytes",
        "memory (MB)",
        lambda one: number(max(run.usage.peak_bytes or 0 for run in one.runs), megabytes()),
        numeric=True,
    ),
)


def _blocks(suite: SuiteRecords) -> list[Block]:
    found = judgings(suite)
    return [make_table("positions", "Many positions", _COLUMNS, found)] if found else []


def _legend(session: Session) -> str:
    return (
        "a position: CPU time on one core, both players, random positions by turns; packed: boards in machine words, "
        "64 positions to a word; batch: arrays of bytes, packed on the way; asked: one after the other, on compiled; "
        "start: grounding, compilation and a check by the referee. Limits per run, everything included: "
        f"{limits_text(session.limits)}."
    )


SECTION = Section(name="positions", order=75, blocks=_blocks, legend=_legend)


_TIMES = "CPU time of a position on one core, both players; bars are the lowest and the highest run."


def _answer(material: Material, found: list[Judging]) -> PageAnswer:
    table = make_table("positions", "Every rule set, board and method", [*_COLUMNS, _REPEAT], found)
    own = [one for one in found if one.first.size == found[0].first.size and one.position_s]
    if not own:
        return PageAnswer("No run judged its positions.", [table])
    best = own[0]
    position_s = best.position_s or 1.0
    rate = f"{rate_text(1 / position_s)} positions a second of {best.first.size}x{best.first.size}"
    against = "" if best.against is None else f"; against one after the other it is {adjective(best.against)}"
    finding = f"{best.first.rule_set} judges {rate} ({best.first.method}){against}."
    title = f"A position of {best.first.size}x{best.first.size} takes {duration(position_s)} with {best.first.rule_set}"
    figure = dots("positions", title, _TIMES, [_dot(one) for one in own], "time of a position", "seconds")
    return PageAnswer(finding, [figure, table])


def _dot(one: Judging) -> Dot:
    position_s, low, high = one.position_s or 1.0, min(one.times_s), max(one.times_s)
    return Dot(
        row=one.first.rule_set,
        series=one.first.method,
        value=position_s,
        low=low,
        high=high,
        shown=with_interval(duration, position_s, low, high),
        runs=len(one.times_s),
        repeat=one.repeat,
    )


_REPEAT: Column[Judging] = Column("repeat", "repeat", lambda one: copied(one.repeat))

QUESTION = PageQuestion(
    name="positions",
    title="Many positions",
    text="What does a position cost among millions?",
    order=45,
    find=lambda material: judgings(*material.suites),
    answer=_answer,
    how="hexlogic bench --positions 9",
)
