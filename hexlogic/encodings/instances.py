"""Instances of each statement of a program, and the seconds that they take: its rules are ground in layers, what they
ask for first, and then each body alone.

Given:  :- prec(A,B,D), start(A,TA), start(B,TB), TB < TA+D.
Ground: _hexlogic_instances_3(A,B,D,TA,TB) :- prec(A,B,D); start(A,TA); start(B,TB); TB < (TA+D).

A constraint is ground only so. Instances are exact for the facts that were ground; the elements of a choice or an
aggregate are instances of their own. A statement that takes too long is named, and the others are counted without it.
Programs with other parts or theory atoms are ground as they are, not in layers.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from clingo.ast import AST, ASTType

from hexlogic.encodings.checking import given_instance, random_instance
from hexlogic.encodings.clingo_jobs import Budget, Unmeasured, isolated
from hexlogic.encodings.clingo_runs import ClingoCost, Ground, Piece, Relation, Run, ground_pieces
from hexlogic.encodings.convert import names_in
from hexlogic.encodings.reading import Encoding, parts_of
from hexlogic.encodings.rewriting import Rewritten
from hexlogic.encodings.statements import BASE, Statement
from hexlogic.language import Predicate
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import RESERVED

_DERIVING = ("rule", "External")
_ASKING = ("minimize", "weak", "show", "Heuristic", "Edge", "ProjectAtom")
_INCLUDED = re.compile(r'^([^%"\n]*)#include\s*"[^"\n]+"\s*\.', re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_RUN_PART = 0.6
"""The part of the time that is left that one run may take: when it ends there, another one follows."""
_CULPRIT = 0.5
"""The part of a run from which on what was stopped is what took too long, and not all before it."""
_FEW = 1_000
"""Instances of layers that are ground together, by the part before, or a tenth of all."""
_UNKNOWN = 8
"""Statements that are ground together where there is no part before."""


@dataclass(frozen=True)
class _Layer:
    """Rules that depend on each other, or a counter of one body."""

    statements: frozenset[int]
    piece: Piece

    @property
    def is_counter(self) -> bool:
        """Whether nothing else asks for what this derives."""
        return bool(self.piece.counters)


_Batch: TypeAlias = tuple[_Layer, ...]
"""Layers that are ground in one call: what a call takes grows with all that was ground before."""


def _batches(layers: Iterable[_Layer], before: Mapping[int, int]) -> list[_Batch]:
    """Consecutive layers together while they had few instances."""

    def few(batch: _Batch) -> int:
        unknown = 0 if before else _FEW // _UNKNOWN
        return sum(before.get(number, unknown) for layer in batch for number in layer.statements)

    batches, most = list[_Batch](), max(_FEW, sum(before.values()) / 10)
    for layer in layers:
        last = batches[-1] if batches else ()
        alike = last and (last[0].piece.part, last[0].is_counter) == (layer.piece.part, layer.is_counter)
        if alike and few((*last, layer)) <= most:
            batches[-1] = (*last, layer)
        else:
            batches.append((layer,))
    return batches


def _together(batch: _Batch) -> Piece:
    first, pieces = batch[0].piece, [layer.piece for layer in batch]
    heads = tuple(head for piece in pieces for head in piece.heads)
    counters = tuple(counter for piece in pieces for counter in piece.counters)
    return replace(first, text="\n".join(piece.text for piece in pieces), heads=heads, counters=counters)


@dataclass
class Counts:
    """What was counted on one fact in `part`, by the number of the statement."""

    part: float
    instances: Counter[int] = field(default_factory=Counter)
    cpu_s: dict[int, float] = field(default_factory=dict)
    slow: set[int] = field(default_factory=set)
    """The statements that were stopped at the limit."""
    unknown: set[int] = field(default_factory=set)
    """These, and others that were not counted."""
    statistics: Statistics = field(default_factory=Statistics)


class Counting:
    """Counts of one program. `scripts` lets its scripts run."""

    def __init__(self, encoding: Encoding, profile: Encoding | None, budget: Budget, *, scripts: bool) -> None:
        self._encoding, self._profile, self._budget = encoding, profile, budget
        self._parts = parts_of(encoding)
        self.run = Run(self._parts.calls, scripts=scripts)
        statements = {number: each for number, each in enumerate(encoding.statements) if not each.is_fact}
        asked = {
            number: each.names.predicates
            for number, each in statements.items()
            if each.is_constraint or each.kind in _ASKING
        }
        rules = {
            number: each for number, each in statements.items() if each.kind in _DERIVING and not each.is_constraint
        }
        in_layers = not (self._parts.calls or encoding.asprin_names or _has_theory(encoding))
        edges: list[tuple[int | Predicate, int | Predicate, bool]] = []
        for number, names in (asked | {number: each.names.predicates for number, each in rules.items()}).items():
            edges += ((number, name, False) for name in names)
            edges += ((name, number, False) for name in statements[number].heads if number in rules)
        self._graph = Digraph[int | Predicate](edges, statements)
        self._removed = {*asked, *rules} if in_layers else {*asked}
        self._layered = frozenset(rules) if in_layers else frozenset[int]()
        inside = (self._layered & each for each in self._graph.components())
        self._layers = [_layer(encoding, frozenset(each)) for each in inside if each]
        self._counters = [
            _Layer(frozenset([number]), _counted(statements[number], f"{RESERVED}instances_{number}_{place}", *counter))
            for number in statements
            for place, counter in enumerate(_bodies(statements[number]))
        ]

    def text(self, part: float, removed: Collection[int] = ()) -> str | None:
        """The program with one fact in `part` and without some statements; None where it has no such part."""
        instance = (
            given_instance(self._profile) if part == 1 else random_instance(self._encoding, self._profile, 0, part)
        )
        if instance is None:
            return None
        text = Rewritten(self._encoding).without({*instance.gone, *removed}, instance.thin)
        if self._layered and removed and self._encoding.has_includes:
            included = [each for each in enumerate(self._encoding.statements) if each[1].source is None]
            kept = (str(each.node) for number, each in included if number not in removed)
            text = "\n".join([_INCLUDED.sub(r"\1", text), *kept, "#program base.\n"])
        return self._encoding.runnable(text + instance.added) + "\n#program base.\n" + self._parts.added

    def counts(
        self, part: float, limit_s: float, before: Mapping[int, int], *looks: Callable[[Counts], None]
    ) -> Counts | Unmeasured | None:
        """The counts of a part of the facts, None where there is none; why not where not even the facts are ground.
        What had few instances `before` is counted first. `looks` get what the first run has counted."""
        text = self.text(part, self._removed)
        if text is None:
            return None
        end_s = self._budget.left_s - limit_s
        counts, relations = Counts(part), list[Relation]()

        def size(counter: _Layer) -> tuple[int, int]:
            return sum(before.get(number, 0) for number in counter.statements), len(counter.piece.text)

        todo = _batches([*self._layers, *sorted(self._counters, key=size)], before)
        while any(batch[0].is_counter for batch in todo) and self._budget.left_s > end_s:
            heard: list[Ground] = []
            task = {"text": text, "pieces": list(map(_together, todo)), "run": self.run}
            run_s = (self._budget.left_s - end_s) * _RUN_PART
            ended = isolated(ground_pieces, task, run_s, self._budget, heard.append)
            if isinstance(ended, Unmeasured) and not (ended.is_slow and heard) and not counts.instances:
                return ended
            done, rest = todo[: max(0, len(heard) - 1)], todo[max(0, len(heard) - 1) :]
            relations += [relation for ground in heard for relation in ground.relations]
            for batch, ground in zip(done, heard[1:], strict=True):
                self._add(counts, batch, ground)
            for look in looks if counts.instances or not rest else ():
                look(counts)
            looks = () if counts.instances else looks
            todo = [batch for batch in done if not batch[0].is_counter] + rest
            if not (heard and rest) or run_s - sum(ground.cpu_s for ground in heard) < run_s * _CULPRIT:
                break
            if len(rest[0]) > 1:
                todo[-len(rest) :] = [*((layer,) for layer in rest[0]), *rest[1:]]
                continue
            [culprit] = rest[0]
            lost = culprit.statements if culprit.is_counter else self._graph.above(culprit.statements)
            counts.slow |= culprit.statements
            counts.unknown |= {number for batch in rest for layer in batch for number in layer.statements & lost}
            left = (tuple(layer for layer in batch if not layer.statements & lost) for batch in todo)
            todo = [batch for batch in left if batch]
        counts.unknown |= {
            number for batch in todo for layer in batch if layer.is_counter for number in layer.statements
        }
        counts.statistics = ClingoCost(0.0, None, 0, 0, relations).statistics
        return counts

    def _add(self, counts: Counts, batch: _Batch, ground: Ground) -> None:
        numbers = [number for layer in batch for number in layer.statements]
        for number in numbers:
            if batch[0].is_counter != (number in self._layered):
                known_s = counts.cpu_s.get(number, 0.0) if batch[0].is_counter else 0.0
                counts.cpu_s[number] = known_s + ground.cpu_s / len(numbers)
        for number, atoms in zip(numbers, ground.counts, strict=True) if batch[0].is_counter else ():
            counts.instances[number] += atoms


def _has_theory(encoding: Encoding) -> bool:
    rules = (str(each.node) for each in encoding.statements if each.kind != "Comment" and not each.is_fact)
    return "&" in encoding.text and any("&" in _STRING.sub("", rule) for rule in rules)


def _layer(encoding: Encoding, numbers: frozenset[int]) -> _Layer:
    """Rules that depend on each other."""
    statements = [encoding.statements[number] for number in sorted(numbers)]
    heads = sorted(frozenset[Predicate]().union(*(each.heads for each in statements)))
    signatures = tuple((each.name.lstrip("-"), each.arity, not each.name.startswith("-")) for each in heads)
    return _Layer(numbers, Piece(BASE, (), "\n".join(str(_unbounded(each.node)) for each in statements), signatures))


def _unbounded(node: AST) -> AST:
    """A choice without bounds: clingo grounds nothing more once it knows that there is no answer set."""
    is_choice = node.ast_type == ASTType.Rule and node.head.ast_type in (ASTType.Aggregate, ASTType.HeadAggregate)
    return node.update(head=node.head.update(left_guard=None, right_guard=None)) if is_choice else node


def _counted(statement: Statement, name: str, names: Sequence[str], body: str) -> Piece:
    part, text = statement.part.partition("/")[0], f"{name}({','.join(names)}) :- {body}."
    return Piece(part, statement.parameters, text, counters=((name, len(names)),))


def _bodies(statement: Statement) -> Iterator[tuple[list[str], str]]:
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


def _counter(statement: Statement, items: Sequence[AST]) -> tuple[list[str], str]:
    """The arguments and the body of a counter for some items."""
    names = dict.fromkeys(statement.parameters)
    for item in items:
        guards = (item.atom.left_guard, item.atom.right_guard) if _has_elements(item) else (item,)
        named = names_in(*guards).variables if item.ast_type == ASTType.Literal else ()
        names |= dict.fromkeys(sorted(name.name for name in named))
    return list(names), "; ".join(map(str, items))
