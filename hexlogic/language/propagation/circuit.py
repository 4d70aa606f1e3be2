"""Ground rules as a circuit: gates of a fixed shape over rows of words, in an order in which they can be evaluated.

A row holds one truth value for each of many cases, a *lane* for each case, one bit a lane. A gate computes one row from
others:

    AND-OR    head = g0 & g1 & (x0 | x1 | x2 | x3 | x4 | x5)
    NOT       head = ~x0

Rows 0 and 1 are constants, false and true in all lanes; they fill operands that a gate does not need. Literals that all
bodies of a head share are lifted out, so a step of reachability is one gate:

    reach(2) :- reach(1), owns(2).   reach(2) :- reach(3), owns(2).      reach(2) = owns(2) & (reach(1) | reach(3))

The gates stand in *sections*, one after the other; what depends on itself is evaluated to its fixed point. Recursive
parts of one size on one level, such as the floods of two players, take turns in one section: no gate waits for the one
before it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import StratificationError
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.ground.program import GroundRule

FALSE_ROW, TRUE_ROW = 0, 1
AND_OR, RECURSIVE, NOT = range(3)
"""Kinds of sections: AND-OR gates, AND-OR gates that depend on each other, NOT gates."""
_GUARDS, _CHOICES = 2, 6

Body: TypeAlias = frozenset[tuple[int, bool]]
"""A conjunction: atoms, each with whether it must be true or false."""
_Operands: TypeAlias = tuple[bool, tuple[int, ...], tuple[int, ...]]  # Whether a gate is NOT, its guards, its choices


@dataclass(frozen=True, eq=False)
class Circuit:
    """`gates[G, 9]` int32 are head, g0, g1, x0 to x5; `sections[S, 3]` int32 are begin, end and kind."""

    rows: int
    row_of: Mapping[int, int]
    """The row of each input and of each atom that was wanted."""
    gates: NDArray[np.int32]
    sections: NDArray[np.int32]
    early: int
    """How many of the sections, the first ones, depend on no late input."""


def circuit(
    bodies: Mapping[int, Sequence[Body]], inputs: Iterable[int], wanted: Iterable[int], late: Iterable[int] = ()
) -> Circuit:
    """The circuit of what the wanted atoms depend on. `bodies` are those of each atom that rules derive; an atom that
    is neither derived nor an input is false. The `late` inputs are given after the first part of the circuit was
    evaluated.

    Raises StratificationError where an atom depends on its own negation.

    >>> made = circuit({2: [frozenset({(0, True), (1, False)})]}, [0, 1], [2])
    >>> made.rows, made.gates.tolist()
    (6, [[5, 1, 1, 3, 0, 0, 0, 0, 0], [4, 2, 5, 1, 0, 0, 0, 0, 0]])
    """
    return _Builder(bodies, inputs, late).build(tuple(wanted))


def bodies_of(rules: Iterable[GroundRule]) -> dict[int, list[Body]]:
    """By head: the bodies of ground rules.

    >>> bodies_of([GroundRule(2, (0,), (1,))]) == {2: [frozenset({(0, True), (1, False)})]}
    True
    """
    bodies: dict[int, list[Body]] = {}
    for rule in rules:
        body = {*((part, True) for part in rule.positive), *((part, False) for part in rule.negative)}
        bodies.setdefault(rule.head, []).append(frozenset(body))
    return bodies


class _Builder:
    def __init__(self, bodies: Mapping[int, Sequence[Body]], inputs: Iterable[int], late: Iterable[int]) -> None:
        self._bodies = bodies
        self._row: dict[int, int] = {}
        for atom in (*inputs, *(later := tuple(late))):
            self._row[atom] = len(self._row) + 2
        self._late = frozenset(self._row[atom] for atom in later)
        self._rows = len(self._row) + 2
        self._inputs = frozenset(self._row)
        self._known: dict[tuple[int, ...], int] = {}
        """Rows of conjunctions, disjunctions (behind a -1) and negations (behind a -2) that have a gate."""
        self._gates: dict[int, _Operands] = {}  # By head

    def build(self, wanted: Sequence[int]) -> Circuit:
        edges = ((atom, part, False) for atom in self._bodies for body in self._bodies[atom] for part, _ in body)
        needed = Digraph(edges, [*wanted, *self._bodies]).below(wanted).difference(self._row)
        derived = sorted(atom for atom in needed if self._bodies.get(atom))
        for atom in needed.difference(derived):
            self._row[atom] = FALSE_ROW
        for atom in derived:
            self._row[atom] = self._new()
        for atom in derived:
            self._define(atom)
        row_of = {atom: self._row[atom] for atom in sorted({*self._inputs, *wanted})}
        return Circuit(self._rows, row_of, *self._in_order())

    def _new(self) -> int:
        self._rows += 1
        return self._rows - 1

    def _define(self, atom: int) -> None:
        families = _families([self._literals(body) for body in self._bodies[atom]])
        if len(families) == 1:
            shared, rest = families[0]
            if len(rest) == 1:
                shared, rest = shared | rest[0], [frozenset({TRUE_ROW})]
            self._gates[self._row[atom]] = self._gate(shared, [self._all(body) for body in rest])
            return
        choices = []
        for shared, rest in families:
            alternatives = [self._all(body) for body in rest]
            choices += [self._all({*shared, self._any(alternatives)})] if shared else alternatives
        self._gates[self._row[atom]] = self._gate((), choices)

    def _literals(self, body: Body) -> frozenset[int]:
        def row(part: int, positive: bool) -> int:
            known = self._row[part]
            return known if positive else self._row_of((-2, known), lambda: (True, (), (known,)))

        return frozenset(row(*literal) for literal in body)

    def _all(self, rows: Iterable[int]) -> int:
        key = tuple(sorted(set(rows) - {TRUE_ROW}))
        if len(key) < 2:
            return key[0] if key else TRUE_ROW
        return self._row_of(key, lambda: self._gate(key, [TRUE_ROW]))

    def _any(self, rows: Iterable[int]) -> int:
        key = (-1, *sorted(set(rows)))
        if len(key) == 2:
            return key[1]
        return self._row_of(key, lambda: self._gate((), key[1:]))

    def _row_of(self, key: tuple[int, ...], make: Callable[[], _Operands]) -> int:
        """The row that is known by a key; where there is none, a new one with a gate."""
        if key not in self._known:
            made = make()
            self._known[key] = self._new()
            self._gates[self._known[key]] = made
        return self._known[key]

    def _gate(self, guards: Iterable[int], choices: Sequence[int]) -> _Operands:
        """The operands of a gate; where there are more than it takes, gates before it join some of them."""
        both, some = sorted(set(guards)), sorted(set(choices))
        if len(both) == _GUARDS + 1 and some == [TRUE_ROW]:
            some = [both.pop()]
        while len(both) > _GUARDS:
            both = [*both[_GUARDS + 1 :], self._all(both[: _GUARDS + 1])]
        while len(some) > _CHOICES:
            some = [*some[_CHOICES:], self._any(some[:_CHOICES])]
        return False, tuple(both), tuple(some)

    def _in_order(self) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
        """The gates in sections, the sections, and how many depend on no late input."""
        edges = [
            (head, part, negative)
            for head, (negative, guards, choices) in self._gates.items()
            for part in (*guards, *choices)
            if part in self._gates
        ]
        graph = Digraph(edges, self._gates)
        depth: dict[int, int] = {}
        place = {head: number for number, head in enumerate(self._gates)}
        late = set(self._late)
        layers: dict[tuple[bool, int, int, int], list[list[int]]] = {}
        for component in graph.components():
            heads = sorted(component, key=place.__getitem__)
            below = {part for head in heads for part in graph.successors(head)}
            recursive = not component.isdisjoint(below)
            level = 1 + max((depth[part] for part in below - component), default=-1)
            depth.update(dict.fromkeys(heads, level))
            negative = self._gates[heads[0]][0]
            if recursive and any(self._gates[head][0] for head in heads):
                raise StratificationError("an atom depends on its own negation")
            kind = RECURSIVE if recursive else NOT if negative else AND_OR
            waits = any(not late.isdisjoint((*self._gates[head][1], *self._gates[head][2])) for head in heads)
            if waits:
                late.update(heads)
            layers.setdefault((waits, level, kind, len(heads) if recursive else 0), []).append(heads)
        rows: list[list[int]] = []
        sections: list[list[int]] = []
        for key in sorted(layers):
            begin, kind = len(rows), key[2]
            for head in chain.from_iterable(zip(*layers[key], strict=True) if kind == RECURSIVE else layers[key]):
                _, guards, choices = self._gates[head]
                full = (*guards, TRUE_ROW, TRUE_ROW)[:_GUARDS]
                rows.append([head, *full, *(*choices, *[FALSE_ROW] * _CHOICES)[:_CHOICES]])
            sections.append([begin, len(rows), kind])
        return (
            np.array(rows, dtype=np.int32).reshape(-1, 1 + _GUARDS + _CHOICES),
            np.array(sections, dtype=np.int32).reshape(-1, 3),
            sum(not key[0] for key in layers),
        )


def _families(bodies: Sequence[frozenset[int]]) -> list[tuple[frozenset[int], list[frozenset[int]]]]:
    """The bodies of one head in groups that share rows, without these; bodies that share none together at the end."""
    families = []
    waiting = list(dict.fromkeys(bodies))
    while len(waiting) > 1:
        counts = Counter(row for body in waiting for row in body)
        row, count = min(counts.items(), key=lambda item: (-item[1], item[0])) if counts else (0, 0)
        if count < 2:
            break
        family = [body for body in waiting if row in body]
        shared = frozenset.intersection(*family)
        families.append((shared, [body - shared for body in family]))
        waiting = [body for body in waiting if row not in body]
    if waiting:
        families.append((frozenset[int](), waiting))
    return families
