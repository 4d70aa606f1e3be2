"""Programs with the same answers that cost less: found, proved, and measured.

A search over programs. An edge is a move (`moves/`): what it proposes is measured, and of all that is proposed the
cheapest is looked at next. It is kept only when a bridge to the program it was made from is found and proved, for every
board of a game or every set of input facts (`worlds.py`); then moves are made from it as well. What is reported is
proved once more along one bridge from the first program (`chains.py`).
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from hexlogic.proofs.finding.facts import Fact
from hexlogic.proofs.finding.moves import MOVES, asked_for
from hexlogic.proofs.finding.samples import Samples, atoms_of
from hexlogic.proofs.finding.worlds import Text, World

_RUN_S: Final = 10.0
"""Seconds for each measurement."""
_OTHER_S: Final = 3.0
"""Seconds for that of an engine that was not chosen."""
_SAVED: Final = 0.99
"""What leaves more of the cost than this part waits apart."""
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


@dataclass(frozen=True, slots=True, eq=False)
class _Proposed:
    """What a move proposes, as a text that is measured. `reads` are the atoms of recursions that other rules read."""

    text: Text
    move: str
    words: str
    hints: str
    cost: Cost
    reads: int
    parent: _Node

    @property
    def saves(self) -> bool:
        """Whether it costs less than its parent."""
        return self.cost.order[0] < _SAVED * self.parent.cost.order[0]

    def after(self, bridge: str) -> _Node:
        """The node of this text behind its parent."""
        return _Node(self.text, self.cost, (*self.parent.chain, self.text), (*self.parent.bridges, bridge))


_Order: TypeAlias = Callable[[_Proposed], tuple[object, ...]]
_CHEAPEST: Final[_Order] = lambda each: (not each.saves, *each.cost.order)  # noqa: E731
_TURNS: Final[tuple[_Order, ...]] = (
    _CHEAPEST,
    lambda each: (not each.saves, len(each.parent.chain), *each.cost.order),
    lambda each: (each.saves, each.reads, len(each.parent.chain), *each.cost.order),
    _CHEAPEST,
)
"""What is looked at first, in turns: the cheapest; the cheapest of the fewest moves; of those that save nothing, for a
first step may cost, the one whose rules read the fewest atoms of recursions; and the cheapest whose move states no
proof, if it saves."""


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
        return self.cost(self.source, self.engine, *self._others)

    @property
    def _others(self) -> list[str]:
        return [engine for engine in ("swipl", "clingo") if engine != self.engine]

    def cost(self, text: Text, *engines: str) -> Cost:
        """What a text costs on the facts that all are measured on, by the counters of the engines. Raises
        UnknownNameError for an engine."""
        (program, facts), query = self.world.measured(text), self.world.query
        program = asked_for(replace(program, queries=(query,)))
        refused, figures, shown = cannot_ground(program), dict[str, int | str](), None
        for engine in engines:
            limit_s = _RUN_S if engine == self.engine else _OTHER_S
            if engine == "swipl":
                figures["inferences"] = inferences(program, facts, limit_s)
            elif engine == "clingo":
                solved = None if refused else ground_size(program, facts, limit_s)
                shown = frozenset(solved.shown) if solved else None
                figures["ground_rules"] = refused or (f"more than {limit_s:g} s" if solved is None else solved.rules)
            elif reason := load_engine(engine).missing() or load_engine(engine).supports(program) or refused:
                figures[engine] = reason
            else:
                answers = sorted(least_model(program, facts, only=(query,)), key=str)
                asked = answers[0] if answers else Atom(query.name, (Integer(1),) * query.arity)
                with load_engine(engine).open(program) as session:
                    answer = session.ask(facts, asked)
                counters = answer.counters or {"microseconds": round(answer.query_s * 1e6)}
                figures |= {f"{engine} {name}": count for name, count in counters.items()}
        return Cost(figures, shown)

    def search(self) -> Iterator[Reformulation]:
        """The programs as they are found and proved; the limit is for all of it."""
        end_s = time.monotonic() + self.limit_s
        root = _Node(self.source, self.given, (self.source,), ())
        self._known = {_shape(self.world.program(self.source))}
        waiting, made, best = dict[_Proposed, int](), [root], root.cost.order[0]
        """A place in `_EDGE_S` for each proposal."""
        for number, turn in itertools.cycle(enumerate(_TURNS, 1)):
            for node in made:
                waiting |= {proposed: int(not proposed.hints) for proposed in self._proposals(node, end_s)}
            if not waiting or time.monotonic() > end_s:
                return
            first = min(waiting.values())
            halves = (2 * each.cost.order[0] < best for each, place in waiting.items() if place == 1)
            if number == len(_TURNS) and any(halves):
                first = 1
            proposed = min((each for each, place in waiting.items() if place == first), key=turn)
            self.report(f"{proposed.text.name} from {proposed.parent.text.name} by {proposed.move}: {proposed.words}")
            del waiting[proposed]
            step = self._step(proposed, _EDGE_S[first] and min(_EDGE_S[first], end_s - time.monotonic()))
            if step is None and first + 1 < len(_EDGE_S):
                waiting[proposed] = first + 1
            if step is None:
                made = []
                continue
            node = proposed.after(step[0])
            made = [node]
            if whole := step if proposed.parent is root else self._from_the_source(node):
                bridge, proof = whole
                best = min(best, node.cost.order[0])
                yield Reformulation(
                    name=node.text.name,
                    text=node.text.text,
                    parent=proposed.parent.text.name,
                    move=proposed.move,
                    words=proposed.words,
                    bridge=bridge,
                    proved=not proof.assumed,
                    sentence=str(proof),
                    cost={**node.cost.figures, **self.cost(node.text, *self._others).figures},
                )

    def _step(self, proposed: _Proposed, limit_s: float) -> tuple[str, Universal] | None:
        """A bridge with its proof: that of the move, or in `limit_s` one that is searched for."""
        left, right, hints = proposed.parent.text, proposed.text, proposed.hints
        with contextlib.suppress(HexlogicError):  # a text that proofs refuse
            if not limit_s:
                stated = proposed_bridges(left, right, self.world, hints)
                return next(filter(None, (self._proved(left, right, bridge) for bridge in stated)), None)
            if not any(growing_predicates(self.world.program(text)) for text in (left, right)):
                hints = "\n\n".join((*unchanged(left, right, self.world), hints)) if hints else ""
                found = find_bridge(left, right, self.world, limit_s=limit_s, hints=hints, explain=False)
                return None if isinstance(found, NoBridge) else self._proved(left, right, found)
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
                    cost = self.cost(text, self.engine)
                    if self.given.answers and cost.answers and self.given.answers != cost.answers:
                        continue
                    wanted = (self.world.query, *sorted(recursive_predicates(proposal.program)))
                    models = [] if endless else atoms_of(proposal.program, self.world, wanted)
                    if not endless and samples.answers(query) != [frozenset(model[query]) for model in models]:
                        continue
                    if cost.order[0] < parent.cost.order[0] or not move.tidies:
                        reads = _read_of_recursions(proposal.program, models)
                        yield _Proposed(text, move_name, proposal.words, proposal.hints, cost, reads, parent)


def _read_of_recursions(program: Program, models: Sequence[Mapping[str, Sequence[Fact]]]) -> int:
    """How many atoms of recursions in the models other rules read."""
    through = {each: recursive_through(program, each) for each in recursive_predicates(program)}
    return sum(
        len(model[item.atom.name])
        for rule in program.rules
        for item in rule.literals
        if item.atom.predicate in through and rule.conclusion.predicate not in through[item.atom.predicate]
        for model in models
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
