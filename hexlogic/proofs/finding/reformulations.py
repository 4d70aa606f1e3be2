"""Programs with the same answers that cost less: found, proved, and measured.

A search over programs. An edge is a move (`moves/`): what it proposes is measured, and of all that is proposed the
cheapest is looked at next. It is kept only when a bridge to the program it was made from is found and proved, for every
board of a game or every set of input facts (`worlds.py`); then moves are made from it as well. What is reported is
proved once more along one bridge from the first program (`chains.py`).
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, TypeAlias

import msgspec

from hexlogic.errors import HexlogicError
from hexlogic.language import Atom, Integer, Predicate, Program, Rule
from hexlogic.language.analysis.dependence import growing_predicates, recursive_predicates, recursive_through
from hexlogic.language.engines import load_engine
from hexlogic.language.engines.swipl import inferences
from hexlogic.language.ground.solving import cannot_ground, ground_size, least_model
from hexlogic.language.walk import numbered, rename_rule
from hexlogic.proofs.all_boards import Universal
from hexlogic.proofs.finding.bridge_text import NoBridge, find_bridge
from hexlogic.proofs.finding.chains import chained_bridge, proposed_bridges, unchanged
from hexlogic.proofs.finding.moves import MOVES, asked_for
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import Text, World

_RUN_S: Final = 10.0
"""Seconds for each measurement."""
_SAVED: Final = 0.99
"""What leaves more of the cost than this part waits apart."""
_TURNS: Final = 3
"""Of so many programs that are looked at, one is of those that save less, for a first step may cost: those come first
whose rules read fewer atoms of recursions."""
_EDGE_S: Final = (0.0, 3.0, 25.0)
"""Seconds to look for one bridge: none where the move states one, some when all of those were looked at, and once
more at the end."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a program costs on one position, by counter. A figure is in words where there is none: why not. The first
    counter is that of the engine which was chosen, and is compared first."""

    figures: Mapping[str, int | str]
    answers: frozenset[str] | None = field(default=None, compare=False)
    """The answers there, where the first counter comes with them."""

    @property
    def order(self) -> tuple[float, ...]:
        """What is compared; what is unknown costs most."""
        return tuple(float(each) if isinstance(each, int) else float("inf") for each in self.figures.values())

    def __str__(self) -> str:
        return ", ".join(
            f"{name.replace('_', ' ')}: {f'{each:,}' if isinstance(each, int) else each}"
            for name, each in self.figures.items()
        )


class Reformulation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program that was found: made from that named `parent` by `move`. `bridge` leads to it from the program that the
    search began with; `proved` is false where that takes a lemma for granted, and `sentence` says what was proved."""

    name: str
    text: str
    parent: str = msgspec.field(name="from")
    move: str
    words: str
    bridge: str
    proved: bool
    sentence: str
    cost: dict[str, int | str]


@dataclass(frozen=True)
class _Node:
    """A program, the chain of programs that it was made by, itself included, and the bridge for each step."""

    text: Text
    cost: Cost
    chain: tuple[Text, ...]
    bridges: tuple[str, ...]


_Waiting: TypeAlias = "tuple[int, tuple[float, ...], int, _Node, _Proposed]"
"""A place in `_EDGE_S`, and a proposal with its parent, in the order in which proposals are looked at."""


@dataclass
class Reformulator:
    """The search for cheaper programs from one text; `engine` says whose counter is the cost."""

    source: Text
    world: World
    limit_s: float = 60.0
    report: Callable[[str], None] = lambda _: None
    engine: str = "swipl"
    _known: set[str] = field(default_factory=set)

    @cached_property
    def given(self) -> Cost:
        """What the source costs. Raises HexlogicError, before it is run, for a text that no search begins with."""
        self.world.program(self.source)
        return self.cost(self.source)

    def cost(self, text: Text, every: bool = True) -> Cost:
        """What a text costs on the facts that all are measured on: by the engine's counter, and by `every` other.
        Raises UnknownNameError for the engine."""
        program, facts = self.world.measured(text)
        program = asked_for(replace(program, queries=(self.world.query,)))
        figures, shown = dict[str, int | str](), None
        for engine in dict.fromkeys((self.engine, *(("swipl", "clingo") if every else ()))):
            refused = cannot_ground(program)
            if engine == "swipl":
                figures["inferences"] = inferences(program, facts, _RUN_S)
            elif engine == "clingo":
                solved = None if refused else ground_size(program, facts, _RUN_S)
                shown = frozenset(solved.shown) if solved else None
                figures["ground_rules"] = refused or (f"more than {_RUN_S:g} s" if solved is None else solved.rules)
            elif reason := load_engine(engine).missing() or load_engine(engine).supports(program) or refused:
                figures[engine] = reason
            else:
                query = self.world.query
                answers = sorted(least_model(program, facts, only=(query,)), key=str)
                one = answers[0] if answers else Atom(query.name, (Integer(1),) * query.arity)
                with load_engine(engine).open(program) as session:
                    answer = session.ask(facts, one)
                counters = answer.counters or {"microseconds": round(answer.query_s * 1e6)}
                figures |= {f"{engine} {name}": count for name, count in counters.items()}
        return Cost(figures, shown)

    def search(self) -> Iterator[Reformulation]:
        """The programs as they are found and proved; the limit is for all of it."""
        end_s = time.monotonic() + self.limit_s
        root = _Node(self.source, self.given, (self.source,), ())
        self._known = {_shape(self.world.program(self.source))}
        savings, others = list[_Waiting](), list[_Waiting]()
        turns = itertools.count(1)
        numbers, made = itertools.count(), [root]
        while time.monotonic() < end_s:
            for node in made:
                for proposed in self._proposals(node, end_s):
                    saves = proposed.cost.order[0] < _SAVED * node.cost.order[0]
                    order = proposed.cost.order if saves else (proposed.reads, len(node.chain), *proposed.cost.order)
                    waiting = int(not proposed.hints), order, next(numbers), node, proposed
                    heapq.heappush(savings if saves else others, waiting)
            if not savings and not others:
                return
            stage = min(heap[0][0] for heap in (savings, others) if heap)
            heaps = [heap for heap in (savings, others) if heap and heap[0][0] == stage]
            heap = heaps[-1] if next(turns) % _TURNS == 0 else heaps[0]
            tries, order, _, parent, proposed = heapq.heappop(heap)
            self.report(f"{proposed.text.name} from {parent.text.name} by {proposed.move}: {proposed.words}")
            step = self._step(parent.text, proposed, min(_EDGE_S[tries], end_s - time.monotonic()))
            if step is None and tries + 1 < len(_EDGE_S):
                heapq.heappush(heap, (tries + 1, order, next(numbers), parent, proposed))
            made = [] if step is None else [proposed.after(parent, step[0])]
            for node in made:
                if step and (whole := step if parent is root else self._from_the_source(node)):
                    bridge, proof = whole
                    yield Reformulation(
                        name=node.text.name,
                        text=node.text.text,
                        parent=parent.text.name,
                        move=proposed.move,
                        words=proposed.words,
                        bridge=bridge,
                        proved=not proof.assumed,
                        sentence=str(proof),
                        cost=dict(self.cost(node.text).figures),
                    )

    def _step(self, left: Text, proposed: _Proposed, limit_s: float) -> tuple[str, Universal] | None:
        """A bridge with its proof: that of the move, else one that is searched for."""
        right, hints = proposed.text, proposed.hints
        if not limit_s:
            with contextlib.suppress(HexlogicError):
                for stated in proposed_bridges(left, right, self.world, hints):
                    if step := self._proved(left, right, stated):
                        return step
            return None
        if any(growing_predicates(self.world.program(text)) for text in (left, right)):
            return None
        with contextlib.suppress(HexlogicError):  # a text that proofs refuse
            hints = "\n\n".join((*unchanged(left, right, self.world), hints)) if hints else ""
            bridge = find_bridge(left, right, self.world, limit_s=limit_s, hints=hints, explain=False)
            return None if isinstance(bridge, NoBridge) else self._proved(left, right, bridge)
        return None

    def _proved(self, left: Text, right: Text, bridge: str) -> tuple[str, Universal] | None:
        proof = self.world.prove(left, right, bridge)
        return (bridge, proof) if proof.proved else None

    def _from_the_source(self, node: _Node) -> tuple[str, Universal] | None:
        try:
            return self._proved(self.source, node.text, chained_bridge(node.chain, node.bridges, self.world))
        except HexlogicError as error:
            self.report(f"no bridge from {self.source.name} to {node.text.name}: {error}")
            return None

    def _proposals(self, parent: _Node, end_s: float) -> Iterator[_Proposed]:
        """Each new program that agrees on all samples, measured."""
        program = self.world.program(parent.text)
        endless = bool(growing_predicates(program))
        samples, query = Samples(Program() if endless else program, self.world), self.world.query.name
        for move_name in MOVES.names():
            move = MOVES.load(move_name)
            for proposal in move.propose(program, samples, self.world) if move.on_rules or not endless else ():
                if time.monotonic() > end_s:
                    return
                shape = _shape(proposal.program)
                if shape in self._known or (endless and growing_predicates(proposal.program)):
                    continue
                with contextlib.suppress(HexlogicError):  # what a move proposes may be no sound program
                    self._known.add(shape)
                    text = self.world.read(f"{self.source.name}-{len(self._known)}", proposal.program)
                    cost = self.cost(text, every=False)
                    if self.given.answers and cost.answers and self.given.answers != cost.answers:
                        continue
                    made = samples if endless else Samples(proposal.program, self.world)
                    if samples.answers(query) != made.answers(query):
                        continue
                    if cost.order[0] < parent.cost.order[0] or not move.tidies:
                        reads = _read_of_recursions(proposal.program, made)
                        yield _Proposed(text, move_name, proposal.words, proposal.hints, cost, reads)


@dataclass(frozen=True, slots=True)
class _Proposed:
    """What a move proposes, as a text that is measured."""

    text: Text
    move: str
    words: str
    hints: str
    cost: Cost
    reads: int

    def after(self, parent: _Node, bridge: str) -> _Node:
        """The node of this text behind its parent."""
        return _Node(self.text, self.cost, (*parent.chain, self.text), (*parent.bridges, bridge))


def _read_of_recursions(program: Program, samples: Samples) -> int:
    """How many atoms of recursions in the largest samples other rules read."""
    through = {each: recursive_through(program, each) for each in recursive_predicates(program)}
    return sum(
        samples.count(item.atom.name)
        for rule in program.rules
        for item in rule.literals
        if item.atom.predicate in through and rule.conclusion.predicate not in through[item.atom.predicate]
    )


def _shape(program: Program) -> str:
    """The rules as text, sorted, the same for programs that differ in names and order alone in most cases."""
    names = dict.fromkeys(program.heads - set(program.queries), "p")
    for _ in names:
        rules = {predicate: sorted(_plain(rule, names) for rule in program.defining(predicate)) for predicate in names}
        kinds = {text: f"p{number}" for number, text in enumerate(sorted(set(map(str, rules.values()))))}
        names = {predicate: kinds[str(rules[predicate])] for predicate in names}
    return "\n".join(sorted(_plain(rule, names) for rule in program.rules))


def _plain(rule: Rule, names: Mapping[Predicate, str]) -> str:
    renamed = rename_rule(rule, names)
    return str(numbered(renamed.with_body(tuple(sorted(renamed.body, key=str)))))
