"""Which relations of `legal` get each tuple once, so that nothing need tell whether it is there already; and which
columns of a kept view leave one tuple, so that a table over these tells whether it is there.

    legal_move(P,X,Y) :- true_control(P), true_cell(X,P), step(X,Y), true_cell(Y,b).
    legal_move(P,X,Y) :- true_control(P), true_cell(X,P), captures(P,X,Z,Y), true_cell(Y,b).

No tuple comes from both rules where `step` and `captures` share no X and Y, which their tuples tell; and none comes
twice from one rule where X and Y leave one Z only.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.forward.estimates import Asked
from hexlogic.ggp.forward.static_tables import StaticTables
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.language.syntax import Atom, Predicate, Rule, Variable
from hexlogic.language.walk import is_ground, variables


def unique_views(opened: OpenedSheet, statics: StaticTables, tested: Mapping[Predicate, Asked]) -> frozenset[Predicate]:
    """The relations of `legal` of which that is proved; none that asks a view in `tested` for several tuples, which may
    be answered twice."""
    proof = _Proof(opened, statics)
    walked = {view for view, asked in tested.items() if len(asked.columns) < view.arity}

    def walks(view: Predicate) -> bool:
        return any(item.atom.predicate in walked for rule in opened.program.defining(view) for item in rule.literals)

    legal = {opened.pairs[done] for done in opened.done}.difference(opened.kept)
    return frozenset(view for view in legal if not walks(view) and proof.is_unique(view))


def keys_of_kept(opened: OpenedSheet, statics: StaticTables) -> dict[Predicate, tuple[int, ...]]:
    """By kept view: columns that leave one tuple of it."""
    proof = _Proof(opened, statics)
    return {view: proof.key(view) for view in opened.kept}


class _Proof:
    def __init__(self, opened: OpenedSheet, statics: StaticTables) -> None:
        self._program, self._statics = opened.program, statics

    def is_unique(self, view: Predicate) -> bool:
        """Whether two ways to derive a tuple of a view are one."""
        rules = self._program.defining(view)
        return all(
            self._known(rule, variables(rule.conclusion), {view}).issuperset(_enumerated(rule)) for rule in rules
        ) and all(self._is_apart(*pair) for pair in combinations(rules, 2))

    def key(self, view: Predicate) -> tuple[int, ...]:
        """Columns of a view that leave one tuple, few where that is proved."""
        columns, rules = list(range(view.arity)), self._program.defining(view)
        for column in sorted(columns, key=lambda column: -self._left_open(view, column)) if len(rules) == 1 else ():
            head, rest = rules[0].conclusion.arguments, [other for other in columns if other != column]
            given = frozenset[Variable]().union(*(variables(head[other]) for other in rest))
            if rest and variables(head[column]) <= self._known(rules[0], given, {view}):
                columns = rest
        return tuple(columns)

    def _left_open(self, view: Predicate, column: int) -> int:
        """How many literals of a view have a variable in a column that no other literal of their rule has."""
        places = [(rule, item) for rule in self._program.rules for item in rule.literals if item.atom.predicate == view]
        return sum(
            variables(item.atom.arguments[column]).isdisjoint(
                frozenset[Variable]().union(*(variables(other) for other in rule.body if other != item))
            )
            for rule, item in places
        )

    def _known(self, rule: Rule, given: Collection[Variable], asked: Collection[Predicate]) -> set[Variable]:
        """The variables of a rule that have one value at most for given ones."""
        known, before = {*given}, -1
        while before < len(known):
            before = len(known)
            for item in rule.literals:
                if item.positive:
                    known.update(self._determined(item.atom, known, asked))
        return known

    def _determined(self, atom: Atom, known: set[Variable], asked: Collection[Predicate]) -> Iterator[Variable]:
        """The variables of an atom that have one value at most for those that are known."""
        given = [column for column, term in enumerate(atom.arguments) if variables(term) <= known]
        others = {c: term for c, term in enumerate(atom.arguments) if isinstance(term, Variable) and c not in given}
        if atom.predicate in self._statics:
            rows = self._rows(atom)
            keys = len(_distinct(rows[:, given]))
            yield from (term for c, term in others.items() if len(_distinct(rows[:, [*given, c]])) <= keys)
        elif atom.predicate not in asked and len(rules := self._program.defining(atom.predicate)) == 1:
            head = rules[0].conclusion.arguments
            names = frozenset[Variable]().union(*(variables(head[column]) for column in given))
            found = self._known(rules[0], names, {*asked, atom.predicate})
            yield from (term for column, term in others.items() if variables(head[column]) <= found)

    def _rows(self, atom: Atom) -> NDArray[np.int32]:
        """The tuples of a relation that no state changes, with the terms that an atom names."""
        rows = self._statics.tuples[atom.predicate]
        for column, term in enumerate(atom.arguments):
            if is_ground(term):
                rows = rows[rows[:, column] == self._statics.types.of((atom.predicate, column)).number(term)]
        return rows

    def _is_apart(self, rule: Rule, other: Rule) -> bool:
        """Whether what no state changes tells that no tuple comes from both rules."""
        pairs = zip(rule.conclusion.arguments, other.conclusion.arguments, strict=True)
        if any(is_ground(left) and is_ground(right) and left != right for left, right in pairs):
            return True
        return any(
            not self._may_meet(literal, place) for literal in self._placed(rule) for place in self._placed(other)
        )

    def _placed(self, rule: Rule) -> Iterator[dict[int, NDArray[np.int32]]]:
        """For each literal that no state changes, by argument of the head the column of the tuples that it is."""
        for item in rule.literals:
            if item.positive and item.atom.predicate in self._statics:
                rows, terms = self._rows(item.atom), item.atom.arguments
                yield {
                    place: rows[:, terms.index(term)]
                    for place, term in enumerate(rule.conclusion.arguments)
                    if isinstance(term, Variable) and term in terms
                }

    def _may_meet(self, columns: dict[int, NDArray[np.int32]], others: dict[int, NDArray[np.int32]]) -> bool:
        """Whether two relations share a tuple in the columns that stand for the same arguments."""
        shared = sorted(columns.keys() & others.keys())
        if not shared:
            return True
        left, right = (_distinct(np.column_stack([each[place] for place in shared])) for each in (columns, others))
        return not left.isdisjoint(right)


def _distinct(rows: NDArray[np.int32]) -> set[tuple[int, ...]]:
    return {*map(tuple, rows.tolist())}


def _enumerated(rule: Rule) -> frozenset[Variable]:
    """The variables for which a join may try several values."""
    return frozenset[Variable]().union(*(variables(item) for item in rule.literals if item.positive))
