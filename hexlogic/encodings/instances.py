"""Instances of each statement of a program, and the seconds that they take: its rules are ground in layers, what they
ask for first, and then each body alone.

Given:  :- prec(A,B,D), start(A,TA), start(B,TB), TB < TA+D.
Ground: _hexlogic_instances_3(A,B,D,TA,TB) :- prec(A,B,D); start(A,TA); start(B,TB); TB < (TA+D).

A constraint is ground only so. Instances are exact for the facts that were ground; the elements of a choice or an
aggregate are instances of their own. A statement that takes too long is named, and the others are counted without it.
Programs with other parts, included files or theory atoms are ground as they are, not in layers.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from clingo.ast import AST, ASTType

from hexlogic.encodings.checking import given_instance, random_instance
from hexlogic.encodings.clingo_jobs import Budget, Unmeasured, isolated
from hexlogic.encodings.clingo_runs import ClingoCost, Ground, Piece, Run, ground_pieces
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
_FIRST_PART = 0.6
"""The part of the time that the first run may take: when it ends there, another one follows."""


@dataclass(frozen=True)
class _Layer:
    """Rules, or a counter of one body."""

    statements: frozenset[int]
    piece: Piece
    is_counter: bool = False


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
        statements = dict(enumerate(encoding.statements))
        asked = {number: each.names.predicates for number, each in statements.items() if _is_asking(each)}
        rules = {number: each for number, each in statements.items() if _is_deriving(each)}
        in_layers = not (self._parts.calls or encoding.has_includes or encoding.asprin_names or "&" in encoding.text)
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
            _Layer(
                frozenset([number]),
                _counter_piece(statements[number], f"{RESERVED}instances_{number}_{place}{body}"),
                True,
            )
            for number in statements
            for place, body in enumerate(_bodies(statements[number]))
        ]

    def text(self, part: float, removed: Collection[int] = ()) -> str | None:
        """The program with one fact in `part` and without some statements; None where it has no such part."""
        instance = (
            given_instance(self._profile) if part == 1 else random_instance(self._encoding, self._profile, 0, part)
        )
        if instance is None:
            return None
        text = Rewritten(self._encoding).without({*instance.gone, *removed}, instance.thin)
        return self._encoding.runnable(text + instance.added) + "\n#program base.\n" + self._parts.added

    def counts(self, part: float, limit_s: float, before: Mapping[int, int]) -> Counts | Unmeasured | None:
        """The counts of a part of the facts, None where there is none; why not where not even the facts are ground.
        What had few instances `before` is counted first."""
        text = self.text(part, self._removed)
        if text is None:
            return None
        end_s = self._budget.left_s - limit_s
        counts, relations = Counts(part), []
        counters = sorted(
            self._counters, key=lambda each: (*map(before.get, each.statements, (0,)), len(each.piece.text))
        )
        todo = [*self._layers, *counters]
        while any(layer.is_counter for layer in todo):
            heard: list[Ground] = []
            task = {"text": text, "pieces": [layer.piece for layer in todo], "run": self.run}
            run_s = (self._budget.left_s - end_s) * (1 if counts.slow else _FIRST_PART)
            ended = isolated(ground_pieces, task, run_s, self._budget, heard.append)
            if isinstance(ended, Unmeasured) and not (ended.is_slow and heard) and not counts.slow:
                return ended
            done, rest = todo[: max(0, len(heard) - 1)], todo[max(0, len(heard) - 1) :]
            relations += [relation for ground in heard for relation in ground.relations]
            for layer, ground in zip(done, heard[1:], strict=True):
                for number in layer.statements:
                    counts.instances[number] += ground.atoms * layer.is_counter
                    if layer.is_counter != (number in self._layered):
                        known_s = counts.cpu_s.get(number, 0.0) if layer.is_counter else 0.0
                        counts.cpu_s[number] = known_s + ground.cpu_s / len(layer.statements)
            todo = [layer for layer in done if not layer.is_counter] + rest
            if not (heard and rest):
                break
            lost = rest[0].statements if rest[0].is_counter else self._graph.above(rest[0].statements)
            counts.slow |= rest[0].statements
            counts.unknown |= {number for layer in rest for number in layer.statements & lost}
            todo = [layer for layer in todo if not layer.statements & lost]
        counts.unknown |= {number for layer in todo if layer.is_counter for number in layer.statements}
        counts.statistics = ClingoCost(0.0, None, 0, 0, relations).statistics
        return counts


def _is_deriving(statement: Statement) -> bool:
    is_constraint = statement.head is not None and statement.head.kind == "constraint"
    return statement.kind in _DERIVING and not statement.is_fact and not is_constraint


def _is_asking(statement: Statement) -> bool:
    return statement.kind in _ASKING or (statement.head is not None and statement.head.kind == "constraint")


def _layer(encoding: Encoding, numbers: frozenset[int]) -> _Layer:
    """Rules that depend on each other."""
    statements = [encoding.statements[number] for number in sorted(numbers)]
    heads = sorted(frozenset[Predicate]().union(*(each.heads for each in statements)))
    signatures = tuple((each.name.lstrip("-"), each.arity, not each.name.startswith("-")) for each in heads)
    return _Layer(numbers, Piece(BASE, (), "\n".join(str(each.node) for each in statements), signatures))


def _counter_piece(statement: Statement, text: str) -> Piece:
    return Piece(statement.part.partition("/")[0], statement.parameters, text)


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
