"""What a table shows, in two sentences computed from its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hexlogic.process.limits import Limits
from hexlogic.report.stats import CellStats, Savings, alike, savings_against, work_counter
from hexlogic.report.words import counter_words, factor, listed, milliseconds, pipeline_words, seconds
from hexlogic.runs.records import EngineInfo

__all__ = ["findings", "overview_findings"]

_Column = Mapping[str, CellStats]
"""One rule set on one engine, by pipeline."""


def findings(cells: Sequence[CellStats], engines: Mapping[str, EngineInfo], limits: Limits) -> list[str]:
    """Two sentences on one rule set: the engines that follow the order of a body, and those that plan their own."""
    columns: dict[str, dict[str, CellStats]] = {}
    for cell in cells:
        columns.setdefault(cell.engine, {})[cell.pipeline] = cell
    following = {engine: column for engine, column in columns.items() if engines[engine].order_sensitive}
    told = _effects(following, limits)
    for engine, column in columns.items():
        if engine not in following:
            told.append(_planned(engine, column) or "; ".join(_effects({engine: column}, limits)))
    return [f"{cells[0].rule_set}: {sentence}." for sentence in told if sentence]


def overview_findings(cells: Sequence[CellStats], limits: Limits) -> list[str]:
    """Sentences over all rule sets of a task: the fastest on each engine, what passes are worth, what never ends."""
    told = [_fastest(cells), _worth(cells)]
    never = [
        f"{name} on {engine}"
        for name, engine in dict.fromkeys((cell.rule_set, cell.engine) for cell in cells)
        if all(cell.status == "timeout" for cell in cells if (cell.rule_set, cell.engine) == (name, engine))
    ]
    if never:
        told.append(f"With none of these passes does it finish in {seconds(limits.cpu_s)}: {listed(never)}.")
    return [sentence for sentence in told if sentence]


def _effects(columns: Mapping[str, _Column], limits: Limits) -> list[str]:
    """One sentence, without its full stop, on engines that take the literals of a body in their order."""
    clauses = [*_unfinished(columns, limits)]
    for pipeline in ("ground", "reorder", "ground,reorder"):
        parts = {
            engine: text
            for engine, column in columns.items()
            if pipeline in column and (text := _saving(column[pipeline], column))
        }
        if parts:
            clauses.append(f"{_verb(pipeline, list(parts.values()))} {listed([f'{parts[e]} on {e}' for e in parts])}")
    clauses += _grouped({engine: _pruning(column) for engine, column in columns.items()})
    return ["; ".join(clauses)] if clauses else []


def _unfinished(columns: Mapping[str, _Column], limits: Limits) -> list[str]:
    texts = {}
    for engine, column in columns.items():
        late = [pipeline for pipeline, cell in column.items() if cell.status == "timeout"]
        within = f"in {seconds(limits.cpu_s)}"
        if not late:
            texts[engine] = ""
        elif len(late) == len(column):
            texts[engine] = f"nothing finishes {within}"
        elif set(late) == {pipeline for pipeline in column if "reorder" not in pipeline}:
            texts[engine] = f"without reordering nothing finishes {within}"
        else:
            words = listed([f'"{pipeline_words(pipeline)}"' for pipeline in late])
            texts[engine] = f"{words} {'does' if len(late) == 1 else 'do'} not finish {within}"
    return _grouped(texts)


def _grouped(texts: Mapping[str, str]) -> list[str]:
    """Each text once, with the engines it is true of; empty texts are dropped."""
    return [
        f"{text} on {listed([engine for engine, other in texts.items() if other == text])}"
        for text in dict.fromkeys(texts.values())
        if text
    ]


def _saving(cell: CellStats, column: _Column) -> str:
    found = _against_none(cell, list(column.values()))
    if cell.time_s is None or found is None:
        return "" if cell.time_s is None else f"{milliseconds(cell.time_s)} ms"
    if found.bound:
        return f"{milliseconds(cell.time_s)} ms ({factor(found.factor, bound=True)})"
    if alike(cell, column["none"]):
        return "nothing"
    return factor(found.factor) if found.factor > 1 else f"a loss of {factor(1 / found.factor)}"


def _verb(pipeline: str, savings: list[str]) -> str:
    """The subject and the verb that fit all of these: `grounding saves`, `both take`."""
    word = "take" if all("ms" in text for text in savings) else "save"
    if any("loss" in text for text in savings) or (word == "save" and any("ms" in text for text in savings)):
        word = "give"
    return f"{pipeline_words(pipeline)} {word}{'' if pipeline == 'ground,reorder' else 's'}"


def _pruning(column: _Column) -> str:
    both, pruned = column.get("ground,reorder"), column.get("ground,reorder,prune")
    if both is None or pruned is None or not both.time_s or not pruned.time_s:
        return ""
    if both.program_hash is not None and both.program_hash == pruned.program_hash:
        return "pruning finds nothing to drop"
    if alike(both, pruned):
        return "pruning then saves nothing"
    ratio = both.time_s / pruned.time_s
    return f"pruning then saves {factor(ratio)}" if ratio > 1 else f"pruning then costs {factor(1 / ratio)}"


def _planned(engine: str, column: _Column) -> str:
    """An engine that plans its own joins: does order matter to it? The two of each pair differ in nothing else."""
    pairs = []
    for before, after in (("none", "reorder"), ("ground", "ground,reorder")):
        first, second = column.get(before), column.get(after)
        if first is not None and second is not None and first.time_s and second.time_s:
            pairs.append((first, second, first.time_s, second.time_s))
    if not pairs:
        return ""
    ratio = max(max(one / two, two / one) for _, _, one, two in pairs)
    works = {work_counter(cell) for first, second, _, _ in pairs for cell in (first, second)}
    work = works.pop() if len(works) == 1 else None
    measured = [f"{milliseconds(one)} ms against {milliseconds(two)} ms" for _, _, one, two in pairs]
    figures = ", grounded ".join(measured) + (f"; {work[1]:,} {counter_words(work[0])} each time" if work else "")
    if all(alike(first, second) for first, second, _, _ in pairs):
        text = f"{engine} plans its own joins, order makes no difference there ({figures})"
    elif work:
        text = f"{engine} plans its own joins, order changes nothing in its work ({figures})"
    else:
        text = f"{engine} plans its own joins, yet order makes up to {factor(ratio)} ({figures})"
    saved = _saving(column["ground"], column) if "ground" in column else ""
    return f"{text}; {_verb('ground', [saved])} {saved}" if saved else text


def _fastest(cells: Sequence[CellStats]) -> str:
    best: dict[str, list[str]] = {}
    for engine in dict.fromkeys(cell.engine for cell in cells):
        timed = [(cell.time_s, cell) for cell in cells if cell.engine == engine and cell.complete and cell.time_s]
        if timed:
            time_s, cell = min(timed, key=lambda pair: pair[0])
            best.setdefault(cell.rule_set, []).append(f"{milliseconds(time_s)} ms on {engine}")
    if not best:
        return ""
    winners = [f"{name} ({', '.join(times)})" for name, times in best.items()]
    return f"The fastest reformulation that finds every win: {listed(winners)}."


def _worth(cells: Sequence[CellStats]) -> str:
    saved = [
        (found.factor, found.bound, cell)
        for cell in cells
        if cell.pipeline == "ground,reorder" and (found := _against_none(cell, cells)) is not None
    ]
    if not saved:
        return ""
    most, bound, best = max(saved, key=lambda item: item[0])
    base = {(cell.rule_set, cell.engine): cell for cell in cells if cell.pipeline == "none"}
    clear = [item for item in saved if not alike(item[2], base[item[2].rule_set, item[2].engine])]
    helped = sum(value > 1 for value, _, _ in clear)
    text = f"Grounding and reordering together save time in {helped} of {len(saved)} pairs of reformulation and engine"
    if helped:
        text += f", most for {best.rule_set} on {best.engine} ({factor(most, bound=bound)})"
    least, _, worst = min(clear or saved, key=lambda item: item[0])
    if clear and least < 1:
        text += f"; they cost {factor(1 / least)} for {worst.rule_set} on {worst.engine}"
    elif len(clear) > 1:
        text += f", least for {worst.rule_set} on {worst.engine} ({factor(least)})"
    return f"{text}."


def _against_none(cell: CellStats, cells: Sequence[CellStats]) -> Savings | None:
    """What a cell saves against the same without passes; below 1 it costs. None when there is no such figure."""
    same = [other for other in cells if (other.rule_set, other.engine) == (cell.rule_set, cell.engine)]
    base = next((other for other in same if other.pipeline == "none"), None)
    return None if base is None else savings_against(cell, base)
