"""The verdict: what to choose on each engine, with the evidence."""

from __future__ import annotations

from hexlogic.errors import UnknownNameError
from hexlogic.report.chapters.common import pairing_text, passes_text, quartile_text, slug
from hexlogic.report.claims.phrases import adjective
from hexlogic.report.claims.sentences import indistinguishable, overall
from hexlogic.report.document import Block, Bullets, Chapter, Column, Grid, Heading, Item, Text, item
from hexlogic.report.gather import Material, SuiteRecords
from hexlogic.report.stats import work_counter
from hexlogic.report.verdict import Candidate, Verdict, judge
from hexlogic.report.words import counter_words, listed, milliseconds
from hexlogic.rulesets import load_rule_set

__all__ = ["judgement_chapter"]

_COLUMNS = (
    Column("engine", "engine"),
    Column("rule_set", "reformulation"),
    Column("pipeline", "passes"),
    Column("solved", "answered", numeric=True),
    Column("time_s", "time (ms)", numeric=True),
    Column("quartiles", "middle half (ms)", numeric=True),
    Column("runs", "runs", numeric=True),
    Column("next", "the next best"),
)


def judgement_chapter(material: Material) -> Chapter:
    """The chapter; one part for each suite."""
    blocks: list[Block] = []
    for suite in material.suites:
        if len(material.suites) > 1:
            blocks.append(Heading(f"Suite {suite.suite}"))
        blocks += _suite(suite)
    return Chapter("verdict", "The verdict", tuple(blocks))


def _suite(suite: SuiteRecords) -> list[Block]:
    verdicts = [verdict for engine in suite.engines if (verdict := judge(suite.cells, engine)) is not None]
    if not verdicts:
        return [Text("No complete reformulation answered anything, so there is nothing to recommend.", "late")]
    winners: dict[str, list[str]] = {}
    for verdict in verdicts:
        winners.setdefault(verdict.choice.rule_set, []).append(verdict.engine)
    told = [f"`{name}` on {listed(engines)}" for name, engines in winners.items()]
    left_out = sorted({name for verdict in verdicts for name in verdict.left_out})
    lead = f"Of the reformulations that find every win, take {listed(told)}."
    if left_out:
        lead += f" {listed([f'`{name}`' for name in left_out])} {'is' if len(left_out) == 1 else 'are'} left out: "
        lead += "fast or not, wins are missed."
    rows = tuple(_row(verdict) for verdict in verdicts)
    grid = Grid(f"verdict-{slug(suite.suite)}", "The choice on each engine", _COLUMNS, rows)
    why = [text for name in winners if (text := _why(name))]
    return [Text(lead, "good"), *map(Text, why), grid, Bullets(tuple(_sentence(verdict) for verdict in verdicts))]


def _why(name: str) -> str:
    """The idea of a reformulation and what it costs, as its file says."""
    try:
        rules = load_rule_set(name)
    except UnknownNameError:
        return ""
    return f"Why `{name}`: {rules.idea}. Its cost: {rules.cost}."


def _row(verdict: Verdict) -> tuple[Item, ...]:
    choice, rest = verdict.choice, verdict.next
    quartiles = quartile_text(choice.cells[0]) if len(choice.cells) == 1 else ""
    counted = sum(cell.counted for cell in choice.cells)
    following = "" if rest is None else f"{_named(rest, '')}, {_compared(verdict, rest)}"
    return (
        item(verdict.engine),
        item(choice.rule_set),
        Item(passes_text(choice.pipeline), choice.pipeline),
        Item(f"{choice.solved} of {choice.asked}", choice.solved),
        Item(milliseconds(choice.mean_s), choice.mean_s),
        item(quartiles),
        Item(str(counted), counted),
        item(following),
    )


def _sentence(verdict: Verdict) -> str:
    """What passes are worth on this engine, and what cannot be told apart."""
    close = indistinguishable({_named(one): relation for one, relation in verdict.equals})
    parts = [close] if close else []
    if (best := verdict.passes) is not None:
        parts.append(overall(passes_text(best.pipeline), pairing_text(best), best.relation))
    if work := _work(verdict):
        parts.append(work)
    return f"{verdict.engine}: {'; '.join(parts) or 'nothing to compare with'}."


def _work(verdict: Verdict) -> str:
    """The counters of the choice and of the next best, where each is one cell with a counter."""
    counted = [
        (one, found)
        for one in (verdict.choice, verdict.next)
        if one is not None and len(one.cells) == 1 and (found := work_counter(one.cells[0])) is not None
    ]
    if not counted:
        return ""
    unit = counter_words(counted[0][1].name)
    return f"{unit}: {' against '.join(f'{found.value:,} of {_named(one)}' for one, found in counted)}"


def _named(one: Candidate, quote: str = "`") -> str:
    return f"{quote}{one.rule_set}{quote} ({passes_text(one.pipeline)})"


def _compared(verdict: Verdict, other: Candidate) -> str:
    """How the next best stands to the choice: answers first, then time."""
    if other.solved < verdict.choice.solved:
        return f"answered {other.solved} of {other.asked}"
    return f"the choice is {adjective(verdict.ahead)}"
