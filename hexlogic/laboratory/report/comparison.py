"""Compares two measurements of the same configurations: what became slower, faster, wrong, lost or more work."""

import math
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.agreement import disagreements, place_of, unlike
from hexlogic.laboratory.records.store import RecordFile, benchmark_files, merge_benchmarks, read_records
from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.claims.noise import RATE, Shift, discoveries, pooled_variances, shift
from hexlogic.laboratory.report.claims.relations import Relation, Timed, pooled
from hexlogic.laboratory.report.formatting import listed
from hexlogic.laboratory.report.statistics import Clock, clocks, question, summarise

NOISE = 1.25
"""Changes of time within this factor do not count: another clock frequency shifts everything by a few percent."""

ChangeVerdict: TypeAlias = Literal[
    "wrong", "lost", "slower", "faster", "found", "corrected", "other", "suspect", "open", "same", "unknown"
]
"""What became of a configuration. `lost` and `found` an answer; `other`: no answer before and after, for another
reason. `suspect`: its own interval is beyond the threshold, and might be by chance among so many; `open`: the interval
reaches beyond the threshold; `same`: it does not; `unknown`: nothing says how large the noise is."""

Name: TypeAlias = tuple[str, ...]
"""Rule set, pipeline, engine, task, query; of playouts sheet, `none`, reasoner, game, `a playout`; or the name of a
benchmark alone."""


@dataclass(frozen=True, slots=True)
class SideResult:
    """One configuration of one side: how it ended, its seconds when it answered, and its counters that repeat
    exactly."""

    outcome: str
    times: tuple[float, ...]
    counters: Mapping[str, int]
    facts_hash: str = ""

    @property
    def time_s(self) -> float | None:
        """The median; None without an answer."""
        return statistics.median(self.times) if self.times else None


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """One side of a comparison: where it comes from, and its records."""

    source: Path
    records: RecordFile

    def results(self, clock: Mapping[str, Clock]) -> dict[Name, SideResult]:
        """Every configuration, with its times on the clock of its engine."""
        results: dict[Name, SideResult] = {}
        groups = grouped((run for run in self.records.runs if run.counted), question)
        for config in summarise(self.records.runs, clock=clock):
            runs = groups[question(config)]
            steady = {
                counter: value
                for counter, value in runs[0].counters.items()
                if all(run.counters.get(counter) == value for run in runs)
            }
            times = config.timing.times_s if isinstance(config.timing, Timed) else ()
            outcome = "wrong" if config.category == "wrong" else config.status
            results[question(config)] = SideResult(outcome, times, steady, runs[0].facts_hash)
        results |= _played(self.records)
        return results | {(name,): SideResult("answered", times, {}) for name, times in self.records.others.items()}

    def timed(self, results: Mapping[Name, SideResult]) -> dict[Name, Timed]:
        """The results with times, and the variance of repeats on their engine or in their kind of benchmark. None of
        one process of pytest-benchmark: its configurations share what disturbs it, and its noise is not known."""
        if self.records.processes == 1:
            return {}
        noises = pooled_variances((_kind(name), result.times) for name, result in results.items())
        return {name: Timed(result.times, noises[_kind(name)]) for name, result in results.items() if result.times}


class WorkChange(NamedTuple):
    """A deterministic counter that changed."""

    counter: str
    old: int
    new: int

    @property
    def ratio(self) -> float:
        """New over old; infinite from nothing to something."""
        return self.new / self.old if self.old else math.inf


@dataclass(frozen=True, slots=True)
class ResultChange:
    """One configuration of both sides, and what became of it."""

    name: Name
    old: SideResult
    new: SideResult
    shift: Shift | None
    verdict: ChangeVerdict
    work: tuple[WorkChange, ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """All configurations of an engine, or of the suite, together: how the new times stand to the old ones, as the
    geometric mean over the configurations. All intervals of a comparison's pools hold together with 95 %."""

    name: str
    count: int
    relation: Relation


def read_side(path: Path) -> ComparedSide:
    """A folder of records, a file of pytest-benchmark, or a folder of such files. Raises SuiteError for one that cannot
    be read."""
    files = benchmark_files(path)
    side = ComparedSide(path, merge_benchmarks(files) if files else read_records(path))
    if not side.results({}):
        raise SuiteError("nothing was measured", file=str(path))
    return side


class SuiteComparison:
    """All configurations of two sides, in the order of the old one; a change of time counts when it is beyond noise and
    beyond the factor `threshold`.

    `clock` says by what the engines of both sides are compared, `only_old` and `only_new` what one side alone has, and
    `mixed`, in words, what differs between sessions that were compared all the same.

    Raises SuiteError when they have no configuration in common, are the same session or of different kinds, for a
    threshold below 1, and unless `mix` when host, limits or versions of Python and engines differ.
    """

    def __init__(self, old: ComparedSide, new: ComparedSide, *, threshold: float = NOISE, mix: bool = False) -> None:
        self.old, self.new, self.threshold = old, new, threshold
        sessions, both_sides = [old.records.session, new.records.session], f"{old.source} and {new.source}"
        if not 1 <= threshold < math.inf:
            raise SuiteError(f"a threshold of {threshold:g} is no factor", hint="such as 1.25")
        if sessions[0].session == sessions[1].session:
            raise SuiteError(f"{both_sides} hold the same session", hint="give two")
        if (old.records.processes is None) != (new.records.processes is None):
            what = f"{both_sides} are no pair: first answers in fresh processes, and repeated ones in one"
            raise SuiteError(what, hint="compare two folders of records or two files of pytest-benchmark")
        if (differing := unlike(sessions, code=False)) and not mix:  # the code is what is compared
            what = f"{both_sides} have different {listed(differing)}"
            raise SuiteError(what, hint="--mix compares them all the same")
        # CPU time where either side has to be measured by it and both have counted it.
        self.clock = clock = clocks((*old.records.runs, *new.records.runs))
        before, after = old.results(clock), new.results(clock)
        # A board may have kept its name and changed its stones.
        hashes = {name: result.facts_hash for name, result in after.items()}
        both = {name: (result, after[name]) for name, result in before.items() if hashes.get(name) == result.facts_hash}
        if not both:
            raise SuiteError(f"{both_sides} have no cell in common")
        timed, timed_after = old.timed(before), new.timed(after)
        pairs = {name: (timed[name], timed_after[name]) for name in both if name in timed and name in timed_after}
        shifts = {
            name: moved
            for name, (first, then) in pairs.items()
            if (moved := shift(first.times_s, then.times_s, (first.noise, then.noise), threshold)) is not None
        }
        alarms = dict(zip(shifts, discoveries([moved.p for moved in shifts.values()], RATE), strict=True))
        self.changes: list[ResultChange] = []
        for name, (result, now) in both.items():
            work = [
                WorkChange(counter, value, now.counters[counter])
                for counter, value in result.counters.items()
                if now.counters.get(counter, value) != value
            ]
            verdict = _verdict(result, now, shifts.get(name), alarms.get(name, False), threshold)
            self.changes.append(ResultChange(name, result, now, shifts.get(name), verdict, tuple(work)))
        self.pools = list(_pools(pairs))
        self.only_old = [name for name in before if name not in both]
        self.only_new = [name for name in after if name not in both]
        self.mixed = listed(differing)

    def having(self, *verdicts: ChangeVerdict) -> list[ResultChange]:
        """The configurations with one of these verdicts, the largest change of time first."""
        changes = [change for change in self.changes if change.verdict in verdicts]
        return sorted(
            changes, key=lambda change: (-abs(math.log(change.shift.ratio)) if change.shift else 0.0, change.name)
        )

    @property
    def more_work(self) -> list[tuple[ResultChange, WorkChange]]:
        """Counters that grew by more than the threshold."""
        return [(change, work) for change in self.changes for work in change.work if work.ratio > self.threshold]

    @property
    def worse(self) -> bool:
        """Whether anything is wrong, lost or slower, by itself or together with others, or needs more work."""
        slower = [pool.relation.high for pool in self.pools if pool.relation.kind == "Slower"]
        pools = any(high is not None and high < 1 / self.threshold for high in slower)
        return bool(self.having("wrong", "lost", "slower") or self.more_work or pools)


def _played(records: RecordFile) -> Iterator[tuple[Name, SideResult]]:
    """Playouts: the CPU seconds of one in each run; ground rules and atoms are counters that repeat."""
    groups = grouped(records.playings, lambda run: (run.sheet, "none", run.reasoner, place_of(run), "a playout"))
    far = {id(disagreement.playing) for disagreement in disagreements(records.playings)}
    for name, runs in groups.items():
        played = [run.played.playout_s for run in runs if run.played is not None]
        times = tuple(time_s for time_s in played if time_s is not None)
        bad = next((run.status for run in runs if run.status != "answered"), None)
        outcome = "wrong" if any(id(run) in far for run in runs) else bad or "answered"
        started = runs[0].started
        sizes = {} if started is None else {"ground_rules": started.rules, "ground_atoms": started.atoms}
        counters = {counter: value for counter, value in sizes.items() if value is not None}
        yield name, SideResult(outcome, times if outcome == "answered" else (), counters, runs[0].sheet_hash)


def _pools(pairs: Mapping[Name, tuple[Timed, Timed]]) -> Iterator[Pool]:
    kinds = grouped(pairs, _kind)
    groups = {f"all of {kind}": [pairs[name] for name in names] for kind, names in kinds.items() if len(names) > 1}
    if len(kinds) > 1 or not groups:
        groups["the whole suite"] = [pairs[name] for names in kinds.values() for name in names]
    for title, group in groups.items():
        if (relation := pooled(group, level=1 - RATE / len(groups))) is not None:
            yield Pool(title, len(group), relation)


def _kind(name: Name) -> str:
    """The group that shares one variance of repeats: an engine, or the function of a benchmark."""
    return name[2] if len(name) > 1 else name[0].partition("[")[0]


def _verdict(old: SideResult, new: SideResult, moved: Shift | None, alarm: bool, threshold: float) -> ChangeVerdict:
    if new.outcome == "wrong":
        return "wrong"
    if old.outcome == "wrong":
        return "corrected" if new.outcome == "answered" else "other"
    if old.outcome != new.outcome:
        return "lost" if old.outcome == "answered" else "found" if new.outcome == "answered" else "other"
    if moved is None:
        return "unknown" if old.outcome == "answered" else "same"
    if alarm:
        return "slower" if moved.ratio > 1 else "faster"
    if moved.low > threshold or moved.high < 1 / threshold:
        return "suspect"
    return "same" if 1 / threshold <= moved.low and moved.high <= threshold else "open"
