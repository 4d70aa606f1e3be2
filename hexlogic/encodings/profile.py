"""Where the ground rules of a program come from: the instances of each statement, and what could be done about it.

Each body is counted by a rule for an auxiliary predicate that is added to the program, ground with it, and looked up:

Given:  :- prec(A,B,D), start(A,TA), start(B,TB), TB < TA+D.
Added:  _hexlogic_instances(A,B,D,TA,TB) :- prec(A,B,D); start(A,TA); start(B,TB); TB < (TA+D).

Instances are exact for the facts that were ground; the elements of a choice or an aggregate are instances of their own.
Matches tried are an estimate: answers of the prefixes of the body, by the measured sizes of the relations. Growing
parts of the facts, ranges and constants are ground, an eighth first, so that a program which takes too long has the
profile of its largest part that did not; the part before says how instances grow.
"""

import math
import re
import tempfile
import textwrap
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import clingo
from clingo.ast import AST, ASTType

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.checking import random_instance, takes_too_long
from hexlogic.encodings.clingo_jobs import Budget, Unmeasured, isolated, measure_text
from hexlogic.encodings.clingo_runs import ClingoCost, Run
from hexlogic.encodings.convert import names_in
from hexlogic.encodings.optimising import PIPELINES
from hexlogic.encodings.reading import Encoding, parts_of, read_encoding
from hexlogic.encodings.rewriting import Memory, Rewritten, rewrite
from hexlogic.encodings.statements import Statement
from hexlogic.encodings.steps.stage import ordered
from hexlogic.errors import HexlogicError
from hexlogic.language import Comparison, Rule
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import RESERVED
from hexlogic.language.walk import is_positive, variables

_HASHED: Final = re.compile(rf"{RESERVED}(\w+?)_[0-9a-f]{{8}}")
_COUNTER: Final = f"{RESERVED}instances"
_PARTS: Final = (8, 3, 1.5, 1)
"""One fact in so many is ground, one part after the other, while the time lasts."""
_LOOK_PART: Final = 0.4
"""The part of the time that is left that grounding one part may take."""
_LONGEST: Final = 600
"""Characters of a text in an advice."""
_SEARCH_S: Final = 2.0
_LEMMAS: Final = 10_000


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
    instances are exact for the program. `choices` are decisions of clasp by predicate, with all conflicts;
    `lemmas` says in how many of its first lemmas, one for each conflict, a predicate is."""

    part: float
    rules: int
    cpu_s: float
    statements: list[StatementProfile]
    choices: dict[str, int]
    conflicts: int
    lemmas: dict[str, int] = field(default_factory=dict)
    note: str = ""


def profile_files(
    *, files: list[str], constants: list[str], limit_s: float, report: Callable[[Profile], None]
) -> Profile:
    """The profile of a program in several files; what is known earlier goes to `report`. Raises HexlogicError."""
    with Budget(limit_s) as budget:
        return _profiled(files, constants, budget, report)


def _profiled(files: list[str], constants: list[str], budget: Budget, report: Callable[[Profile], None]) -> Profile:
    encoding = read_encoding([Path(file) for file in files])
    if encoding.has_scripts:
        raise HexlogicError("a program with scripts is not profiled", file=files[0])
    text = "".join(f"#const {constant}. [override]\n" for constant in constants)
    profiler = _Profiler(encoding, text, budget)
    profile: Profile | None = None
    parts, reason = list(_PARTS), "more than the limit"
    while parts:
        part = parts.pop(0)
        if (larger := profiler.look(part)) is not None:
            profile = larger
            report(profile)
        reason = reason if profiler.failure is None else profiler.failure.reason
        if profiler.failure is not None and profiler.failure.is_slow:
            # once more between the two parts
            parts = [(part + profile.part) / 2] if profile is not None and part in _PARTS else []
    if profile is None or profile.part != 1:
        if profiler.failure is not None and not profiler.failure.is_slow:
            raise HexlogicError(reason, file=files[0])
        error = takes_too_long(encoding, f"the program takes {reason}")
        if profile is None or error.line is not None:
            raise error
        return replace(profile, note=f"{1 / profile.part:.0%} of the facts only: {reason} for more of them")
    limit_s = min(_SEARCH_S, budget.left_s / 2)
    task = {"text": encoding.runnable(encoding.text) + text, "limit_s": limit_s}
    done = isolated(searched, task, 2 * limit_s, budget)
    choices, conflicts, lemmas = ({}, 0, {}) if isinstance(done, Unmeasured) else done
    return replace(profile, choices=choices, conflicts=conflicts, lemmas=lemmas)


class _Profiler:
    """Counts of one program."""

    def __init__(self, encoding: Encoding, constants: str, budget: Budget) -> None:
        self._encoding, self._constants, self._budget, self._parts = encoding, constants, budget, parts_of(encoding)
        self._bodies = [(place, body) for place, each in enumerate(encoding.statements) for body in _bodies(each)]
        self._counters = "\n" + "".join(
            f"{_part(encoding.statements[place])}{_COUNTER}_{number}{body}\n"
            for number, (place, body) in enumerate(self._bodies)
        )
        self._smaller: tuple[float, Counter[int]] | None = None
        self.failure: Unmeasured | None = None

    def _cost(self, part: float, counters: str) -> ClingoCost | None:
        instance = None if part == 1 else random_instance(self._encoding, None, 0, part)
        if instance is None and part != 1:
            return None
        whole = Rewritten(self._encoding)
        text = whole.text if instance is None else whole.without(instance.gone, instance.thin) + instance.added
        text = self._encoding.runnable(text) + "\n#program base.\n" + self._constants + self._parts.added + counters
        cost = measure_text(text, self._budget.left_s * _LOOK_PART, Run(self._parts.calls), self._budget)
        self.failure = cost if isinstance(cost, Unmeasured) else None
        return None if isinstance(cost, Unmeasured) else cost

    def look(self, part: float) -> Profile | None:
        """The profile of a part of the facts; None where there is none or it takes too long."""
        counted = self._cost(part, self._counters)
        if counted is None:
            return None
        plain = (self._cost(part, "") if part == 1 else None) or counted
        statistics, analysis = counted.statistics, Analysis(self._encoding, self._encoding.fact_predicates)
        sizes = {relation.name: relation.size for relation in counted.relations}
        counts: Counter[int] = Counter()
        for number, (place, _) in enumerate(self._bodies):
            counts[place] += sizes.get(f"{_COUNTER}_{number}", 0)
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
                self._growth(part, place, instances),
                matches,
                plain.ground_cpu_s * (matches + instances) / all_work,
                advised.get(place) or _advice(rules.get(place), statistics),
            )
            for place, (matches, instances) in work.items()
        ]
        self._smaller = part, counts
        ground_rules = plain.rules if plain is not counted else counted.rules - counts.total()
        return Profile(part, ground_rules, plain.ground_cpu_s, rows, {}, 0)

    def _growth(self, part: float, place: int, instances: int) -> float | None:
        """How many times more instances there are when the facts grow by half, by the part that was ground before."""
        smaller, counts = self._smaller or (part, Counter[int]())
        if not instances or not counts[place]:
            return None
        return float((instances / counts[place]) ** (math.log(1.5) / math.log(smaller / part)))


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
        atoms = [item.atom for item in items if getattr(item, "atom", item).ast_type == ASTType.SymbolicAtom]
        loose = names_in(aggregate.left_guard, aggregate.right_guard).variables - names_in(*atoms).variables
        others = [
            item for item in items if getattr(item, "atom", 0) != aggregate and not names_in(item).variables & loose
        ]
        for element in aggregate.elements:
            inner = element.condition if element.ast_type == ASTType.HeadAggregateElement else element
            # in a body the literal of an element is asked for like its condition
            asked = [] if aggregate == head or aggregate.ast_type == ASTType.BodyAggregate else [inner.literal]
            if asked or inner.condition:
                yield _counter(statement, [*others, *asked, *inner.condition])


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
    memory = Memory()
    for pipeline in PIPELINES:
        chains = defaultdict(list)
        for rewriting in rewrite(encoding, pipeline, statistics, analysis, memory).rewritings:
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


class _Search(clingo.Application):
    """A search that counts, by predicate, what clasp decides and the lemmas that it learns, one for each conflict."""

    def __init__(self, text: str, limit_s: float) -> None:
        self.choices, self.conflicts = Counter[str](), 0
        self._names: dict[int, set[str]] = defaultdict(set)
        self._predicates: dict[str, str] = {}
        self._text, self._limit_s = text, limit_s

    def main(self, control: clingo.Control, files: Sequence[str]) -> None:
        control.add("base", [], self._text)
        control.ground([("base", [])])
        control.register_propagator(self)  # type: ignore[arg-type]
        timer = threading.Timer(max(0.1, self._limit_s), control.interrupt)
        timer.start()
        control.solve()
        timer.cancel()
        self.conflicts = int(control.statistics["solving"]["solvers"]["conflicts"])

    def init(self, init: clingo.PropagateInit) -> None:
        for atom in init.symbolic_atoms:
            name = self._predicates[str(atom.symbol)] = f"{atom.symbol.name}/{len(atom.symbol.arguments)}"
            self._names[abs(init.solver_literal(atom.literal))].add(name)

    def decide(self, _: int, __: clingo.Assignment, fallback: int) -> int:
        self.choices[min(self._names[abs(fallback)], default="auxiliary")] += 1
        return fallback

    def lemmas(self, lines: Iterable[str]) -> Counter[str]:
        """In how many lemmas a predicate is, by what clasp writes: `:- p(1), not q(2).  %lbd = 2`."""
        counts = Counter[str]()
        for line in lines:
            atoms = line.removeprefix(":- ").rpartition(".  %")[0].split(", ")
            counts.update({self._predicates.get(atom.removeprefix("not "), "auxiliary") for atom in atoms})
        return counts


def searched(text: str, limit_s: float) -> tuple[dict[str, int], int, dict[str, int]]:
    """The decisions of a search by predicate, its conflicts, and lemmas by the predicates in them. For a child process:
    `clingo_main` leaves signal handlers behind that end the process at the next signal."""
    search = _Search(text, limit_s)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "lemmas"
        options = [f"--lemma-out={log}", f"--lemma-out-max={_LEMMAS}", "--lemma-out-txt", "--lemma-out-dom=input"]
        clingo.clingo_main(search, ["--outf=3", "--warn=none", "--stats", *options])
        lemmas = search.lemmas(log.read_text("utf-8").splitlines() if log.is_file() else ())
    return dict(search.choices.most_common()), search.conflicts, dict(lemmas.most_common())
