"""Game descriptions: random playouts of sheets in GDL, reformulation by reasoner."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.report.charts import Dot, dots
from hexlogic.report.claims.timing import relate
from hexlogic.report.document import Block, Column, Entry, Figure, make_table, number
from hexlogic.report.formatting import duration
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.playouts import PlayStats, agreement_texts, rate_findings, rate_text, summarise_plays
from hexlogic.report.question import PageAnswer, PageQuestion
from hexlogic.report.repeat import copied, repeat_playouts
from hexlogic.report.sections.common import factor_entry, megabytes, status_tone
from hexlogic.runs.baselines import baseline_names

__all__ = ["QUESTION", "PlayedSheet", "playout_figure", "sheets"]

_RATES = "Random games a second of CPU time on one core, once started; bars are the lowest and the highest run."
_STARTS = "What a player waits for: grounding, analysis and compilation, to the end of the first game."


@dataclass(frozen=True, slots=True)
class PlayedSheet:
    """A reasoner on a sheet, with the suite that played it."""

    suite: SuiteRecords
    stats: PlayStats

    @property
    def repeat(self) -> str:
        """The command that plays it again."""
        return repeat_playouts(self.suite.session, self.stats)


def sheets(material: Material) -> list[PlayedSheet]:
    """All sheets on all reasoners."""
    return [PlayedSheet(suite, one) for suite in material.playouts for one in summarise_plays(suite.playings)]


def playout_figure(found: Sequence[PlayedSheet]) -> Figure | None:
    """Playouts a second on the largest board; its title says which is played most often."""
    own = _largest([one for one in found if one.stats.playouts_per_s])
    marks = [_rate_dot(one) for one in own]
    if not marks:
        return None
    title = rate_findings([one.stats for one in own]) or [f"Playouts of {own[0].stats.place}"]
    order = {dot.row: max(other.value for other in marks if other.row == dot.row) for dot in marks}
    marks.sort(key=lambda dot: -order[dot.row])
    text = f"{own[0].stats.place}: {title[0].partition('. ')[0].rstrip('.')}"
    return dots("playouts", text, _RATES, marks, "playouts a second", "rate")


def _largest(found: Sequence[PlayedSheet]) -> list[PlayedSheet]:
    """Those of the largest board, without peers other than players of the sheet."""
    sizes = [one.stats.size for one in found if one.stats.size is not None]
    return [one for one in found if not sizes or one.stats.size == max(sizes)]


def _rate_dot(one: PlayedSheet) -> Dot:
    rates = [1 / time_s for time_s in one.stats.playout_s]
    by_hand = one.stats.reasoner in baseline_names()
    return Dot(
        row=f"{one.stats.reasoner} (no sheet)" if by_hand else one.stats.sheet,
        series="by hand" if by_hand else one.stats.reasoner,
        value=one.stats.playouts_per_s or 0.0,
        low=min(rates, default=None),
        high=max(rates, default=None),
        shown=f"{rate_text(one.stats.playouts_per_s or 0.0)} playouts/s",
        runs=one.stats.runs,
        repeat=one.repeat,
    )


def _answer(material: Material) -> PageAnswer | None:
    found = sheets(material)
    if not found:
        return None
    blocks: list[Block] = []
    if (figure := playout_figure(found)) is not None:
        blocks.append(figure)
    starts = [
        Dot(
            row=one.stats.sheet,
            series=one.stats.reasoner,
            value=one.stats.start_s or 0.0,
            shown=duration(one.stats.start_s or 0.0),
            runs=one.stats.runs,
            repeat=one.repeat,
        )
        for one in _largest([one for one in found if one.stats.start_s])
    ]
    if starts:
        slowest = max(starts, key=lambda dot: dot.value)
        title = f"Starting takes up to {slowest.shown} ({slowest.row} on {slowest.series})"
        blocks.append(dots("starts", title, _STARTS, starts, "time to the first game", "seconds"))
    agreed = [text for suite in material.playouts for text in agreement_texts(suite.playings)]
    finding = f"{figure.title}." if figure is not None else "No sheet was played to the end."
    checked = f" Checked: {' '.join(agreed)}" if agreed else ""
    return PageAnswer(
        finding + checked, [*blocks, make_table("descriptions", "Every sheet on every reasoner", _COLUMNS, found)]
    )


def _rate(one: PlayedSheet) -> Entry:
    if one.stats.playouts_per_s is None:
        return Entry(one.stats.status, None, status_tone(one.stats.status))
    return number(one.stats.playouts_per_s, rate_text)


def _factor(one: PlayedSheet) -> Entry | None:
    """Against the slowest sheet that the same reasoner played on the same board."""
    every = summarise_plays(one.suite.playings)
    place = (one.stats.reasoner, one.stats.place)
    own = [other for other in every if (other.reasoner, other.place) == place and other.playout_s]
    if len(own) < 2 or not one.stats.playout_s:
        return None
    slowest = max(own, key=lambda other: statistics.median(other.playout_s))
    return None if slowest.sheet == one.stats.sheet else factor_entry(relate(slowest.timing, one.stats.timing))


_COLUMNS: tuple[Column[PlayedSheet], ...] = (
    Column("place", "game", lambda one: one.stats.place),
    Column("sheet", "sheet", lambda one: one.stats.sheet),
    Column("reasoner", "reasoner", lambda one: one.stats.reasoner),
    Column("playouts_per_s", "playouts/s", _rate, numeric=True),
    Column("factor", "against the slowest sheet [95 %]", _factor, numeric=True),
    Column("start_s", "start", lambda one: number(one.stats.start_s, duration), numeric=True),
    Column("rules", "ground rules", lambda one: number(one.stats.rules), numeric=True),
    Column("peak_bytes", "memory (MB)", lambda one: number(one.stats.peak_bytes, megabytes()), numeric=True),
    Column("repeat", "repeat", lambda one: copied(one.repeat)),
)

QUESTION = PageQuestion(
    name="descriptions",
    title="Game descriptions",
    text="Which game description is played fastest, by which reasoner?",
    order=50,
    answer=_answer,
    how="hexlogic gdl bench --hex 5,9",
)
