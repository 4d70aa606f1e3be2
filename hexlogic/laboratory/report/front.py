"""The front page: the question, the answer in one table, the paper's tables beside ours, and three figures."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexlogic.laboratory.report.advice import Advice
from hexlogic.laboratory.report.claims.sentences import not_slower
from hexlogic.laboratory.report.document import Block, Bullets, Column, Entry, Page, Shown, Text, make_table, marked
from hexlogic.laboratory.report.entries import copied, outcome, pipeline_entry, repeat
from hexlogic.laboratory.report.formatting import duration, game_title, listed, pipeline_rank, seconds
from hexlogic.laboratory.report.published import PAPER, PAPER_ENGINE, PAPER_STATE
from hexlogic.laboratory.report.quality import doubts, waiting
from hexlogic.laboratory.report.results import Results, SuiteRecords, questions
from hexlogic.laboratory.report.statistics import ConfigurationStats, savings, work_counter
from hexlogic.laboratory.report.topics.boards import hardest_board
from hexlogic.laboratory.report.topics.growth import growth_figure
from hexlogic.laboratory.report.topics.passes import ladder, paper_time, savings_of
from hexlogic.laboratory.report.topics.playouts import playout_figure, sheets
from hexlogic.laboratory.report.topics.rules import rule_sets

_RSF = "; RSF: the slowest time over this one"
_WORDS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


def front_page(results: Results, answers: Sequence[Advice]) -> Page:
    """The front page; questions without records are left out, and named in the lines at the end."""
    count = len(rule_sets(results))
    number = _WORDS[count] if count < len(_WORDS) else str(count)
    question = "Who has won?" + (f" {number} way{'' if count == 1 else 's'} to ask a logic program" if count else "")
    blocks: list[Block | None] = [hardest_board(results)]
    if answers:
        notes: list[str] = []
        title = "The answer: what to write, and what to apply to it"
        blocks.append(make_table("answer", title, _answer(notes), answers, notes))
    elif results.configurations:
        blocks.append(Text("No complete reformulation answered anything, so that nothing can be recommended.", "late"))
    rows = _paper_rows(results)
    if any(config.time_s for row in rows for config in row.ours.values()):
        title = f"The paper's two tables beside ours ({rows[0].task}){_RSF}"
        blocks.append(make_table("paper", title, _paper(rows[0].suite, rows), rows))
    whole = [saving for saving in savings_of(results) if saving.after.rule_set not in PAPER_STATE]
    blocks += [ladder(whole), growth_figure(results), playout_figure(sheets(results))]
    equals = {f"{advice.engine}, {advice.within}": advice.equals for advice in answers if advice.equals}
    blocks.append(Bullets(tuple(filter(None, (not_slower(equals), _absent(results), _machine(results))))))
    shown = tuple(block for block in blocks if block is not None)
    return Page("index", "The answer", question, _intro(results, answers, rows), shown)


def _intro(results: Results, answers: Sequence[Advice], rows: "Sequence[_PaperRow]") -> str:
    """What the page is about; each of its figures stands in one of the two tables."""
    asked = {run.game for suite in results.suites for run in suite.runs}
    games = sorted(asked | {run.game for suite in results.suites for run in suite.playings})
    if games in ([], ["hex"]):
        about = "Hex is won by a chain of stones from side to side."
    else:
        about = f"Who has won in {listed([game_title(game) for game in games])} is asked after every move."
    named = ((advice.time_s, f"{advice.rule_set} on {advice.engine}, {advice.within}") for advice in answers)
    timed = sorted((time_s, name) for time_s, name in named if time_s)
    if not timed:
        return about if answers or not results.configurations else f"{about} No run answered that in these records."
    (least_s, least), (most_s, most) = timed[0], timed[-1]
    limits = {config.limits.cpu_s for row in rows for config in row.ours.values() if config.status == "timeout"}
    sentence = f"It takes {duration(least_s)} ({least})"
    if limits:
        sentence = f"The same question, written in other words, takes from {duration(least_s)} ({least}) to more than "
        sentence += f"the {seconds(max(limits))} that it was given"
    elif most_s > least_s:
        sentence = f"The same question takes from {duration(least_s)} ({least}) to {duration(most_s)} ({most})"
    if any(advice.relation.decides > 0 and advice.against == "as written" for advice in answers):
        sentence += "; rewriting passes, applied by program, narrow that" if len(timed) > 1 or limits else ""
    return f"{about} {sentence}."


def _answer(notes: list[str]) -> list[Column[Advice]]:
    """The columns of the answer; `notes` are to hold what was excluded."""

    def within(advice: Advice) -> Entry:
        return Entry(advice.within + marked(notes, advice.excluded or None), advice.within)

    absent = Entry("no baseline", None, "absent")
    return [
        Column("tool", "your tool", lambda advice: f"{advice.tool} ({advice.engine})"),
        Column("within", "boards", within),
        Column("rule_set", "write it as"),
        Column("pipeline", "passes", lambda advice: pipeline_entry(advice.pipeline) if advice.pipeline else None),
        Column("factor", "times as fast [95 %]", lambda a: a.relation if a.relation.is_known else absent, numeric=True),
        Column("against", "against", lambda advice: advice.against + f", {advice.over} boards" * (advice.over > 1)),
        Column("cost", "then it takes"),
        Column("evidence", "reason", lambda advice: Entry("why", f"{advice.key}.html", link=f"{advice.key}.html")),
        Column("repeat", "repeat", lambda advice: copied(advice.repeat)),
    ]


@dataclass(frozen=True, slots=True)
class _PaperRow:
    suite: SuiteRecords
    task: str
    rule_set: str
    pipeline: str
    ours: dict[str, ConfigurationStats]


def _paper_rows(results: Results) -> list[_PaperRow]:
    """The paper's rule sets on the first board of no series on which both were measured after several pipelines.

    Table 2 asks about clusters that the state keeps; where those were not measured, clusters that are found anew stand
    for it. The other readings are on the page of the passes."""
    for suite in results.suites:
        measured = [config for config in suite.configurations if config.rule_set in PAPER and config.is_single]
        for task in dict.fromkeys(config.task for config in measured):
            asked = [config for config in measured if config.task == task]
            known = {name for figures in PAPER.values() for name in figures}
            pipelines = sorted({config.pipeline for config in asked} & known, key=pipeline_rank)
            if len(pipelines) > 1:
                kept = any(config.rule_set == PAPER_STATE[0] for config in asked)
                return [
                    _PaperRow(suite, task, name, pipeline, ours)
                    for name in ("power-set", PAPER_STATE[0] if kept else "clusters")
                    for pipeline in pipelines
                    if (ours := {o.engine: o for o in asked if (o.rule_set, o.pipeline) == (name, pipeline)})
                ]
    return []


def _paper(suite: SuiteRecords, rows: Sequence[_PaperRow]) -> list[Column[_PaperRow]]:
    # An engine with half of the rows has little to say beside the paper.
    engines = [name for name in suite.engines if 2 * sum(name in row.ours for row in rows) > len(rows)]
    units = {"swipl": "inferences", "clingo": "rules"}
    has_work = {name for row in rows for name, config in row.ours.items() if work_counter(config) is not None}
    counted = [name for name in engines if name in units and name in has_work]

    theirs = [name for name in engines if name == PAPER_ENGINE]

    def column(key: str, name: str, head: str, entry: Callable[[ConfigurationStats], Shown]) -> Column[_PaperRow]:
        def of_row(row: _PaperRow) -> Shown:
            return entry(row.ours[name]) if name in row.ours else None

        return Column(f"{key}_{name}", head, of_row, numeric=True)

    def rsf(config: ConfigurationStats) -> Shown:
        return savings(config, suite.configurations) if config.time_s else outcome(config)

    return [
        Column("rule_set", "reformulation"),
        Column("pipeline", "passes", lambda row: pipeline_entry(row.pipeline)),
        Column("paper_ms", "paper (ms)", lambda row: paper_time(PAPER[row.rule_set][row.pipeline]), numeric=True),
        *(column("time", name, "paper's engine here", outcome) for name in theirs),
        Column("paper_rsf", "paper RSF", lambda row: PAPER[row.rule_set][row.pipeline].rsf, numeric=True),
        *(column("rsf", name, "paper's engine RSF", rsf) for name in theirs),
        *(column("rsf", name, f"{name} RSF", rsf) for name in engines if name not in theirs),
        *(column("work", name, f"{name} {units[name]}", work_counter) for name in counted),
        Column("repeat", "repeat", lambda row: copied(repeat(*row.ours.values()))),
    ]


def _absent(results: Results) -> str:
    every = results.configurations
    kinds = {"timeout": "limit", "out-of-memory": "limit", "crashed": "error"}
    ends = Counter(kinds.get(config.status, config.status) for config in every)
    words = {"limit": "met a limit", "unsupported": "are not supported by their engine", "error": "ended in an error"}
    parts = [f"{ends[kind]} {text}" for kind, text in words.items() if ends[kind]]
    facts = [f"Of {len(every):,} configurations {listed(parts)}."] if parts else []
    engines = {name: info.missing for suite in results.suites for name, info in suite.session.engines.items()}
    missing = [f"{name} ({why})" for name, why in engines.items() if why]
    facts += [f"Not here: {listed(missing)}."] if missing else []
    silent = [each.title.lower() for each in questions() if not each.find(results)]
    facts += [f"Without records, and so without a page: {listed(silent)} ([method](method.html))."] if silent else []
    return " ".join(facts)


def _machine(results: Results) -> str:
    files = [file for suite in results.suites for file in suite.files]
    sessions = [file.session for file in files]
    hosts = {(session.host, session.cores, session.cpu_model or "processor not known"): None for session in sessions}
    where = listed([f"{cores} core{'' if cores == 1 else 's'}, {cpu}" for _, cores, cpu in hosts])
    if len(hosts) > 1:
        where = f"{len(hosts)} machines, which share no ratio: {where}"
    doubtful = sum(bool(doubts(file)) for file in files)
    every = [run for file in files for run in file.measurements]
    waits = [waited for file in files if (waited := waiting(file)) is not None]
    busy = "how busy it was is not known"
    if waits:
        busy = f"a typical run had its processor for {100 / max(waits):.0f} % of its time or more"
    if doubtful:
        many = f"; {doubtful} of {len(sessions)} sessions give reason for doubt"
        busy += ", which gives reason for doubt" if len(sessions) == 1 else many
    days = sorted({session.started[:10] for session in sessions})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    many = "one run" if len(every) == 1 else f"{len(every):,} runs"
    return f"The machine: {where}; {busy} ([method](method.html)); {many}, {when}."
