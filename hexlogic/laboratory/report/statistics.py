"""Statistics of configurations: medians over their counted runs, on the clock by which their engine is measured."""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from hexlogic.games import family_of
from hexlogic.laboratory.records.types import Category, Floor, Phases, Replayed, Run, Session, grouped
from hexlogic.laboratory.report.claims.noise import pooled_variances
from hexlogic.laboratory.report.claims.relations import (
    Counter,
    LimitReached,
    Missing,
    Relation,
    Timed,
    Timing,
    against_slowest,
    relate,
)
from hexlogic.laboratory.report.claims.sentences import leader
from hexlogic.process.limits import Limits

Clock: TypeAlias = Literal["wall", "cpu"]
"""What the times of an engine are: wall seconds, or CPU seconds of the process tree where the two part."""

NEAR = 3.0
"""A time below this many times the engine's floor is mostly what any query costs."""

UNSTEADY = 0.1
"""A time varies when the middle half of its runs is wider than this share of the median."""

_FEWEST = 3  # From fewer runs nothing can be said of how much they vary

_WORK = ("inferences", "ground_rules", "rule_matches")
"""The counters worth a column, the best first; they repeat exactly from run to run."""


class ReplayStats:
    """A replayed game: the seconds of making and loading the program and of each move (medians over the runs), what the
    state grew to (`facts_by_ply` after each move), and the memory of the process (the largest of the runs; None where
    it was not seen)."""

    def __init__(self, runs: Sequence[Run], replays: Sequence[Replayed]) -> None:
        first = replays[0]
        self.load_s = statistics.median((run.phases.transform_s or 0.0) + (run.phases.load_s or 0.0) for run in runs)
        self.plies_s = tuple(map(statistics.median, zip(*(replay.plies_s for replay in replays), strict=True)))
        self.facts, self.fact_bytes, self.facts_by_ply = first.facts, first.fact_bytes, first.facts_by_ply
        self.grown_bytes = max(replay.grown_bytes for replay in replays)
        self.peak_bytes = max((peak for run in runs if (peak := run.usage.peak_bytes) is not None), default=None)


class ConfigurationStats:
    """All counted runs of one configuration on one task. Times are None unless every run answered, and none wrongly.

    `time_s` is the median over runs of the first query in a fresh process, grounding and solving; `times_s` are those
    of each run, `quartiles_s` their first and third quartile; `warm_s` is the median over runs of the query asked again
    in the same process. `floor_s` is for a timeout: the query alone ran for at least this many CPU seconds, so it takes
    longer. `smallest_s` and `smallest_warm_s` are the times of the smallest query there is on the engine, first and
    again. `parted` counts the runs in which wall and CPU seconds part; `spread` is the width of the middle half of the
    runs as a share of the median, None for few runs. `asked` is the question with its suite: only times of the same
    question in the same suite have a ratio. `family` is the series of boards that the task is of, by `size`, empty for
    none; `is_single` says that it is one board, which is of no series and no game.

    Of a game replayed in some `mode`, `time_s` is the sum over its moves, and `replay` is there when it has a time.
    """

    def __init__(self, runs: Sequence[Run], clock: Clock, floors: Sequence[Floor], session: Session | None) -> None:
        first, good = runs[0], [run for run in runs if run.is_good]
        # One bad run decides: a median of the runs that happened to end in time would flatter the configuration.
        worst = next((run for run in runs if not run.is_good), first)
        every = [time_s for run in good if (time_s := seconds_on(clock, run.phases)) is not None]
        self.session = session
        self.suite = "" if session is None else session.suite
        self.rule_set, self.complete = first.rule_set, first.complete
        self.pipeline, self.engine = first.pipeline, first.engine
        self.task, self.query, self.mode = first.task, first.query, first.mode
        self.asked = self.suite, self.task, self.query
        self.family, self.size = family_of(self.task) or ("", 0)
        self.game, self.rows = first.game, first.rows
        self.is_single = self.mode is None and not self.family
        self.status, self.termination, self.message = worst.status, worst.termination, worst.message
        self.category: Category = "wrong" if any(run.category == "wrong" for run in runs) else worst.category
        self.counters, self.program_hash = worst.counters, worst.program_hash
        self.counted = len(runs)
        self.answered = sum(run.status == "answered" for run in runs)
        self.clock = clock
        self.parted = sum(run.phases.parted for run in good)
        self.times_s = tuple(every) if len(good) == len(runs) else ()
        self.time_s = median(self.times_s)
        self.quartiles_s = _quartiles(self.times_s)
        self.warm_s = median(run.warm_query_s for run in good) if self.times_s else None
        self.floor_s = _floor_s(worst, clock)
        self.smallest_s = median(seconds_on(clock, floor.phases) for floor in floors)
        self.smallest_warm_s = median(floor.warm_query_s for floor in floors)
        self.near_floor = _near(self.time_s, self.smallest_s)
        self.warm_near_floor = _near(self.warm_s, self.smallest_warm_s)
        self.spread: float | None = None
        if self.time_s and self.quartiles_s is not None and self.answered >= _FEWEST:
            self.spread = (self.quartiles_s[1] - self.quartiles_s[0]) / self.time_s
        self.unsteady = self.spread is not None and self.spread > UNSTEADY
        replays = [run.replayed for run in good if run.replayed is not None]
        self.replay = ReplayStats(good, replays) if self.times_s and replays else None
        self.noise: float | None = None
        """The variance of the logarithms of repeats, pooled over the engine by `summarise`; None without repeats."""

    @property
    def limits(self) -> Limits:
        """The limits of its runs."""
        assert self.session is not None
        return self.session.limits

    @property
    def limit_met(self) -> str:
        """The limit that it met; where none ended it its status."""
        if self.status not in ("timeout", "out-of-memory"):
            return self.status
        return f"> {self.limits.text_of('memory-limit' if self.status == 'out-of-memory' else self.termination)}"

    @property
    def timing(self) -> Timing:
        """The time as what relations are made from."""
        if self.category == "wrong":
            return Missing("wrong answer")
        match self.status:
            case "answered":
                known = self.times_s and min(self.times_s) > 0
                return Timed(self.times_s, self.noise) if known else Missing("too short for the clock")
            case "timeout" | "out-of-memory":
                return LimitReached(self.floor_s or None)
            case status:
                return Missing(status)

    @property
    def can_lead(self) -> bool:
        """Whether it finds every win and has a time, so that it can be called the fastest."""
        return self.complete and isinstance(self.timing, Timed)

    def data(self) -> dict[str, object]:
        """The raw values, for JSON."""
        hidden = ("session", "asked", "family", "size", "is_single", "game", "rows", "warm_near_floor")
        fields = {name: value for name, value in vars(self).items() if name not in hidden}
        return fields | {"replay": None if self.replay is None else vars(self.replay)}


def summarise(
    runs: Iterable[Run],
    floors: Iterable[Floor] = (),
    session: Session | None = None,
    clock: Mapping[str, Clock] | None = None,
) -> tuple[ConfigurationStats, ...]:
    """The configurations of the counted runs of a session, in the order of their first appearance, with the floors of
    their engines; the `clock` of each engine is that of `clocks` unless given."""
    runs = tuple(runs)
    clock = clocks(runs) if clock is None else clock
    right = grouped((floor for floor in floors if floor.category == "correct"), lambda floor: floor.engine)
    # A configuration with warm-ups alone comes from a session cut off: it has no measurement yet.
    counted = {name: [run for run in group if run.counted] for name, group in grouped(runs, question).items()}
    configs = [
        ConfigurationStats(group, clock.get(name[2], "wall"), right.get(name[2], ()), session)
        for name, group in counted.items()
        if group
    ]
    noises = pooled_variances((config.engine, config.times_s) for config in configs)
    for config in configs:
        config.noise = noises[config.engine]
    return tuple(configs)


def question(run: Run | ConfigurationStats) -> tuple[str, str, str, str, str]:
    """What repeats have in common: rule set, pipeline, engine, task, query."""
    return run.rule_set, run.pipeline, run.engine, run.task, run.query


def savings(config: ConfigurationStats, among: Iterable[ConfigurationStats]) -> Relation:
    """The runtime savings factor of a configuration `among` configurations of the same rule set, engine and question
    (others are passed over): the slowest time over its own, a bound where any of them met a limit."""
    name = (config.rule_set, config.engine, config.task, config.query)
    others = (other for other in among if other is not config)
    same = [other.timing for other in others if (other.rule_set, other.engine, other.task, other.query) == name]
    return against_slowest(config.timing, same)


def against(config: ConfigurationStats, baseline: ConfigurationStats) -> Relation:
    """How a configuration stands to another one."""
    return relate(baseline.timing, config.timing)


def leading(configs: Iterable[ConfigurationStats], text: Callable[[float], str]) -> str:
    """A clause on the fastest of the rule sets that find every win, all by their best pipelines; empty when none has a
    time."""
    timed = grouped((config for config in configs if config.can_lead), lambda config: config.rule_set)
    best = sorted((min(same, key=seconds_of) for same in timed.values()), key=seconds_of)
    others = {config.rule_set: against(best[0], config) for config in best[1:]}
    return leader(best[0].rule_set, text(seconds_of(best[0])), others) if best else ""


def seconds_of(config: ConfigurationStats) -> float:
    """The time, for sorting; 0 without one."""
    return config.time_s or 0.0


def clocks(runs: Iterable[Run]) -> dict[str, Clock]:
    """For each engine the clock of its times: CPU where wall and CPU seconds part in any counted run that answered, and
    the CPU seconds of all of them are known."""
    groups = grouped((run for run in runs if run.counted and run.status == "answered"), lambda run: run.engine)
    phases = {engine: [run.phases for run in group] for engine, group in groups.items()}
    return {
        engine: "cpu" if any(phase.parted for phase in group) and all(phase.busy_s for phase in group) else "wall"
        for engine, group in phases.items()
    }


def seconds_on(clock: Clock, phases: Phases) -> float | None:
    """The seconds of the cold query on a clock; on that of CPU time from 10 ms on."""
    return phases.busy_s if clock == "cpu" else phases.query_s


def work_counter(config: ConfigurationStats) -> Counter | None:
    """The deterministic work counter of a configuration; None where the engine has none."""
    return next((Counter(name, config.counters[name]) for name in _WORK if name in config.counters), None)


def _quartiles(values: Sequence[float]) -> tuple[float, float] | None:
    """First and third quartile, the ends included; None without values.

    >>> _quartiles([1.0, 2.0, 3.0, 4.0, 5.0]), _quartiles([1.0])
    ((2.0, 4.0), (1.0, 1.0))
    """
    if len(values) < 2:
        return (values[0], values[0]) if values else None
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return first, third


def median(values: Iterable[float | None]) -> float | None:
    """The median of those that are known; None for none."""
    there = [value for value in values if value is not None]
    return statistics.median(there) if there else None


def _near(time_s: float | None, smallest_s: float | None) -> bool:
    return time_s is not None and smallest_s is not None and time_s < NEAR * smallest_s


def _floor_s(run: Run, clock: Clock) -> float | None:
    """How long the query of a timed-out run has run: not the limit, which covers building and loading as well."""
    spent_s, wall_s = run.usage.cpu_s, run.usage.wall_s
    if run.status != "timeout" or run.asked_cpu_s is None or spent_s is None:
        return None
    query_s = max(0.0, spent_s - run.asked_cpu_s)
    # Several threads use more CPU than wall seconds; a bound on wall time is then as much smaller.
    several = clock == "wall" and wall_s is not None and wall_s < spent_s
    return query_s * wall_s / spent_s if several and wall_s is not None else query_s
