"""Where the ground rules of a program come from: the instances of each statement, and what could be done about it.

Each body is counted by a rule for an auxiliary predicate that is added to the program, ground with it, and looked up:

Given:  :- prec(A,B,D), start(A,TA), start(B,TB), TB < TA+D.
Added:  _hexlogic_instances(A,B,D,TA,TB) :- prec(A,B,D); start(A,TA); start(B,TB); TB < (TA+D).

Instances are exact for the facts that were ground; the elements of a choice or an aggregate are instances of their own.
Matches tried are an estimate: answers of the prefixes of the body, by the measured sizes of the relations. A first look
grounds an eighth of the facts, ranges and constants; two thirds of them say how instances grow.
"""

from __future__ import annotations

import re
import textwrap
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import clingo
from clingo.ast import AST, ASTType

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.checking import random_instance
from hexlogic.encodings.clingo_jobs import Budget, ClingoCost, Run, Unmeasured, measure_text
from hexlogic.encodings.convert import names_in
from hexlogic.encodings.optimising import PIPELINES
from hexlogic.encodings.reading import Encoding, parts_of, read_encoding
from hexlogic.encodings.rewriting import Rewritten, rewrite
from hexlogic.encodings.statements import Statement
from hexlogic.encodings.steps.stage import ordered
from hexlogic.errors import HexlogicError
from hexlogic.language import Comparison, Rule
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.ground.solving import grounded
from hexlogic.language.names import RESERVED
from hexlogic.language.walk import is_positive, variables

_HASHED: Final = re.compile(rf"{RESERVED}(\w+?)_[0-9a-f]{{8}}")
_COUNTER: Final = f"{RESERVED}instances"
_FIRST, _SECOND, _MOST = 8, 3, 1.5
"""One fact in so many is ground for the first look, where all take too long, and for the growth."""
_LONGEST: Final = 600
"""Characters of a text in an advice."""
_SEARCH_S: Final = 2.0


@dataclass(frozen=True)
class StatementProfile:
    """A statement, what gringo does for it, and what could be done. `growth` is how many times more instances there
    are when the instance grows by half, None where that is not known; `matches` and `cpu_s` are estimates."""

    file: str
    line: int
    column: int
    text: str
    instances: int
    share: float
    growth: float | None
    matches: float
    cpu_s: float
    advice: str


@dataclass(frozen=True)
class Profile:
    """The statements, the most instances first. `part` says which part of the facts was ground, 1 for all: then the
    instances are exact for the program. `choices` are decisions of clasp by predicate, with all conflicts."""

    part: int
    rules: int
    cpu_s: float
    statements: list[StatementProfile]
    choices: dict[str, int]
    conflicts: int
    note: str = ""


def profile_files(
    *, files: list[str], constants: list[str], limit_s: float, report: Callable[[Profile], None]
) -> Profile:
    """The profile of a program in several files; what is known earlier goes to `report`. Raises HexlogicError."""
    budget = Budget(limit_s)
    encoding = read_encoding([Path(file) for file in files])
    if encoding.has_scripts:
        raise HexlogicError("a program with scripts is not profiled", file=files[0])
    text = "".join(f"#const {constant}. [override]\n" for constant in constants)
    profiler = _Profiler(encoding, text, budget)
    if (first := profiler.look(_FIRST)) is not None:
        report(first)
    whole = profiler.look(1)
    if whole is None:
        if first is None:
            raise HexlogicError(profiler.reason, file=files[0], hint="--limit S allows more time")
        why = profiler.reason
        part = profiler.look(_SECOND) or first
        return replace(part, note=f"1/{part.part} of the facts only: {why} for all of them")
    report(whole)
    choices, conflicts = _choices(encoding.runnable(encoding.text) + text, min(_SEARCH_S, budget.left_s / 2))
    whole = profiler.look(1, profiler.counts(_MOST)) or whole
    return replace(whole, choices=choices, conflicts=conflicts)


class _Profiler:
    """Counts of one program."""

    def __init__(self, encoding: Encoding, constants: str, budget: Budget) -> None:
        self._encoding, self._constants, self._budget, self._parts = encoding, constants, budget, parts_of(encoding)
        self._bodies = [(place, body) for place, each in enumerate(encoding.statements) for body in _bodies(each)]
        self._counters = "\n" + "".join(
            f"{_part(encoding.statements[place])}{_COUNTER}_{number}{body}\n"
            for number, (place, body) in enumerate(self._bodies)
        )
        self._costs: dict[float, ClingoCost | None] = {}
        self.reason = ""

    def _cost(self, part: float, counters: str) -> ClingoCost | None:
        instance = None if part == 1 else random_instance(self._encoding, None, 0, part)
        if instance is None and part != 1:
            return None
        whole = Rewritten(self._encoding)
        text = whole.text if instance is None else whole.without(instance.gone, instance.thin) + instance.added
        text = self._encoding.runnable(text) + "\n#program base.\n" + self._constants + self._parts.added + counters
        cost = measure_text(text, self._budget.left_s * 0.4, Run(self._parts.calls), self._budget)
        self.reason = cost.reason if isinstance(cost, Unmeasured) else ""
        return None if isinstance(cost, Unmeasured) else cost

    def counts(self, part: float) -> Counter[int] | None:
        """Instances by statement."""
        if part not in self._costs:
            self._costs[part] = self._cost(part, self._counters)
        if (cost := self._costs[part]) is None:
            return None
        sizes = {relation.name: relation.size for relation in cost.relations}
        counts: Counter[int] = Counter()
        for number, (place, _) in enumerate(self._bodies):
            counts[place] += sizes.get(f"{_COUNTER}_{number}", 0)
        return counts

    def look(self, part: int, smaller: Counter[int] | None = None) -> Profile | None:
        """The profile of a part of the facts; None where it takes too long."""
        counts = self.counts(part)
        counted = self._costs[part]
        if counts is None or counted is None:
            return None
        plain = self._cost(part, "") if smaller is None else None
        cost = self._plain = plain or getattr(self, "_plain", None) or counted
        statistics, analysis = counted.statistics, Analysis(self._encoding, self._encoding.fact_predicates)
        rules = {block.statement: block.rule for block in reversed(analysis.blocks)}
        advised = _rewritten(self._encoding, statistics, analysis)
        work = {
            place: (_matches(rules[place], statistics) if place in rules else instances, instances)
            for place, instances in counts.most_common()
        }
        total, all_work = max(1, sum(counts.values())), sum(map(sum, work.values())) or 1.0
        rows = [
            StatementProfile(
                *_placed(self._encoding.statements[place]),
                instances,
                instances / total,
                instances / smaller[place] if smaller and smaller[place] else None,
                matches,
                cost.ground_cpu_s * (matches + instances) / all_work,
                advised.get(place) or _advice(rules.get(place), statistics),
            )
            for place, (matches, instances) in work.items()
        ]
        return Profile(part, cost.rules, cost.ground_cpu_s, rows, {}, 0)


def _placed(statement: Statement) -> tuple[str, int, int, str]:
    """File, line, column and text."""
    node, source = statement.node, statement.source
    if source is None:
        begin = node.location.begin
        return begin.filename, begin.line, begin.column, str(node)
    begin, end = source.span(node)
    return source.name, *source.place(begin), " ".join(source.data[begin:end].decode().split())


def _part(statement: Statement) -> str:
    name, parameters = statement.part.partition("/")[0], ",".join(statement.parameters)
    return f"#program {name}({parameters}).\n" if parameters else f"#program {name}.\n"


def _bodies(statement: Statement) -> Iterator[str]:
    """The arguments and the body of a counter for the body, and for each element of a choice or an aggregate."""
    node = statement.node
    is_counted = statement.is_rule or statement.kind in ("minimize", "weak", "show")
    items: Sequence[AST] = getattr(node, "body", ()) if is_counted else ()
    head = getattr(node, "head", None)
    aggregates = [item.atom for item in items if _has_elements(item)]
    aggregates += [head] if _has_elements(head) else []
    if items:
        yield _counter(statement, items)
    for aggregate in aggregates:
        others = [item for item in items if not (_has_elements(item) and item.atom == aggregate)]
        for element in aggregate.elements:
            inner = element.condition if element.ast_type == ASTType.HeadAggregateElement else element
            if inner.condition:
                yield _counter(statement, [*others, *inner.condition])


def _has_elements(node: AST | None) -> bool:
    """Whether the node is an aggregate or a literal with one."""
    kind = None if node is None else getattr(node, "atom", node).ast_type
    return kind in (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.HeadAggregate)


def _counter(statement: Statement, items: Sequence[AST]) -> str:
    """The arguments and the body of a counter for some items."""
    names = dict.fromkeys(statement.parameters)
    for item in items:
        guards = (item.atom.left_guard, item.atom.right_guard) if _has_elements(item) else (item,)
        named = names_in(*guards).variables if item.ast_type == ASTType.Literal else ()
        names |= dict.fromkeys(sorted(name.name for name in named))
    return f"({','.join(names)}) :- {'; '.join(map(str, items))}."


def _matches(rule: Rule, statistics: Statistics) -> float:
    body = ordered(rule, statistics)
    return sum(statistics.answers(body[:end]) for end in range(1, len(body) + 1))


def _rewritten(encoding: Encoding, statistics: Statistics, analysis: Analysis) -> dict[int, str]:
    """For each statement that a step rewrites the new text with the fewest estimated instances."""
    best: dict[int, tuple[float, str]] = {}
    for pipeline in PIPELINES:
        chains = defaultdict(list)
        for rewriting in rewrite(encoding, pipeline, statistics, analysis).rewritings:
            chains[rewriting.block.statement].append(rewriting)
        for place, chain in chains.items():
            text = " ".join([*(rule for each in chain for rule in each.after[:-1]), *chain[-1].after[-1:]])
            after = chain[-1].estimated_after
            if place not in best or after < best[place][0]:
                text = _HASHED.sub(r"\1", text or chain[-1].why_dropped)
                best[place] = after, f"`hexlogic optimise` can make it: {textwrap.shorten(text, _LONGEST)}"
    return {place: text for place, (_, text) in best.items()}


def _advice(rule: Rule | None, statistics: Statistics) -> str:
    """What makes the instances of a body many."""
    literals = [] if rule is None else list(filter(is_positive, rule.body))
    if rule is None or not literals:
        return "each value of the body is an instance"
    sizes = [f"{statistics.size(item.atom.predicate):,.0f} atoms of {item.atom.predicate}" for item in literals]
    for item in rule.body:
        places = [place for place, each in enumerate(literals) if variables(each) & variables(item)]
        if isinstance(item, Comparison) and len(places) > 1:
            left, right = places[0], places[-1]
            if not variables(literals[left]) & variables(literals[right]):
                return f"`{item}` joins every pair of {sizes[left]} and {sizes[right]}: gringo looks no value of it up"
    known = variables(literals[0])
    for place, literal in enumerate(literals[1:], 1):
        if not variables(literal) & known and variables(literal):
            return f"`{literal}` shares no variable with what stands before it: {sizes[place]} for each answer of that"
        known |= variables(literal)
    largest = max(range(len(literals)), key=lambda place: statistics.size(literals[place].atom.predicate))
    return f"its largest relation has {sizes[largest]}: fewer of them, or fewer variables, give fewer instances"


class _Decisions:
    """Counts what clasp decides, by predicate, without deciding anything."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._names: dict[int, str] = {}

    def init(self, init: clingo.PropagateInit) -> None:
        for atom in init.symbolic_atoms:
            self._names.setdefault(
                abs(init.solver_literal(atom.literal)), f"{atom.symbol.name}/{len(atom.symbol.arguments)}"
            )

    def decide(self, _: int, __: clingo.Assignment, fallback: int) -> int:
        self.counts[self._names.get(abs(fallback), "auxiliary")] += 1
        return fallback


def _choices(text: str, limit_s: float) -> tuple[dict[str, int], int]:
    """The decisions of a search by predicate, and its conflicts."""
    control, _ = grounded(text, "--warn=none", "--stats")
    decisions = _Decisions()
    control.register_propagator(decisions)  # type: ignore[arg-type]
    timer = threading.Timer(max(0.1, limit_s), control.interrupt)
    timer.start()
    control.solve()
    timer.cancel()
    return dict(decisions.counts.most_common()), int(control.statistics["solving"]["solvers"]["conflicts"])
