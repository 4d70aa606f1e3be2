"""The recommendation: what to choose on each engine, with the evidence."""

from __future__ import annotations

from hexlogic.errors import UnknownNameError
from hexlogic.report.claims.phrases import adjective
from hexlogic.report.claims.sentences import indistinguishable, overall
from hexlogic.report.document import Block, Bullets, Column, Entry, Text, make_table, number, plain
from hexlogic.report.formatting import counter_name, listed, milliseconds
from hexlogic.report.grouping import grouped
from hexlogic.report.material import SuiteRecords
from hexlogic.report.recommendation import Candidate, Recommendation, recommend
from hexlogic.report.section import Section, by_suite
from hexlogic.report.sections.common import pairing_text, passes_text, quartile_text, slug
from hexlogic.report.statistics import work_counter
from hexlogic.rulesets import load_rule_set

__all__ = ["SECTION"]


def _suite(suite: SuiteRecords) -> list[Block]:
    chosen = [found for engine in suite.engines if (found := recommend(suite.configurations, engine)) is not None]
    if not chosen:
        return [Text("No complete reformulation answered anything, so there is nothing to recommend.", "late")]
    winners = grouped(chosen, lambda found: found.choice.rule_set)
    told = [f"`{name}` on {listed([found.engine for found in own])}" for name, own in winners.items()]
    left_out = sorted({name for found in chosen for name in found.left_out})
    lead = f"Of the reformulations that find every win, take {listed(told)}."
    if left_out:
        lead += f" {listed([f'`{name}`' for name in left_out])} {'is' if len(left_out) == 1 else 'are'} left out: "
        lead += "fast or not, wins are missed."
    table = make_table(f"verdict-{slug(suite.suite)}", "The choice on each engine", _FIELDS, chosen)
    why = [text for name in winners if (text := _why(name))]
    return [Text(lead, "good"), *map(Text, why), table, Bullets(tuple(map(_sentence, chosen)))]


def _why(name: str) -> str:
    """The idea of a reformulation and what it costs, as its file says."""
    try:
        rules = load_rule_set(name)
    except UnknownNameError:
        return ""
    return f"Why `{name}`: {rules.idea}. Its cost: {rules.cost}."


def _quartiles(found: Recommendation) -> Entry:
    own = found.choice.configurations
    return plain(quartile_text(own[0]) if len(own) == 1 else "")


def _next(found: Recommendation) -> Entry:
    """The next best and how it stands to the choice: answers first, then time."""
    if (rest := found.next) is None:
        return plain("")
    ahead = f"the choice is {adjective(found.ahead)}"
    less = rest.solved < found.choice.solved
    return plain(f"{_named(rest, '')}, {f'answered {rest.solved} of {rest.asked}' if less else ahead}")


_FIELDS: tuple[Column[Recommendation], ...] = (
    Column("engine", "engine"),
    Column("rule_set", "reformulation", lambda found: found.choice.rule_set),
    Column("pipeline", "passes", lambda found: Entry(passes_text(found.choice.pipeline), found.choice.pipeline)),
    Column(
        "solved",
        "answered",
        lambda found: Entry(f"{found.choice.solved} of {found.choice.asked}", found.choice.solved),
        numeric=True,
    ),
    Column("time_s", "time (ms)", lambda found: number(found.choice.mean_s, milliseconds), numeric=True),
    Column("quartiles", "middle half (ms)", _quartiles, numeric=True),
    Column("runs", "runs", lambda found: sum(one.counted for one in found.choice.configurations), numeric=True),
    Column("next", "the next best", _next),
)


def _sentence(found: Recommendation) -> str:
    """What passes are worth on this engine, and what cannot be told apart."""
    close = indistinguishable({_named(one): relation for one, relation in found.equals})
    parts = [close] if close else []
    if (best := found.passes) is not None:
        parts.append(overall(passes_text(best.pipeline), pairing_text(best), best.relation))
    if work := _work(found):
        parts.append(work)
    return f"{found.engine}: {'; '.join(parts) or 'nothing to compare with'}."


def _work(found: Recommendation) -> str:
    """The counters of the choice and of the next best, where each is one configuration with a counter."""
    single = [one for one in (found.choice, found.next) if one is not None and len(one.configurations) == 1]
    counted = [(one, work) for one in single if (work := work_counter(one.configurations[0])) is not None]
    if not counted:
        return ""
    unit = counter_name(counted[0][1].name)
    return f"{unit}: {' against '.join(f'{work.value:,} of {_named(one)}' for one, work in counted)}"


def _named(one: Candidate, quote: str = "`") -> str:
    return f"{quote}{one.rule_set}{quote} ({passes_text(one.pipeline)})"


SECTION = Section(name="verdict", title="The verdict", order=20, blocks=by_suite(_suite, headings=True))
