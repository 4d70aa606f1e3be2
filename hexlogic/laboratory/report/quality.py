"""Warnings about measurements: marks beside doubtful times, wrong answers, and what disturbed a whole session."""

from collections.abc import Sequence

from hexlogic.laboratory.records.store import RecordFile
from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.claims.sentences import clock
from hexlogic.laboratory.report.formatting import listed, milliseconds
from hexlogic.laboratory.report.results import SuiteRecords
from hexlogic.laboratory.report.statistics import NEAR, UNSTEADY, ConfigurationStats, median, question
from hexlogic.process.limits import MEGABYTE

_BUSY = 1.5  # A typical run that takes this many times its CPU time has waited for others

_SHARED = 1.2
"""A typical run that takes this many times its CPU time shared its processor; below, the load was on others."""

_OFTEN = 0.1  # The share of runs that may see a high load before a warning

_NEAR_FLOOR, _UNSTEADY, _PARTED = "*", "!", "#"


def doubt_marks(config: ConfigurationStats) -> str:
    """The marks of the configuration's time: any of `*`, `!` and `#`."""
    marks = ((_NEAR_FLOOR, config.near_floor), (_UNSTEADY, config.unsteady), (_PARTED, config.parted))
    return "".join(mark for mark, holds in marks if holds)


def warm_mark(config: ConfigurationStats) -> str:
    """The mark of the time of the query asked again."""
    return _NEAR_FLOOR if config.warm_near_floor else ""


def explain_marks(configs: Sequence[ConfigurationStats]) -> list[str]:
    """A sentence for each mark in use, with its count."""
    floors = {}
    near = [config for config in configs if config.near_floor or config.warm_near_floor]
    for config in near:
        first = "?" if config.smallest_s is None else milliseconds(config.smallest_s)
        again = "" if config.smallest_warm_s is None else f", again {milliseconds(config.smallest_warm_s)} ms"
        floors[config.engine] = f"{first} ms{again} on {config.engine}"
    smallest = f"below {NEAR:.0f} times the smallest query there is, one fact asked for ({listed([*floors.values()])})"
    varies = f"the time varies, the middle half of the runs is wider than {UNSTEADY * 100:.0f} % of the median."
    parts = "wall and CPU seconds of a run part by a fifth or more."
    explained = {
        _NEAR_FLOOR: (len(near), f"{smallest}; most of that time is what any query costs."),
        _UNSTEADY: (sum(config.unsteady for config in configs), varies),
        _PARTED: (sum(config.parted > 0 for config in configs), parts),
    }
    timed = sum(config.time_s is not None for config in configs)
    return [f"{mark} in {count} of {timed} cells: {text}" for mark, (count, text) in explained.items() if count]


def clock_findings(configs: Sequence[ConfigurationStats]) -> list[str]:
    """A sentence for each engine whose times are CPU seconds."""
    return [
        clock(engine, sum(config.parted for config in group), sum(config.answered for config in group))
        for engine, group in grouped(configs, lambda config: config.engine).items()
        if any(config.clock == "cpu" for config in group)
    ]


def wrong_answers(suite: SuiteRecords) -> list[str]:
    """One sentence for each configuration with a wrong answer."""
    wrong = (config for config in suite.configurations if config.category == "wrong")
    asked = [f"{', '.join(question(config))}: {config.message}" for config in wrong]
    judged = {
        f"{run.rule_set}, many positions of {run.size}x{run.size}, {run.method}: {run.message}": None
        for run in suite.positions
        if run.category == "wrong"
    }
    return [f"WRONG ANSWER: {text}" for text in (*asked, *judged)]


def doubts(records: RecordFile) -> list[str]:
    """Reasons not to trust the figures of a session: it was cut off, the machine was busy, a line is torn."""
    sentences = []
    waited, cores, runs = waiting(records), records.session.cores, records.measurements
    if records.end is None or records.end.reason == "interrupted":
        sentences.append(f"The session was cut off after {len(runs)} runs: cells without repeats are missing.")
    if waited is not None and waited > _BUSY:
        sentences.append(
            f"The machine was busy: a run took {waited:.1f} times as long as it had the processor. Do not trust times "
            "and factors; bounds, counters and answers stand."
        )
    if waited is None or waited > _SHARED:
        many = f"{cores} processors" if cores != 1 else "one processor"
        starts = (records.session.load_1m, *(again.load_1m for again in records.resumed))
        before = max((load for load in starts if load is not None), default=0.0)
        if before > cores:
            sentences.append(f"The load average was {before:.1f} before the start, above the {many}.")
        # The warm-ups, a run on each processor, are still in the average of the first minute.
        loads = [run.machine.load_1m for run in runs if not run.warmup and run.machine.load_1m is not None]
        above = [load for load in loads if load > cores]
        if len(above) > _OFTEN * len(loads):
            sentences.append(
                f"The load average was above the {many} in {len(above)} of {len(loads)} measured runs, up to "
                f"{max(above):.1f}: other work disturbed the times."
            )
    if swapped := [run.machine.swapped_bytes for run in runs if run.machine.swapped_bytes]:
        sentences.append(
            f"The machine swapped {sum(swapped) / MEGABYTE:,.1f} MB in {len(swapped)} of {len(runs)} runs: memory was "
            "short, do not trust the times of those runs."
        )
    engines = {floor.engine for floor in records.floors} - {f.engine for f in records.floors if f.category == "correct"}
    for engine in sorted(engines):
        sentences.append(f"The smallest query got no right answer on {engine}: its floor is not known.")
    return [*sentences, *records.warnings]


def waiting(records: RecordFile) -> float | None:
    """Wall time over CPU time of the typical repeat: little more than 1 on a machine with nothing else to do."""
    usages = (run.usage for run in records.measurements if not run.warmup)
    return median(usage.wall_s / usage.cpu_s for usage in usages if usage.wall_s is not None and usage.cpu_s)
