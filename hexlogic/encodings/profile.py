"""Where the ground rules of a program come from: the instances of each statement, and what could be done about it.

`instances` counts them, on growing parts of the facts, ranges and constants, an eighth first. The part before says how
they grow. Matches tried are an estimate: answers of the prefixes of the body, by the measured sizes of the relations.
"""

import math
import re
import tempfile
import textwrap
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import clingo
from clingo.script import enable_python

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.checking import takes_too_long
from hexlogic.encodings.clingo_jobs import Budget, Unmeasured, isolated, measure_text
from hexlogic.encodings.clingo_runs import ClingoCost
from hexlogic.encodings.instances import Counting, Counts
from hexlogic.encodings.optimising import PIPELINES
from hexlogic.encodings.reading import Encoding, read_encoding, with_constants
from hexlogic.encodings.rewriting import Memory, rewrite
from hexlogic.encodings.statements import Statement
from hexlogic.errors import HexlogicError
from hexlogic.language import BodyLiteral, Comparison, Rule
from hexlogic.language.analysis.binding import needs
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import RESERVED
from hexlogic.language.walk import is_positive, variables

_HASHED: Final = re.compile(rf"{RESERVED}(\w+?)_[0-9a-f]{{8}}")
_PARTS: Final = (8, 1.5, 1)
"""One fact in so many is ground, one part after the other."""
_BETWEEN: Final = 3
"""The part that follows where one of these takes too long."""
_TINY: Final = 64
"""The part before these where there are many facts."""
_MANY_BYTES: Final = 4 << 20
_TIMES: Final = {_TINY: 0.2, 8: 0.2, 1.5: 0.4, 1: 0.6, _BETWEEN: 0.8}
"""The part of the time that is left that each may take."""
_FIRST, _MOST = 3, 10
"""How many of the largest statements get their rewritten text, at first and in the end."""
_WIDEST: Final = 40
"""Literals up to which a body is looked at."""
_LARGEST: Final = 1e15
"""An estimate is no larger."""
_LONGEST: Final = 600
"""Characters of a text in an advice."""
_SEARCH_S: Final = 1.0
_LEMMAS: Final = 10_000


@dataclass(frozen=True)
class StatementProfile:
    """A statement, what gringo does for it, and what could be done. `growth` is how many times more instances there
    are when the instance grows by half, None where that is not known; `matches` is an estimate, and so are `instances`
    where they were not counted. `cpu_s` are CPU seconds of grounding the statement alone. The first report has the
    counts of the largest, and no advice."""

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
    is_counted: bool = True


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
    *, files: list[str], constants: list[str], limit_s: float, scripts: bool = False, report: Callable[[Profile], None]
) -> Profile:
    """The profile of a program in several files; what is known earlier goes to `report`. `scripts` lets scripts of the
    program run. Raises HexlogicError."""
    encoding = read_encoding([Path(file) for file in files])
    if encoding.has_scripts and not scripts:
        raise HexlogicError("the program has scripts", file=files[0], hint="--allow-scripts lets them run")
    given = with_constants(None, constants) if constants else None
    with Budget(limit_s) as budget:
        return _Profiler(encoding, given, budget, scripts).profiled(report)


class _Profiler:
    """Profiles of parts of one program."""

    def __init__(self, encoding: Encoding, given: Encoding | None, budget: Budget, scripts: bool) -> None:
        self._encoding, self._budget = encoding, budget
        self._counting = Counting(encoding, given, budget, scripts=scripts)
        self._analysis = Analysis(encoding, encoding.fact_predicates)
        self._memory = Memory()
        self._smaller: Counts | None = None

    @cached_property
    def _rules(self) -> dict[int, Rule]:
        return {block.statement: block.rule for block in reversed(self._analysis.blocks)}

    def profiled(self, report: Callable[[Profile], None]) -> Profile:
        """The profile of the largest part of the facts that can be ground as a whole; where that is the smallest or
        none, what takes too long stands first."""
        best: Profile | None = None
        size = sum(len(source.data) for source in self._encoding.sources)
        parts, reason, note = [_TINY] * (size > _MANY_BYTES) + [*_PARTS], "more than the limit", ""
        slow: list[StatementProfile] = []
        while parts:
            part = parts.pop(0)
            smaller = {} if self._smaller is None else self._smaller.instances
            limit_s = self._budget.left_s * _TIMES[part]
            looks = [] if best else [lambda counts: report(self._first_look(counts))]
            counts = self._counting.counts(part, limit_s, smaller, *looks)
            if counts is None:
                continue
            if isinstance(counts, Unmeasured) and not counts.is_slow:
                raise HexlogicError(counts.reason, file=self._encoding.sources[0].name)
            is_slow = isinstance(counts, Unmeasured) or bool(counts.unknown)
            if isinstance(counts, Unmeasured):
                reason = counts.reason
            else:
                profile = self._profile(counts, _MOST if part < _PARTS[0] and not is_slow else _FIRST)
                if best is None or not is_slow:
                    best = profile
                    report(best)
                if counts.slow:
                    slow = profile.statements[: len(counts.slow)]
                    places = ", ".join(f"{row.file}:{row.line}" for row in slow[:_FIRST])
                    note = f"{places} took too long" + (f" for {1 / part:.0%}" if part > 1 else "")
            if is_slow:
                parts = [_BETWEEN] if best is not None and part < _BETWEEN < best.part else []
        if best is None:
            raise takes_too_long(self._encoding, f"the program takes {reason}")
        notes = [f"{1 / best.part:.0%} of the facts only"] * (best.part > 1) + [note] * bool(note)
        if notes:
            if best.part < _PARTS[0]:
                return replace(best, note="; ".join(notes))
            named = {(row.file, row.line, row.column) for row in slow}
            rows = [row for row in best.statements if (row.file, row.line, row.column) not in named]
            return replace(best, note="; ".join(notes), statements=[*slow, *rows])
        text = self._counting.text(1)
        plain = measure_text(
            text or "", self._budget.left_s / 2, replace(self._counting.run, relations=False), self._budget
        )
        if isinstance(plain, ClingoCost):
            best = replace(best, rules=plain.rules, cpu_s=plain.ground_cpu_s)
        limit_s = min(_SEARCH_S, self._budget.left_s / 2)
        task = {"text": text, "limit_s": limit_s, "scripts": self._counting.run.scripts}
        done = isolated(searched, task, 2 * limit_s, self._budget)
        choices, conflicts, lemmas = ({}, 0, {}) if isinstance(done, Unmeasured) else done
        return replace(best, choices=choices, conflicts=conflicts, lemmas=lemmas)

    def _first_look(self, counts: Counts) -> Profile:
        """The largest statements of what was counted so far, before anything is known of the program."""
        instances, total = counts.instances, max(1, counts.instances.total())
        order = sorted(counts.slow | instances.keys(), key=lambda place: (place not in counts.slow, -instances[place]))
        rows = [
            self._row(
                place, instances[place], total, counts, instances[place], "took too long" * (place in counts.slow)
            )
            for place in order[:_FIRST]
        ]
        return Profile(counts.part, total, sum(counts.cpu_s.values()), rows, {}, 0)

    def _row(
        self, place: int, instances: int, total: int, counts: Counts, matches: float, advice: str
    ) -> StatementProfile:
        growth = None if place in counts.unknown else self._growth(counts, place)
        cpu_s, where = counts.cpu_s.get(place, 0.0), _placed(self._encoding.statements[place])
        is_counted = place not in counts.unknown
        return StatementProfile(
            *where, instances, instances / total, growth, matches, cpu_s, advice, is_counted=is_counted
        )

    def _profile(self, counts: Counts, advised: int) -> Profile:
        """The profile of what was counted, with rewritings for the largest statements."""
        statistics, instances = counts.statistics, Counter(counts.instances)
        for place in counts.unknown:
            known = place in self._rules
            instances[place] = round(min(statistics.answers(self._rules[place].body), _LARGEST)) if known else 0
        order = sorted(instances, key=lambda place: (place not in counts.slow, -instances[place], place))
        texts = self._rewritten(statistics, order[:advised])
        total = max(1, instances.total())
        rows = [
            self._row(
                place,
                instances[place],
                total,
                counts,
                _matches(self._rules[place], statistics) if place in self._rules else instances[place],
                self._endless(place, counts) or texts.get(place) or _advice(self._rules.get(place), statistics),
            )
            for place in order
        ]
        self._smaller = counts if not counts.unknown else self._smaller
        return Profile(counts.part, counts.instances.total(), sum(counts.cpu_s.values()), rows, {}, 0)

    def _growth(self, counts: Counts, place: int) -> float | None:
        """How many times more instances there are when the facts grow by half, by the part that was ground before."""
        smaller = self._smaller
        if smaller is None or not counts.instances[place] or not smaller.instances[place]:
            return None
        ratio = counts.instances[place] / smaller.instances[place]
        return float(ratio ** (math.log(1.5) / math.log(smaller.part / counts.part)))

    def _endless(self, place: int, counts: Counts) -> str | None:
        """What may grow without end in a statement that took too long."""
        error = takes_too_long(self._encoding, "") if place in counts.slow else None
        at = _placed(self._encoding.statements[place])
        return error.hint.partition(";")[0] if error and error.hint and (error.file, error.line) == at[:2] else None

    def _rewritten(self, statistics: Statistics, only: Sequence[int]) -> dict[int, str]:
        """For each of some statements that a step rewrites the new text with the fewest estimated instances."""
        best: dict[int, tuple[float, str]] = {}
        memory = replace(self._memory, changes={})
        narrow = [place for place in only if place in self._rules and len(self._rules[place].body) <= _WIDEST]
        for pipeline in PIPELINES:
            chains = defaultdict(list)
            new = rewrite(self._encoding, pipeline, statistics, self._analysis, memory, narrow)
            for rewriting in new.rewritings:
                chains[rewriting.block.statement].append(rewriting)
            for place, chain in chains.items():
                text = " ".join([*(rule for each in chain for rule in each.after[:-1]), *chain[-1].after[-1:]])
                after = chain[-1].estimated_after
                if place not in best or after < best[place][0]:
                    text = _HASHED.sub(r"\1", text or chain[-1].why_dropped)
                    best[place] = after, f"`hexlogic optimise` can make it: {textwrap.shorten(text, _LONGEST)}"
        return {place: text for place, (_, text) in best.items()}


def _placed(statement: Statement) -> tuple[str, int, int, str]:
    """File, line, column and text."""
    node, source = statement.node, statement.source
    if source is None:
        begin = node.location.begin
        return begin.filename, begin.line, begin.column, str(node)
    begin, end = source.span(node)
    return source.name, *source.place(begin), " ".join(source.data[begin:end].decode().split())


def _matches(rule: Rule, statistics: Statistics) -> float:
    """Answers of all prefixes: each next literal adds the fewest, a test stands where its variables are first bound."""
    if len(rule.body) > _WIDEST:
        return statistics.answers(rule.body)
    waiting, done, matches = list(rule.body), list[BodyLiteral](), 0.0
    while waiting:
        bound = variables(*done)
        ready = [item for item in waiting if not needs(item, bound)]
        near = [item for item in ready if not is_positive(item)] or [item for item in ready if variables(item) & bound]
        chosen = min(near or ready or waiting, key=lambda item: statistics.answers([*done, item]))
        waiting.remove(chosen)
        done.append(chosen)
        matches += statistics.answers(done)
    return matches


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


def searched(text: str, limit_s: float, scripts: bool) -> tuple[dict[str, int], int, dict[str, int]]:
    """The decisions of a search by predicate, its conflicts, and lemmas by the predicates in them. For a child process:
    `clingo_main` leaves signal handlers behind that end the process at the next signal."""
    if scripts:
        enable_python()
    search = _Search(text, limit_s)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "lemmas"
        options = [f"--lemma-out={log}", f"--lemma-out-max={_LEMMAS}", "--lemma-out-txt", "--lemma-out-dom=input"]
        clingo.clingo_main(search, ["--outf=3", "--warn=none", "--stats", *options])
        lemmas = search.lemmas(log.read_text("utf-8").splitlines() if log.is_file() else ())
    return dict(search.choices.most_common()), search.conflicts, dict(lemmas.most_common())
