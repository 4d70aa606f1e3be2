"""What a table shows, in sentences made from the relations of its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hexlogic.process.limits import Limits
from hexlogic.report.claims.relations import NoBaseline, Relation
from hexlogic.report.claims.sentences import clock, leader, order, passes, pruning, unfinished, worth
from hexlogic.report.claims.timing import Timed
from hexlogic.report.formatting import listed, milliseconds, seconds
from hexlogic.report.statistics import ConfigurationStats, against, work_counter
from hexlogic.runs.records import EngineInfo

__all__ = ["clock_findings", "findings", "overview_findings"]

_Column = Mapping[str, ConfigurationStats]
"""One rule set on one engine, by pipeline."""

_BOTH = "ground,reorder"


def findings(cells: Sequence[ConfigurationStats], engines: Mapping[str, EngineInfo], limits: Limits) -> list[str]:
    """Sentences on one rule set: the engines that follow the order of a body, and those that plan their own."""
    columns: dict[str, dict[str, ConfigurationStats]] = {}
    for cell in cells:
        columns.setdefault(cell.engine, {})[cell.pipeline] = cell
    following = {engine: column for engine, column in columns.items() if engines[engine].order_sensitive}
    told = ["; ".join(_effects(following, limits))]
    for engine, column in columns.items():
        if engine not in following:
            told.append("; ".join(_planned(engine, column) or _effects({engine: column}, limits)))
    return [f"{cells[0].rule_set}: {sentence}." for sentence in told if sentence]


def overview_findings(cells: Sequence[ConfigurationStats], limits: Limits) -> list[str]:
    """Sentences over all rule sets of a task: who comes first on each engine, what passes do, what never ends."""
    told = [_leaders(cells), _worth(cells)]
    never = [
        f"{name} on {engine}"
        for name, engine in dict.fromkeys((cell.rule_set, cell.engine) for cell in cells)
        if all(cell.status == "timeout" for cell in cells if (cell.rule_set, cell.engine) == (name, engine))
    ]
    if never:
        told.append(f"With none of these passes does it finish in {seconds(limits.cpu_s)}: {listed(never)}.")
    return [sentence for sentence in told if sentence]


def clock_findings(cells: Sequence[ConfigurationStats]) -> list[str]:
    """A sentence for each engine whose times are CPU seconds."""
    told = []
    for engine in dict.fromkeys(cell.engine for cell in cells if cell.clock == "cpu"):
        own = [cell for cell in cells if cell.engine == engine]
        told.append(clock(engine, sum(cell.parted for cell in own), sum(cell.answered for cell in own)))
    return told


def _effects(columns: Mapping[str, _Column], limits: Limits) -> list[str]:
    """Clauses on engines that take the literals of a body in their order."""
    late = {
        engine: unfinished(
            [name for name, cell in column.items() if cell.status == "timeout"], list(column), seconds(limits.cpu_s)
        )
        for engine, column in columns.items()
    }
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
    cell, base = column.get(pipeline), column.get(baseline)
    if cell is None or base is None:
        return NoBaseline("not measured")
    return against(cell, base) if isinstance(cell.timing, Timed) else NoBaseline("no time")


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


def _leaders(cells: Sequence[ConfigurationStats]) -> str:
    told = []
    for engine in dict.fromkeys(cell.engine for cell in cells):
        best: dict[str, ConfigurationStats] = {}
        for cell in cells:
            if cell.engine == engine and cell.complete and cell.time_s and isinstance(cell.timing, Timed):
                known = best.get(cell.rule_set)
                if known is None or (known.time_s or 0.0) > cell.time_s:
                    best[cell.rule_set] = cell
        ranked = sorted(best.values(), key=lambda cell: cell.time_s or 0.0)
        if ranked:
            first, others = ranked[0], {cell.rule_set: against(ranked[0], cell) for cell in ranked[1:]}
            told.append(f"{engine}: {leader(first.rule_set, f'{milliseconds(first.time_s or 0.0)} ms', others)}")
    return f"Of the reformulations that find every win, on {'; on '.join(told)}." if told else ""


def _worth(cells: Sequence[ConfigurationStats]) -> str:
    columns: dict[tuple[str, str], dict[str, ConfigurationStats]] = {}
    for cell in cells:
        columns.setdefault((cell.rule_set, cell.engine), {})[cell.pipeline] = cell
    effects = {
        f"{name} on {engine}": relation
        for (name, engine), column in columns.items()
        if {"none", _BOTH} <= column.keys()
        and not isinstance(relation := against(column[_BOTH], column["none"]), NoBaseline)
    }
    return worth(effects) if effects else ""
