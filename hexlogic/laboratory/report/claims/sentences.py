"""The words of a report: every verb, comparative, clause and sentence that compares, made from relations, bounds and
counts; never from bare numbers.

A bound is rounded down (or up) so that it stays one, and an interval outwards so that it still holds what it held. The
tests ask for a case of each function.
"""

import math
from collections.abc import Mapping, Sequence

from hexlogic.laboratory.report.claims.relations import BAND, Counter, Estimate, Relation
from hexlogic.laboratory.report.formatting import counter_name, duration, factor, listed, pipeline_name


def interval_text(low: float, high: float) -> str:
    """An interval with two digits, rounded outwards.

    >>> interval_text(7.02, 8.61), interval_text(3010.0, 3790.0)
    ('[7.0, 8.7]', '[3.0k, 3.8k]')
    """
    return f"[{_end(low, up=False)}, {_end(high, up=True)}]"


def entry(relation: Relation) -> str:
    """A factor as it stands in a table: with its interval, as a bound, or empty. `[?]`: its interval is not known.

    >>> from hexlogic.laboratory.report.claims.relations import REFERENCE, at_least
    >>> entry(Relation(7.76, 7.02, 8.61)), entry(at_least(3384.0)), entry(Relation(2.0)), entry(REFERENCE)
    ('7.8x [7.0, 8.7]', '>= 3,300x', '2.0x [?]', '1.0x')
    """
    value, low, high = relation.value, relation.low, relation.high
    if value is None or relation.is_reference:
        return "" if value is None else factor(value)
    if low is not None and high is not None:
        return f"{_times(value)} {interval_text(low, high)}"
    if relation.is_bound:
        return factor(value, bound=True) if high is None else f"<= {_end(value, up=True)}x"
    return f"{_times(value)} [?]"


def verb(relation: Relation, *, plural: bool = False) -> str:
    """What a pass does to the time, as the predicate of a sentence.

    >>> from hexlogic.laboratory.report.claims.relations import at_least
    >>> verb(Relation(2.0, 1.5, 2.5)), verb(Relation(0.5, 0.4, 0.6), plural=True)
    ('saves 2.0x [1.5, 2.5]', 'cost 2.0x [1.6, 2.5]')
    >>> verb(at_least(3384.0)), verb(Relation(2.0, 0.5, 8.0))
    ('saves at least 3,300x', 'cannot be told apart here (2.0x [0.50, 8.0])')
    """
    s = "" if plural else "s"
    if decides := relation.decides:
        late = f"do{'' if plural else 'es'} not finish, and " if relation.kind == "AtMost" else ""
        return f"{late}{'save' if decides > 0 else 'cost'}{s} {_by(relation, '{}')}"
    words = {
        "Same": f"make{s} no difference ({entry(relation)}, within {BAND:g}x)",
        "Reference": "is what is compared with",
        "NoBaseline": f"ha{'ve' if plural else 's'} no baseline ({relation.why})",
    }
    return words.get(relation.kind) or _open(relation, "are " if plural else "is ")


def adjective(relation: Relation) -> str:
    """How a configuration stands to another, as a predicate adjective.

    >>> adjective(Relation(0.5, 0.4, 0.6)), adjective(Relation(1.0, 0.97, 1.04))
    ('2.0x slower [1.6, 2.5]', 'equally fast (1.0x [0.97, 1.1], within 1.1x)')
    """
    if decides := relation.decides:
        return _by(relation, "{} faster" if decides > 0 else "{} slower")
    words = {
        "Same": f"equally fast ({entry(relation)}, within {BAND:g}x)",
        "Reference": "the one that is compared with",
        "NoBaseline": f"not comparable ({relation.why})",
    }
    return words.get(relation.kind) or _open(relation)


def _by(relation: Relation, words: str) -> str:
    """By how much the faster one is faster, put into `words`, and its interval where there is one."""
    ends = [relation.value, relation.low, relation.high]
    if relation.decides < 0:
        ends = [None if end is None else 1 / end for end in (relation.value, relation.high, relation.low)]
    value, low, high = ends
    if value is None or low is None or high is None:
        return words.format(f"at least {factor(value or 0.0, bound=True).removeprefix('>= ')}")
    return f"{words.format(factor(value))} {interval_text(low, high)}"


def counter_text(counter: Counter) -> str:
    """A count with its unit.

    >>> counter_text(Counter("ground_rules", 1970))
    '1,970 ground rules'
    """
    return f"{counter.value:,} {counter_name(counter.name)}"


def _open(relation: Relation, verb: str = "") -> str:
    """A relation that decides nothing: an interval that includes 1, or a bound on the wrong side of 1."""
    if relation.is_bound:
        return f"{verb}not decided: a limit came first ({entry(relation)})"
    return f"cannot be told apart{': measured once' if relation.kind == 'Once' else ' here'} ({entry(relation)})"


def _times(value: float) -> str:
    """A factor with two digits, below 1 as well: 0.96 must not stand as 1.0 beside an interval that ends at 0.99."""
    return factor(value) if value >= 0.995 else f"{value:.2g}x"


def _end(value: float, *, up: bool) -> str:
    """Two digits, rounded up or down; thousands as `k`, millions as `M`."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{_end(value / size, up=up)}{unit}" if value < 1e9 else f"{value:.1e}"
    if not 1e-300 < value < math.inf:
        return f"{value:g}"
    digits = 1 - math.floor(math.log10(value))
    scaled = value * 10.0**digits
    # A hair of tolerance: 0.1 * 10 must not become 2 when it is rounded up.
    near = round(scaled)
    whole = near if abs(scaled - near) < 1e-9 else math.ceil(scaled) if up else math.floor(scaled)
    return f"{whole / 10.0**digits:.{max(digits, 0)}f}"


def passes(pipeline: str, by_engine: Mapping[str, Relation]) -> str:
    """What a pipeline does on each engine, against no pass on the same engine."""
    plural = pipeline == "ground,reorder"
    clauses = [f"{verb(relation, plural=plural)} on {engine}" for engine, relation in by_engine.items()]
    return f"{pipeline_name(pipeline)} {listed(clauses)}"


def pruning(relation: Relation | None) -> str:
    """What pruning does after grounding and reordering; None: it left the program as it was."""
    return "pruning finds nothing to drop" if relation is None else f"pruning then {verb(relation)}"


def unfinished(late: Sequence[str], asked: Sequence[str], limit: str) -> str:
    """Which pipelines met the time limit, of those that were asked; empty when none did."""
    if not late:
        return ""
    if len(late) == len(asked):
        return f"nothing finishes in {limit}"
    if set(late) == {pipeline for pipeline in asked if "reorder" not in pipeline}:
        return f"without reordering nothing finishes in {limit}"
    words = listed([f'"{pipeline_name(pipeline)}"' for pipeline in late])
    return f"{words} {'does' if len(late) == 1 else 'do'} not finish in {limit}"


def leader(name: str, figure: str, others: Mapping[str, Relation]) -> str:
    """Who comes first. `others` are the relations of the first to each other one: only one that is shown to be ahead of
    all of them is called the fastest."""
    close = [other for other, relation in others.items() if relation.decides <= 0]
    if not others:
        return f"{name} ({figure})"
    if not close:
        return f"{name} is the fastest ({figure})"
    shown = [*close[:3], f"{len(close) - 3} more"] if len(close) > 4 else close
    return f"{name} comes first by median ({figure}), not told apart from {listed(shown)}"


def worth(by_pair: Mapping[str, Relation], asked: int = 1) -> str:
    """In how many pairs of reformulation and engine grounding and reordering together save or cost time; where more
    than one question was `asked` a pair counts once for each."""
    saved = {name: relation for name, relation in by_pair.items() if relation.decides > 0}
    lost = {name: relation for name, relation in by_pair.items() if relation.decides < 0}
    late = [entry(relation) for relation in by_pair.values() if relation.is_bound and not relation.decides]
    same = sum(relation.kind == "Same" for relation in by_pair.values())
    if len(by_pair) == 1:
        ((name, relation),) = by_pair.items()
        return f"{name}: grounding and reordering together {verb(relation, plural=True)}."
    text = f"Grounding and reordering together save time in {len(saved) or 'none'} of {len(by_pair)} pairs of "
    text += "reformulation and engine" + ("" if asked == 1 else f", each of {asked} questions by itself")
    if saved:
        name = max(saved, key=lambda pair: _size(saved[pair]))
        text += f", {'most ' if len(saved) > 1 else ''}for {name} ({entry(saved[name])})"
    if lost:
        name = max(lost, key=lambda pair: _size(lost[pair]))
        most = "most " if len(lost) > 1 else ""
        text += f"; they cost time in {len(lost)}, {most}for {name} ({adjective(lost[name])})"
    text += f"; they make no difference in {same}" if same else ""
    if late:
        text += f"; {len(late)} {'is' if len(late) == 1 else 'are'} not decided, as a limit came first ({listed(late)})"
    rest = len(by_pair) - len(saved) - len(lost) - same - len(late)
    return f"{text}; {rest} cannot be told apart here." if rest else f"{text}."


def not_slower(by_engine: Mapping[str, Sequence[str]]) -> str:
    """What is not shown to be slower than the choice on each engine; empty for nothing."""
    clauses = []
    for engine, names in by_engine.items():
        shown = [*names[:2], f"{len(names) - 2} more"] if len(names) > 3 else list(names)
        clauses += [f"{engine}: {listed(shown)}"] if names else []
    return f"Not shown to be slower than the choice: {'; '.join(clauses)}." if clauses else ""


def followed(rule_set: str, by_engine: Mapping[str, Relation]) -> str:
    """What following a game from move to move does, against asking anew after each."""
    clauses = [f"{verb(relation)} on {engine}" for engine, relation in by_engine.items()]
    return f"{rule_set}: following a game instead of asking anew after each move {listed(clauses)}."


def extrapolation(what: str, size: int, estimate: Estimate, grounds: str) -> str:
    """What a size would take that nobody measured: never without its interval."""
    value, low, high = map(duration, estimate)
    return f"{what}: at n = {size} an estimated {value} (95 %: {low} to {high}), {grounds}."


def clock(engine: str, parted: int, runs: int) -> str:
    """That the times of an engine are CPU seconds, and why."""
    return (
        f"Times of {engine} from 10 ms on are CPU seconds of the processes that answered: in {parted} of {runs} runs "
        "wall and CPU seconds part by a fifth or more."
    )


def reached(engine: str, passes: str, furthest: int, ends: Mapping[str, int]) -> str:
    """Which reformulations come to the largest board, and where the others end; `ends` by reformulation."""
    there = [name for name, size in ends.items() if size == furthest]
    short = sorted((name for name, size in ends.items() if size < furthest), key=lambda name: (ends[name], name))
    shown = [f"{len(there)} reformulations"] if len(there) > 4 else there or ["none"]
    who = f"{listed(shown)} reach{'es' if len(there) < 2 else ''} n = {furthest}"
    return f"After {passes}, on {engine}: {who}" + (f"; {short[0]} ends at n = {ends[short[0]]}" if short else "")


def pooled_change(what: str, count: int, relation: Relation) -> str:
    """How all configurations of an engine, or of the suite, changed together."""
    return f"{what} ({count} {'cell' if count == 1 else 'cells'}): {adjective(relation)}"


def changes(counts: Mapping[str, int], threshold: float, holding: int, middle: float) -> str:
    """How many configurations changed, of those with times on both sides: the counts add up to them."""
    total = sum(counts.values())
    clauses = [f"{count} {word}" for word, count in counts.items()]
    return (
        f"{total} cells with times on both sides: {', '.join(clauses)} (threshold {threshold:g}x). {holding} of the "
        f"{total} intervals hold 1, no change at all; the median of new over old is {middle:.2f}."
    )


def _size(relation: Relation) -> float:
    value = relation.value or 1.0
    return max(value, 1 / value)
