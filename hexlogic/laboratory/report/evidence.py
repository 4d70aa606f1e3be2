"""The page of each answer: why it is the choice, its runs and those of the runners-up, and the rule text before and
after the passes."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from hexlogic.laboratory.report.advice import Advice
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.relations import Relation, Timed, relate
from hexlogic.laboratory.report.claims.sentences import adjective, counter_text
from hexlogic.laboratory.report.document import Block, Column, Figure, Listing, Page, Text, make_table
from hexlogic.laboratory.report.entries import Sample, copied, passes_text, pipeline_entry
from hexlogic.laboratory.report.formatting import duration, listed, pipeline_name
from hexlogic.laboratory.report.reasons import Work, find_rules, listing, program_of, work_of
from hexlogic.language import Predicate

_RIVALS = 4  # Runners-up that a page shows
_BOARD = 11  # The largest board on which matches are counted
_LISTED = 5  # The size for which rule text is shown


def evidence_page(advice: Advice, others: Collection[str]) -> Page:
    """The page of an answer; it leads to that of its kind where that is among the names of the others."""
    passes = {"": "", "none": " as written"}.get(advice.pipeline, f" after {passes_text(advice.pipeline)}")
    question = f"Why {advice.rule_set}{passes}: {advice.tool} ({advice.engine}), {advice.within}"
    reason = _Reason(advice)
    timed = [sample for sample in advice.samples if sample.times_s]
    choice = max(timed, key=lambda sample: sample.size, default=None)
    figures = [reason.figure()]
    if choice is not None:
        figures += [_work_figure(advice, choice), _repeats(advice, choice)]
    blocks: list[Block] = [figure for figure in figures if figure is not None]
    rows = [_Row(advice, sample) for sample in _shown(advice)]
    if advice.over > 1 and choice is not None:
        rows.insert(0, _Row(advice, choice, advice.over))
    blocks.append(make_table(advice.key, "The choice and the runners-up", _COLUMNS, rows))
    blocks += _listings(advice)
    if advice.page in others:
        blocks.append(Text(f"All configurations: [{advice.page}]({advice.page}.html)."))
    finding = " ".join(filter(None, reason.sentences(choice)))
    return Page(advice.key, advice.tool, question, finding, tuple(blocks), in_navigation=False)


def _shown(advice: Advice) -> list[Sample]:
    places = {sample.place for sample in advice.samples}
    rivals = [sample for rival in advice.others[:_RIVALS] for sample in rival if sample.place in places]
    return list(dict.fromkeys((*advice.samples, *advice.baseline, *rivals)))


@dataclass(frozen=True, slots=True)
class _Row:
    advice: Advice
    sample: Sample
    over: int = 0
    """Questions that the row is about all together; 0 for a row about one."""

    def relation(self) -> Relation | str:
        if self.over:
            return self.advice.relation
        board = self.sample.place.rpartition(" ")[2]  # `difficult-1`, `random-1@9` of `anew random-1@9`
        choice = next((each for each in self.advice.samples if each.place.rpartition(" ")[2] == board), None)
        if choice is None or choice is self.sample:
            return "the choice" if choice is self.sample else ""
        return relate(self.sample.timing, choice.timing)

    def interval(self) -> str:
        timing = self.sample.timing
        if not isinstance(timing, Timed):
            return self.sample.limit
        if timing.highest_s == timing.median_s:
            return "[?]"
        return f"[{duration(timing.median_s**2 / timing.highest_s)}, {duration(timing.highest_s)}]"


_COLUMNS: tuple[Column[_Row], ...] = (
    Column("rule_set", "reformulation", lambda row: row.sample.rule_set),
    Column("pipeline", "passes", lambda row: pipeline_entry(row.sample.pipeline)),
    Column("place", "board", lambda r: f"all {r.over}, against {r.advice.against}" if r.over else r.sample.place),
    Column("time_s", "time", lambda row: row.sample.shown, numeric=True),
    Column("interval", "95 %", lambda row: row.interval(), numeric=True),
    Column("factor", "the choice is faster by [95 %]", lambda row: row.relation(), numeric=True),
    Column("work", "work", lambda row: row.sample.work, numeric=True),
    Column("runs", "runs", lambda row: row.sample.runs, numeric=True),
    Column("repeat", "repeat", lambda row: copied(row.sample.repeat)),
)


def _repeats(advice: Advice, choice: Sample) -> Figure:
    marks = [
        Dot(sample.name, "a run", time_s, shown=duration(time_s), runs=1, repeat=sample.repeat)
        for sample in _shown(advice)
        if sample.place == choice.place
        for time_s in sample.times_s
    ]
    low, high = duration(min(choice.times_s)), duration(max(choice.times_s))
    count = len(choice.times_s)
    span = f"one run took {low}" if count == 1 else f"{count} runs took {low} to {high}"
    title = f"{choice.name} on {choice.place}: {span}"
    return dots(f"{advice.key}-repeats", title, f"Each counted run on {choice.place}.", marks, "time", "seconds")


def _work_figure(advice: Advice, choice: Sample) -> Figure | None:
    """The counters of the engine beside each other; None where fewer than two of them are known."""
    beside = [sample for sample in _shown(advice) if sample.place == choice.place and sample.times_s]
    counted = [(sample, work) for sample in beside if (work := sample.work) is not None and work.value > 0]
    if choice.work is None or len({work for _, work in counted}) < 2:
        return None
    most, work = max(counted, key=lambda pair: pair[1].value)
    unit = counter_text(choice.work).partition(" ")[2]
    marks = [
        Dot(s.name, s.engine, float(work.value), shown=counter_text(work), runs=s.runs, repeat=s.repeat)
        for s, work in counted
    ]
    title = f"{counter_text(choice.work)} on {choice.place}; {most.name} needs {work.value:,}"
    if most is choice:
        title = f"{choice.name} needs {counter_text(choice.work)} on {choice.place}, the most of {len(counted)}"
    caption = f"Counted by {choice.engine} on {choice.place}."
    return dots(f"{advice.key}-work", title, caption, marks, unit, "rate")


class _Reason:
    """The matches of the rules of the choice, of the same rules as written, and of the first other reformulation."""

    def __init__(self, advice: Advice) -> None:
        self.advice = advice
        # A sheet, and what judges many positions, hold the facts of the board from the start.
        self.passes = advice.pipeline or "ground"
        samples = [*advice.baseline, *(sample for other in advice.others for sample in other)]
        self.rival = next((other.rule_set for other in samples if other.rule_set != advice.rule_set), "")
        asked = [sample for sample in advice.samples if sample.size <= _BOARD and " " not in sample.place]
        self.board = max(asked, key=lambda sample: sample.size).place if asked else "difficult-1@9"
        self.after = work_of(advice.rule_set, self.passes, self.board)
        self.before = None if advice.pipeline in ("", "none") else work_of(advice.rule_set, "none", self.board)
        self.other = work_of(self.rival, self.passes, self.board)

    def sentences(self, choice: Sample | None) -> Iterator[str]:
        """How it stands, the idea, what the order avoided, what the rules derive, and what the engine counted."""
        advice, after, before, other = self.advice, self.after, self.before, self.other
        yield f"It takes {advice.cost}."
        if advice.relation.is_known and not advice.relation.is_reference:
            yield f"Against {advice.against}: {adjective(advice.relation)}."
        if advice.excluded:
            yield f"Excluded here: {advice.excluded}."
        if (rules := find_rules(advice.rule_set)) is not None:
            yield f"Idea: {rules.idea}."
        yield advice.note
        if after is not None and before is not None and before.matches > after.matches:
            most, heads = before.rules[0], before.by_head()
            head = max(heads, key=heads.__getitem__)
            yield (
                f"On {self.board} the rules as written have {before.matches:,} matches, {heads[head]:,} of them in "
                f"those of `{head}`: the atoms of `{most.rule}` match, one after the other, "
                f"{listed([f'{count:,}' for count in most.matches])} times. After {passes_text(advice.pipeline)} "
                f"{after.matches:,} are left."
            )
        if after is not None and other is not None:
            common = after.facts.keys() & other.facts.keys()
            yield (
                f"With the same passes `{self.rival}` has {other.matches:,} matches there, `{advice.rule_set}` "
                f"{after.matches:,}: the one derives {_facts(other, common)}, the other {_facts(after, common)}."
            )
        base = next((sample for sample in advice.baseline if choice and sample.place == choice.place), None)
        if choice is not None and choice.work is not None and base is not None and base.work is not None:
            for_whom = f"for {base.name}, {choice.work.value:,} for {choice.name}"
            for_whom = "for both" if base.work == choice.work else for_whom
            yield f"{choice.engine} counts {counter_text(base.work)} on {choice.place} {for_whom}."

    def figure(self) -> Figure | None:
        """The matches by predicate, of what the sentences compare."""
        name, passes = self.advice.rule_set, pipeline_name(self.passes)
        named = {f"{name}, as written": self.before, f"{name}, {passes}": self.after, self.rival: self.other}
        every = {label: work for label, work in named.items() if work is not None and work.matches}
        if self.after is None or len(every) < 2:
            return None
        marks = [
            Dot(head, label, float(count), shown=f"{count:,} matches", runs=0, repeat="")
            for label, work in every.items()
            for head, count in work.by_head().items()
            if count
        ]
        label, most = max(every.items(), key=lambda pair: pair[1].matches)
        title = f"{self.after.matches:,} matches on {self.board}; {label}: {most.matches:,}"
        if most is self.after:
            title = f"{self.after.matches:,} matches on {self.board}, the most of {len(every)}"
        caption = f"Matches of the rules of each predicate on {self.board}."
        return dots(f"{self.advice.key}-matches", title, caption, marks, "matches", "rate")


def _facts(work: Work, common: Collection[Predicate]) -> str:
    """The facts of what one of two programs alone derives, most first."""
    counts = sorted(((count, str(head)) for head, count in work.facts.items() if head not in common), reverse=True)
    most = [f"{count:,} {'fact' if count == 1 else 'facts'} of `{head}`" for count, head in counts[:2]]
    return listed(most) or "no more"


def _listings(advice: Advice) -> list[Listing]:
    name, title = f"{advice.key}-rules", f"{advice.rule_set} for n = {_LISTED}"
    before = program_of(advice.rule_set, "none", advice.game, _LISTED)
    if before is None:
        return []
    after = program_of(advice.rule_set, advice.pipeline, advice.game, _LISTED)
    if advice.pipeline in ("", "none") or after is None:
        return [listing(name, f"{title} as written, and so it runs", "", before)]
    caption = "`-`: as written, `+`: after the passes."
    return [listing(name, f"{title}: what {passes_text(advice.pipeline)} changed", caption, after, before)]
