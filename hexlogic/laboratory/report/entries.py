"""What several topics share: entries of tables, dots of charts, names of files, words for passes and work, and the
command that measures a row or a mark again."""

import hashlib
import shlex
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hexlogic.laboratory.records.types import Status
from hexlogic.laboratory.report.charts import Dot
from hexlogic.laboratory.report.claims.relations import Counter, Missing, Relation, Timed, Timing
from hexlogic.laboratory.report.claims.sentences import entry
from hexlogic.laboratory.report.document import Entry, Tone
from hexlogic.laboratory.report.formatting import counter_name, duration, listed, pipeline_name
from hexlogic.laboratory.report.statistics import ConfigurationStats, work_counter
from hexlogic.process.limits import MEGABYTE

_LONGEST = 80  # Characters of a file's name at most: with folder and ending it has to fit every file system


def slug(text: str) -> str:
    """A name for a file or an anchor: of a text that is long or not ASCII, a part and a hash.

    >>> slug("ground,reorder"), slug("clusters (difficult-1, wins(red))")
    ('ground-reorder', 'clusters-difficult-1-wins-red')
    >>> len(slug("x" * 400)), slug("x" * 400) == slug("x" * 401)
    (80, False)
    """
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in text.lower()).split()
    short = "-".join(words)
    if len(short) <= _LONGEST and text.isascii() and short:
        return short
    mark = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"{short[: _LONGEST - len(mark) - 1].rstrip('-')}-{mark}".lstrip("-")


_TONES: dict[Status, Tone] = {"answered": "", "timeout": "late", "out-of-memory": "late", "unsupported": "absent"}


def status_entry(status: Status, text: str = "") -> Entry:
    """An outcome without a value, by its status unless another text is given, and tinted."""
    return Entry(text or status, None, _TONES.get(status, "bad"))


def pipeline_entry(pipeline: str) -> Entry:
    """A pipeline in the paper's words."""
    return Entry(pipeline_name(pipeline), pipeline)


def megabytes(digits: int = 0) -> Callable[[float], str]:
    """A way to show bytes in MB."""
    return lambda size: f"{size / MEGABYTE:,.{digits}f}"


def passes_text(pipeline: str) -> str:
    """A pipeline in full words.

    >>> passes_text("ground,reorder,prune"), passes_text("none"), passes_text("magic")
    ('grounding, reordering and pruning', 'as written', 'magic')
    """
    steps = [] if pipeline == "none" else pipeline.split(",")
    return listed([pipeline_name(step) if step != "prune" else "pruning" for step in steps]) or "as written"


def work_units(configs: Sequence[ConfigurationStats]) -> str:
    """Which counter is whose, for columns that leave it out."""
    units = {config.engine: counter_name(work.name) for config in configs if (work := work_counter(config)) is not None}
    return listed([f"{unit} on {engine}" for engine, unit in units.items()]) or "not counted"


def with_interval(text: Callable[[float], str], value: float, low: float | None, high: float | None) -> str:
    """A value for a tooltip, with the ends of its interval where they are known.

    >>> with_interval(duration, 0.05, 0.04, 0.06), with_interval(duration, 0.05, None, None)
    ('50 ms (40 ms to 60 ms)', '50 ms')
    """
    return text(value) if low is None or high is None else f"{text(value)} ({text(low)} to {text(high)})"


def factor_dot(row: str, series: str, relation: Relation, configs: Sequence[ConfigurationStats]) -> Dot | None:
    """A factor with its interval or as a bound; None where there is none."""
    if relation.value is None:
        return None
    low, high = relation.low, relation.high
    side: Literal["", "at least", "at most"] = ""
    if relation.is_bound:
        low, high, side = None, None, "at least" if relation.high is None else "at most"
    unclear = not relation.decides and relation.kind != "Same"
    runs, again = sum(config.counted for config in configs), repeat(*configs)
    dot = Dot(row, series, relation.value, low=low, high=high, shown=entry(relation), runs=runs, repeat=again)
    return replace(dot, bound=side, open=unclear)


def time_dot(row: str, series: str, config: ConfigurationStats) -> Dot | None:
    """A time with its quartiles, or the limit as a bound from below; None for what never ran."""
    timing = config.timing
    if isinstance(timing, Missing):
        return None
    value = timing.median_s if isinstance(timing, Timed) else timing.at_least_s or config.limits.cpu_s
    low, high = config.quartiles_s or (None, None)
    side: Literal["at least", ""] = "at least" if high is None else ""
    shown, runs, again = time_text(config), config.counted, repeat(config)
    return Dot(row, series, value, low=low, high=high, bound=side, shown=shown, runs=runs, repeat=again)


def time_text(config: ConfigurationStats) -> str:
    """The time of a configuration for a tooltip, with its quartiles, or why it has none."""
    if config.time_s is None or config.quartiles_s is None:
        return outcome(config).text
    return with_interval(duration, config.time_s, *config.quartiles_s)


def outcome(config: ConfigurationStats) -> Entry:
    """The time of a configuration, or in a word why it has none; never a number for what did not finish."""
    if config.category == "wrong":
        return Entry("WRONG", None, "bad")
    if config.status == "answered" and config.time_s is not None:
        return Entry(duration(config.time_s), config.time_s)
    return status_entry(config.status, "-" if config.status == "unsupported" else config.limit_met)


def repeat(*configs: ConfigurationStats) -> str:
    """The command `hexlogic bench` for configurations of one suite, with the limits and repeats of their session."""
    session = configs[0].session
    assert session is not None

    def each(values: Iterable[str | None]) -> list[str]:
        return sorted({value for value in values if value is not None})

    players = each(config.query[config.query.index("(") + 1 : -1] for config in configs if "(" in config.query)
    return "hexlogic bench " + options_text(
        rules=each(config.rule_set for config in configs),
        boards=each(config.task for config in configs if config.mode is None),
        games=each(config.task.rpartition(" ")[2] for config in configs if config.mode is not None),
        modes=each(config.mode for config in configs),
        pipelines=each(config.pipeline.replace(",", "+") for config in configs),
        engines=each(config.engine for config in configs),
        players=[] if players == ["red"] else players,
        limit=[session.limits.cpu_s],
        repeats=[session.repeats],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The repeats of a configuration in one place, whatever was measured: what a table of evidence has a row of. `size`
    is the side n of its board, `shown` the time as people read it, `limit` what ended it, empty for nothing."""

    rule_set: str
    pipeline: str
    engine: str
    place: str
    size: int
    timing: Timing
    shown: Entry
    limit: str = ""
    work: Counter | None = None
    runs: int
    repeat: str

    @property
    def name(self) -> str:
        """The rule set, and in brackets its passes or method."""
        return f"{self.rule_set} ({passes_text(self.pipeline)})" if self.pipeline else self.rule_set

    @property
    def times_s(self) -> tuple[float, ...]:
        """The seconds of each repeat; empty without a time."""
        return self.timing.times_s if isinstance(self.timing, Timed) else ()


def sample(config: ConfigurationStats) -> Sample:
    """The sample of a configuration; that of a replayed game names the mode and not the passes, and the median move."""
    shown = outcome(config)
    if config.replay is not None:
        shown = replace(shown, text=f"{shown.text}, {duration(statistics.median(config.replay.plies_s))} a move")
    return Sample(
        rule_set=config.rule_set,
        pipeline=config.mode or config.pipeline,
        engine=config.engine,
        place=config.task,
        size=config.rows,
        timing=config.timing,
        shown=shown,
        limit="" if config.time_s else config.limit_met,
        work=work_counter(config),
        runs=config.counted,
        repeat=repeat(config),
    )


def copied(command: str) -> Entry:
    """A button that copies the command; tables of data hold the command itself."""
    return Entry("", command, command=True)


def options_text(**options: Sequence[str | float]) -> str:
    """Options with their values; those without values are left out.

    >>> options_text(boards=["snake", "a b"], players=[], limit=[4.0])
    "--boards 'snake,a b' --limit 4"
    """
    texts = {name: [value if isinstance(value, str) else f"{value:g}" for value in options[name]] for name in options}
    return " ".join(f"--{name} {shlex.quote(','.join(values))}" for name, values in texts.items() if values)
