"""What a table shows, in sentences made from the relations of its configurations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hexlogic.process.limits import Limits
from hexlogic.report.claims.relations import NoBaseline, Relation
from hexlogic.report.claims.sentences import clock, leader, order, passes, pruning, unfinished, worth
from hexlogic.report.claims.timing import Timed
from hexlogic.report.formatting import listed, milliseconds, seconds
from hexlogic.report.grouping import grouped
from hexlogic.report.statistics import ConfigurationStats, against, work_counter
from hexlogic.runs.records import EngineInfo

__all__ = ["clock_findings", "findings", "overview_findings"]

_Column = Mapping[str, ConfigurationStats]
"""One rule set on one engine, by pipeline."""

_BOTH = "ground,reorder"


def findings(configs: Sequence[ConfigurationStats], engines: Mapping[str, EngineInfo], limits: Limits) -> list[str]:
    """Sentences on one rule set: the engines that follow the order of a body, and those that plan their own."""
    groups = grouped(configs, lambda one: one.engine)
    columns = {engine: {one.pipeline: one for one in own} for engine, own in groups.items()}
    following = {engine: column for engine, column in columns.items() if engines[engine].order_sensitive}
    told = ["; ".join(_effects(following, limits))]
    for engine, column in columns.items():
        if engine not in following:
            told.append("; ".join(_planned(engine, column) or _effects({engine: column}, limits)))
    return [f"{configs[0].rule_set}: {sentence}." for sentence in told if sentence]


def overview_findings(configs: Sequence[ConfigurationStats], limits: Limits) -> list[str]:
    """Sentences over all rule sets of a task: who comes first on each engine, what passes do, what never ends."""
    told = [_leaders(configs), _worth(configs)]
    groups = grouped(configs, lambda one: f"{one.rule_set} on {one.engine}")
    never = [name for name, own in groups.items() if all(one.status == "timeout" for one in own)]
    if never:
        told.append(f"With none of these passes does it finish in {seconds(limits.cpu_s)}: {listed(never)}.")
    return [sentence for sentence in told if sentence]


def clock_findings(configs: Sequence[ConfigurationStats]) -> list[str]:
    """A sentence for each engine whose times are CPU seconds."""
    return [
        clock(engine, sum(one.parted for one in own), sum(one.answered for one in own))
        for engine, own in grouped(configs, lambda one: one.engine).items()
        if any(one.clock == "cpu" for one in own)
    ]


def _effects(columns: Mapping[str, _Column], limits: Limits) -> list[str]:
    """Clauses on engines that take the literals of a body in their order."""
    late = {}
    for engine, column in columns.items():
        stopped = [name for name, config in column.items() if config.status == "timeout"]
        late[engine] = unfinished(stopped, list(column), seconds(limits.cpu_s))
    clauses = _grouped(late)
    for pipeline in ("ground", "reorder", _BOTH):
        effects = {
            engine: relation
            for engine, column in columns.items()
            if pipeline in column and not isinstance(relation := _effect(pipeline, column), NoBaseline)
        }
        if effects:
            clauses.append(passes(pipeline, effects))
    return clauses + _grouped({engine: _pruning(column) for engine, column in columns.items()})


def _grouped(texts: Mapping[str, str]) -> list[str]:
    """Each text once, with the engines it is true of; empty texts are dropped."""
    return [
        f"{text} on {listed([engine for engine, other in texts.items() if other == text])}"
        for text in dict.fromkeys(texts.values())
        if text
    ]


def _effect(pipeline: str, column: _Column, baseline: str = "none") -> Relation:
    """What a pipeline does on one engine; of what did not finish itself, the clause before has told."""
    config, base = column.get(pipeline), column.get(baseline)
    if config is None or base is None:
        return NoBaseline("not measured")
    return against(config, base) if isinstance(config.timing, Timed) else NoBaseline("no time")


def _pruning(column: _Column) -> str:
    relation = _effect("ground,reorder,prune", column, _BOTH)
    if isinstance(relation, NoBaseline):
        return ""
    both, pruned = column[_BOTH], column["ground,reorder,prune"]
    same = both.program_hash is not None and both.program_hash == pruned.program_hash
    return pruning(None if same else relation)


def _planned(engine: str, column: _Column) -> list[str]:
    """An engine that plans its own joins: does order matter to it? The two of each pair differ in nothing else."""
    effects: dict[str, Relation] = {}
    counted = set()
    for where, before, after in (("as written", "none", "reorder"), ("when grounded", "ground", _BOTH)):
        relation = _effect(after, column, before)
        if not isinstance(relation, NoBaseline):
            effects[where] = relation
            counted |= {work_counter(column[before]), work_counter(column[after])}
    if not effects:
        return []
    clauses = [order(engine, effects, counted.pop() if len(counted) == 1 else None)]
    if not isinstance(grounded := _effect("ground", column), NoBaseline):
        clauses.append(passes("ground", {engine: grounded}))
    return clauses


def _leaders(configs: Sequence[ConfigurationStats]) -> str:
    told = []
    for engine, own in grouped(configs, lambda one: one.engine).items():
        timed = [one for one in own if one.complete and one.time_s and isinstance(one.timing, Timed)]
        best = [min(group, key=_time_s) for group in grouped(timed, lambda one: one.rule_set).values()]
        if ranked := sorted(best, key=_time_s):
            first, others = ranked[0], {config.rule_set: against(ranked[0], config) for config in ranked[1:]}
            told.append(f"{engine}: {leader(first.rule_set, f'{milliseconds(first.time_s or 0.0)} ms', others)}")
    return f"Of the reformulations that find every win, on {'; on '.join(told)}." if told else ""


def _time_s(one: ConfigurationStats) -> float:
    return one.time_s or 0.0


def _worth(configs: Sequence[ConfigurationStats]) -> str:
    effects = {}
    for name, own in grouped(configs, lambda one: f"{one.rule_set} on {one.engine}").items():
        column = {one.pipeline: one for one in own}
        if {"none", _BOTH} <= column.keys():
            relation = against(column[_BOTH], column["none"])
            if not isinstance(relation, NoBaseline):
                effects[name] = relation
    return worth(effects) if effects else ""
