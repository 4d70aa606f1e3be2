"""The front page: the question, the answer in one table, the paper's tables beside ours, and three figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from hexlogic.games import family_of
from hexlogic.report.advice import Advice, advise, choices
from hexlogic.report.boards import game_title
from hexlogic.report.caveats import doubts, waiting
from hexlogic.report.claims.relations import NoBaseline
from hexlogic.report.claims.sentences import not_slower
from hexlogic.report.document import Block, Bullets, Column, Entry, Page, Text, make_table, number
from hexlogic.report.dots import outcome
from hexlogic.report.entries import factor_entry, pipeline_entry, work_entry
from hexlogic.report.formatting import duration, listed, pipeline_rank, seconds
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.published import PAPER
from hexlogic.report.repeat import copied, repeat
from hexlogic.report.statistics import ConfigurationStats, savings
from hexlogic.report.topic import questions
from hexlogic.report.topics.boards import hardest_board
from hexlogic.report.topics.growth import growth_figure
from hexlogic.report.topics.passes import ladder, savings_of
from hexlogic.report.topics.playouts import playout_figure, sheets

__all__ = ["front_page"]

_RSF = "; RSF: the slowest time over this one"
_WORDS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


def front_page(material: Material) -> Page:
    """The front page; what the records say nothing of is left out, and named in the lines at the end."""
    every = [one for suite in material.suites for one in suite.configurations]
    rule_sets = {one.rule_set for one in every} or {one.sheet for suite in material.playouts for one in suite.playings}
    count = _WORDS[len(rule_sets)] if len(rule_sets) < len(_WORDS) else str(len(rule_sets))
    question = f"Who has won? {count} way{'' if len(rule_sets) == 1 else 's'} to ask a logic program"
    board = hardest_board(material)
    answers = advise(material)
    blocks: list[Block] = [] if board is None else [board]
    if answers:
        blocks.append(make_table("answer", "The answer: what to write, and what to apply to it", _ANSWER, answers))
    else:
        blocks.append(Text("No complete reformulation answered anything, so that nothing can be recommended.", "late"))
    if (rows := _paper_rows(material)) and (suite := rows[0].suite):
        title = f"The paper's two tables beside ours ({rows[0].task}){_RSF}"
        blocks.append(make_table("paper", title, _paper(suite, rows), rows))
    figures = [ladder(savings_of(material)), growth_figure(material), playout_figure(sheets(material))]
    blocks += [figure for figure in figures if figure is not None]
    blocks.append(Bullets((_apart(material), _absent(material), _machine(material))))
    return Page("index", "The answer", question, _intro(material, every), tuple(blocks))


def _intro(material: Material, every: Sequence[ConfigurationStats]) -> str:
    games = sorted({run.game for suite in material.suites for run in suite.runs})
    if games in ([], ["hex"]):
        about = "Hex is won by a chain of stones from side to side."
    else:
        about = f"Who has won in {listed([game_title(game) for game in games])} is asked after every move."
    times = [one.time_s for one in every if one.time_s and one.mode is None]
    met = [
        suite.session.limits.cpu_s
        for suite in material.suites
        if any(one.status == "timeout" and one.mode is None for one in suite.configurations)
    ]
    span = f" takes from {duration(min(times))} to " if times else " takes "
    if met:
        span += f"more than the {seconds(max(met))} that it was given"
    elif times:
        span += duration(max(times))
    else:
        return f"{about} No run of these records answered that question on a board."
    return (
        f"{about} The same question, written in other words,{span}; rewriting passes, applied by program, narrow that."
    )


def _evidence(one: Advice) -> Entry:
    place = f"{one.page}.html#table-{one.page}"
    return Entry(one.page, place, link=place)


def _compared(one: Advice) -> Entry:
    known = not isinstance(one.relation, NoBaseline)
    return factor_entry(one.relation) if known else Entry("no baseline", None, "absent")


_ANSWER: tuple[Column[Advice], ...] = (
    Column("tool", "your tool", lambda one: f"{one.tool} ({one.engine})"),
    Column("rule_set", "write it as"),
    Column("pipeline", "passes"),
    Column("factor", "times as fast [95 %]", _compared, numeric=True),
    Column("against", "against", lambda one: f"{one.against}{f', {one.over} boards' if one.over > 1 else ''}"),
    Column("cost", "then it takes"),
    Column("evidence", "evidence", _evidence),
    Column("repeat", "repeat", lambda one: copied(one.repeat)),
)


@dataclass(frozen=True, slots=True)
class _PaperRow:
    """A row of the paper's tables, with our configurations by engine."""

    suite: SuiteRecords
    task: str
    rule_set: str
    pipeline: str
    ours: dict[str, ConfigurationStats]
    among: Sequence[ConfigurationStats]


def _paper_rows(material: Material) -> list[_PaperRow]:
    """The paper's rule sets on the first board of no series on which both were measured after several pipelines."""
    for suite in material.suites:
        own = [one for one in suite.configurations if one.rule_set in PAPER and family_of(one.task) is None]
        for task in dict.fromkeys(one.task for one in own if one.mode is None):
            asked = [one for one in own if one.task == task]
            known = {name for figures in PAPER.values() for name in figures}
            pipelines = sorted({one.pipeline for one in asked} & known, key=pipeline_rank)
            if len(pipelines) > 1:
                return [
                    _PaperRow(suite, task, name, pipeline, ours, asked)
                    for name in PAPER
                    for pipeline in pipelines
                    if (ours := {o.engine: o for o in asked if (o.rule_set, o.pipeline) == (name, pipeline)})
                ]
    return []


def _paper(suite: SuiteRecords, rows: Sequence[_PaperRow]) -> list[Column[_PaperRow]]:
    engines = [name for name in suite.engines if any(name in row.ours for row in rows)]
    # An engine with half of the rows has little to say beside the paper.
    engines = [name for name in engines if 2 * sum(name in row.ours for row in rows) > len(rows)]
    units = {"swipl": "inferences", "clingo": "rules"}
    counted = [
        name
        for name in engines
        if name in units and any(work_entry(row.ours[name]).text for row in rows if name in row.ours)
    ]

    def rsf(row: _PaperRow, name: str) -> Entry:
        if (one := row.ours.get(name)) is None:
            return Entry("", None)
        return factor_entry(savings(one, row.among)) if one.time_s else outcome(one, suite.session.limits)

    def work(row: _PaperRow, name: str) -> Entry:
        return work_entry(row.ours[name]) if name in row.ours else Entry("", None)

    return [
        Column("rule_set", "reformulation"),
        Column("pipeline", "passes", lambda row: pipeline_entry(row.pipeline)),
        Column("paper_ms", "paper (ms)", _paper_time, numeric=True),
        Column("paper_rsf", "paper RSF", lambda row: PAPER[row.rule_set][row.pipeline].rsf, numeric=True),
        *(Column(f"rsf_{name}", f"{name} RSF", partial(rsf, name=name), numeric=True) for name in engines),
        *(Column(f"work_{name}", f"{name} {units[name]}", partial(work, name=name), numeric=True) for name in counted),
        Column("repeat", "repeat", lambda row: copied(repeat(suite.session, *row.ours.values()))),
    ]


def _paper_time(row: _PaperRow) -> Entry:
    time_ms = PAPER[row.rule_set][row.pipeline].time_ms
    return Entry("does not run", None, "late") if time_ms is None else number(time_ms, "g")


def _apart(material: Material) -> str:
    return not_slower(
        {found.engine: [f"{one.rule_set} ({one.pipeline})" for one, _ in found.equals] for found in choices(material)}
    )


def _absent(material: Material) -> str:
    every = [one for suite in material.suites for one in suite.configurations]
    late = sum(one.status in ("timeout", "out-of-memory") for one in every)
    cannot = sum(one.status == "unsupported" for one in every)
    broken = sum(one.status in ("crashed", "error") for one in every)
    engines = {name: info.missing for suite in material.every for name, info in suite.session.engines.items()}
    missing = [f"{name} ({why})" for name, why in engines.items() if why]
    parts = [f"{late} of {len(every)} configurations met a limit", f"{cannot} are not supported by their engine"]
    parts += [f"{broken} ended in an error"] if broken else []
    parts += [f"not here: {listed(missing)}"] if missing else []
    silent = [one for one in questions() if not one.find(material)]
    if silent:
        parts.append(f"nothing was recorded for {listed([f'{one.title.lower()} (`{one.how}`)' for one in silent])}")
    return f"Did not run: {'; '.join(parts)}."


def _machine(material: Material) -> str:
    files = [file for suite in material.every for file in suite.files]
    sessions = [file.session for file in files]
    hosts = {(one.host, one.cores, one.cpu_model or "processor not known"): None for one in sessions}
    where = listed([f"{cores} core{'' if cores == 1 else 's'}, {cpu}" for _, cores, cpu in hosts])
    if len(hosts) > 1:
        where = f"{len(hosts)} machines, which share no ratio: {where}"
    doubtful = sum(bool(doubts(file)) for file in files)
    every = [run for file in files for run in file.measurements]
    loads = [run.machine.load_1m for run in every if run.counted and run.machine.load_1m is not None]
    busy = f"load up to {max(loads):.1f}" if loads else "load not known"
    waits = [waited for file in files if (waited := waiting(file)) is not None]
    if waits:
        busy += f", a typical run had its processor for {100 / max(waits):.0f} % of its time or more"
    if doubtful:
        busy += f", so that {doubtful} of {len(sessions)} sessions give reason for doubt"
    days = sorted({one.started[:10] for one in sessions})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    return f"The machine: {where}; {busy} ([method](method.html)); {len(every):,} runs, {when}."
