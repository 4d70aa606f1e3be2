"""Steps by difference: of a relation of facts a step derives what goes and what comes, not what stays.

    next_cell(X,Y,C) :- true_cell(X,Y,C), does_move(P,U,V), apart(U,V,X,Y).       a frame rule: what stays
    next_cell(U,V,P) :- does_move(P,U,V).                                         what comes

    stays(X,Y,C)  :- does_move(P,U,V), apart(U,V,X,Y).                            asked for single tuples
    goes(X,Y,C)   :- does_move(P,U,V), not_apart(U,V,X,Y), true_cell(X,Y,C), not stays(X,Y,C).
    framed        :- does_move(P,U,V).
    goes(X,Y,C)   :- not framed, true_cell(X,Y,C), not stays(X,Y,C).

A literal of a frame rule that shares a variable with the fact is turned round, one after the other: `not p` to `p`, an
inequality to an equality, a relation that no state changes to its complement, where that has few tuples. The rest of
the body says when the rule applies. Frame rules for different constants, as the empty cells, are groups of their own;
facts that belong to no group go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.forward.static_tables import MOST_KEYS, StaticTables
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.language.names import fresh_names, internal_name
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import is_ground, predicates, variables

_MOST_GROUPS = 1_000
"""Combinations of constants that groups may leave out."""
_SPARSE = 0.25
"""The part of all tuples that a complement may have."""
_LEAST = 4
"""Tuples in a state for which a step by difference pays."""


_Scope: TypeAlias = tuple[tuple[int, frozenset[Term]], ...]
"""Columns, each with the terms that may stand there."""


@dataclass(frozen=True)
class _Frame:
    """A frame rule: for facts with some terms in some columns (`scope`), when the `rest` of the body holds and so do
    the literals `shared` with the fact."""

    rule: Rule
    scope: _Scope
    rest: tuple[BodyLiteral, ...]
    shared: tuple[BodyLiteral, ...]


def by_differences(
    opened: OpenedSheet, statics: StaticTables, sizes: Mapping[Predicate, float]
) -> tuple[OpenedSheet, frozenset[Predicate]]:
    """The sheet with steps by difference where they pay, and the relations that are asked for single tuples; `statics`
    gets the complements."""
    return _Builder(opened, statics, sizes).build()


class _Builder:
    def __init__(self, opened: OpenedSheet, statics: StaticTables, sizes: Mapping[Predicate, float]) -> None:
        self._opened, self._statics, self._sizes = opened, statics, sizes
        self._used = {predicate.name for predicate in predicates(opened.program)}
        self._tested: set[Predicate] = set()
        self._complements: dict[Predicate, Predicate | None] = {}

    def build(self) -> tuple[OpenedSheet, frozenset[Predicate]]:
        opened = self._opened
        rules = list(opened.program.rules)
        drops: dict[Predicate, Predicate | None] = {}
        for true in opened.state:
            if (made := self._difference(true)) is not None:
                drops[true], removed, added = made
                rules = [rule for rule in rules if rule not in removed] + added
        return replace(opened.with_rules(tuple(rules)), drops=drops), frozenset(self._tested)

    def _difference(self, true: Predicate) -> tuple[Predicate | None, set[Rule], list[Rule]] | None:
        """What goes of a relation, the frame rules, and the rules in their place."""
        following = self._opened.pairs[true]
        kinds = [self._opened.types.of((true, column)) for column in range(true.arity)]
        if prod(max(1, kind.size) for kind in kinds) > MOST_KEYS or any(kind.shapes for kind in kinds):
            return None
        rules = self._opened.program.defining(following)
        frames = [frame for rule in rules if (frame := self._frame(rule, true)) is not None]
        if not frames or (self._sizes.get(true, 0) < _LEAST and any(frame.rest or frame.shared for frame in frames)):
            return None
        fact = Atom(true.name, tuple(Variable(f"F{column}") for column in range(true.arity)))
        stays, goes = (self._named(word, true) for word in ("stays", "goes"))
        going: list[Rule] = []
        others: list[Rule] = []

        def go(scope: tuple[tuple[int, Term], ...], body: tuple[BodyLiteral, ...], arguments: tuple[Term, ...]) -> None:
            terms = tuple(dict(scope).get(column, term) for column, term in enumerate(arguments))
            head = Atom(goes.name, terms)
            test = Literal(Atom(stays.name, terms), positive=False)
            going.append(Rule(head, (*body, Literal(Atom(true.name, terms)), test)))

        groups: dict[_Scope, list[_Frame]] = {}
        for frame in frames:
            groups.setdefault(frame.scope, []).append(frame)
        for scope, members in groups.items():
            turned = [(frame, bodies) for frame in members if (bodies := self._turned(frame)) is not None]
            if not turned:
                return None
            choices = [tuple((column, term) for term in sorted(terms, key=str)) for column, terms in scope]
            scopes = list(product(*choices)) if prod(map(len, choices)) <= _MOST_GROUPS else [()]
            for frame, bodies in turned:
                for body in bodies:
                    go((), body, frame.rule.conclusion.arguments)
            if all(frame.rest for frame, _ in turned):
                framed = self._named("framed", true)
                framed = Predicate(framed.name, 0)
                self._tested.add(framed)
                others += [Rule(Atom(framed.name, ()), frame.rest) for frame, _ in turned]
                for constants in scopes:
                    go(constants, (Literal(Atom(framed.name, ()), positive=False),), fact.arguments)
        left_out = self._left_out(true, groups)
        if left_out is None:
            return None
        for constants in left_out:
            go(constants, (), fact.arguments)
        removed = {frame.rule for frame in frames}
        if not going:
            return None, removed, []
        self._tested.add(stays)
        for frame in frames:
            head = frame.rule.conclusion
            body = tuple(item for item in frame.rule.body if item != Literal(Atom(true.name, head.arguments)))
            others.append(Rule(Atom(stays.name, head.arguments), body))
        slots = {column: (true, column) for column in range(true.arity)}
        for predicate in (stays, goes):
            self._opened.types.share(predicate, slots)
        return goes, removed, [*going, *others]

    def _frame(self, rule: Rule, true: Predicate) -> _Frame | None:
        """The frame rule that a rule is; None for what comes."""
        head = rule.conclusion
        fact = Literal(Atom(true.name, head.arguments))
        free = [term for term in head.arguments if isinstance(term, Variable)]
        others = [term for term in head.arguments if not isinstance(term, Variable)]
        if fact not in rule.body or len(free) != len({*free}) or not all(map(is_ground, others)):
            return None
        scope: dict[int, frozenset[Term]] = {}
        for column, term in enumerate(head.arguments):
            kind = self._opened.types.of((true, column))
            if is_ground(term):
                scope[column] = frozenset([term])
            else:
                excluded = {_other(item, term) for item in rule.body if _is_inequality(item, term)}
                if excluded:
                    scope[column] = frozenset(kind.constants) - excluded
        rest = [item for item in rule.body if variables(item).isdisjoint(free)]
        shared = [
            item
            for item in rule.body
            if item not in rest and item != fact and not any(_is_inequality(item, term) for term in free)
        ]
        return _Frame(rule, tuple(sorted(scope.items())), tuple(rest), tuple(shared))

    def _turned(self, frame: _Frame) -> list[tuple[BodyLiteral, ...]] | None:
        """The bodies, each with one of the shared literals turned round, of which one holds where a fact of the scope
        does not stay by this rule; None where that cannot be said."""
        head = frame.rule.conclusion
        positive = [item for item in frame.rest if isinstance(item, Literal) and item.positive]
        bound = variables(head).union(*map(variables, positive))
        bodies: list[tuple[BodyLiteral, ...]] = []
        for item in frame.shared:
            if not variables(item) <= bound:
                return None
            if isinstance(item, Comparison):
                if item.operator != "!=":
                    return None
                bodies.append((*frame.rest, Comparison("=", item.left, item.right)))
            elif not item.positive:
                bodies.append((*frame.rest, Literal(item.atom)))
            else:
                complement = self._complement(item.atom.predicate)
                if complement is None:
                    return None
                if len(self._statics.tuples[complement]):
                    bodies.append((*frame.rest, Literal(Atom(complement.name, item.atom.arguments))))
        return bodies

    def _complement(self, predicate: Predicate) -> Predicate | None:
        """The complement of a relation that no state changes; None where it has many tuples."""
        if predicate not in self._complements:
            self._complements[predicate] = None
            if predicate in self._statics and predicate.arity:
                shape = tuple(
                    max(1, self._statics.types.of((predicate, column)).size) for column in range(predicate.arity)
                )
                holds: NDArray[np.bool_] = np.zeros(shape, np.bool_)
                holds[tuple(self._statics.tuples[predicate].T)] = True
                missing = np.argwhere(~holds)
                if len(missing) <= _SPARSE * prod(shape):
                    complement = self._named("outside", predicate)
                    self._statics.tuples[complement] = missing.astype(np.int32)
                    self._opened.types.share(complement, {at: (predicate, at) for at in range(predicate.arity)})
                    self._complements[predicate] = complement
        return self._complements[predicate]

    def _left_out(self, true: Predicate, groups: Mapping[_Scope, object]) -> list[tuple[tuple[int, Term], ...]] | None:
        """Terms of some columns that belong to no group, a combination at a time; None where there are too many."""
        scopes = list(map(dict, groups))
        columns = sorted({column for scope in scopes for column in scope})
        terms = [self._opened.types.of((true, column)).constants for column in columns]
        if prod(map(len, terms)) > _MOST_GROUPS:
            return None
        combinations = (tuple(zip(columns, each, strict=True)) for each in product(*terms))
        return [
            combination
            for combination in combinations
            if not any(all(term in scope.get(column, (term,)) for column, term in combination) for scope in scopes)
        ]

    def _named(self, word: str, predicate: Predicate) -> Predicate:
        name = next(iter(fresh_names(internal_name(word, predicate.name), self._used)))
        self._used.add(name)
        return Predicate(name, predicate.arity)


def _is_inequality(item: BodyLiteral, variable: Term) -> bool:
    """Whether a literal says that a variable is not some constant."""
    return (
        isinstance(item, Comparison)
        and item.operator == "!="
        and variable in (item.left, item.right)
        and is_ground(_other(item, variable))
    )


def _other(item: BodyLiteral, variable: Term) -> Term:
    assert isinstance(item, Comparison)
    return item.right if item.left == variable else item.left
