"""Many positions: what it costs to judge thousands of positions at once, against one after the other."""

from __future__ import annotations

from hexlogic.report.charts import Dot, dots
from hexlogic.report.claims.phrases import adjective
from hexlogic.report.document import Column, make_table
from hexlogic.report.formatting import duration
from hexlogic.report.judgings import Judging, judgings
from hexlogic.report.material import Material
from hexlogic.report.playouts import rate_text
from hexlogic.report.question import PageAnswer, PageQuestion
from hexlogic.report.repeat import copied
from hexlogic.report.sections.positions import COLUMNS

__all__ = ["QUESTION"]

_TIMES = "CPU time of a position on one core, both players; bars are the lowest and the highest run."


def _answer(material: Material) -> PageAnswer | None:
    found = judgings(*material.suites)
    if not found:
        return None
    table = make_table("positions", "Every rule set, board and method", [*COLUMNS, _REPEAT], found)
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
    position_s = one.position_s or 1.0
    return Dot(
        row=one.first.rule_set,
        series=one.first.method,
        value=position_s,
        low=min(one.times_s),
        high=max(one.times_s),
        shown=duration(position_s),
        runs=len(one.times_s),
        repeat=one.repeat,
    )


_REPEAT: Column[Judging] = Column("repeat", "repeat", lambda one: copied(one.repeat))

QUESTION = PageQuestion(
    name="positions",
    title="Many positions",
    text="What does a position cost among millions?",
    order=45,
    answer=_answer,
    how="hexlogic bench --positions 9",
)
