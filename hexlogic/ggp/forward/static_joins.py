"""Literals of relations that no state changes, joined ahead to one table where a rule looks at fewer tuples so.

capture(R,A,B,C) :- jump(R,A,C), step(R,A,B), step(R,B,C), true_cell(B,P), owner(P,Q), other(R,Q).

capture(R,A,B,C) :- true_cell(B,P), table(P,B,R,A,C).
"""

import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations_with_replacement
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.ggp.forward.estimates import join_cost
from hexlogic.ggp.forward.static_tables import StaticTables
from hexlogic.ggp.language.types import Slot, factors
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import internal_name
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule, Variable
from hexlogic.language.walk import is_ground, variables

_MOST_ROWS: Final = 20_000
_MOST_KEYS: Final = 1 << 22
"""Tuples of a table, and tuples that there could be of its terms."""
_SAVED: Final = 0.97
"""The part of what a rule costs up to which literals are joined ahead."""


class StaticJoins:
    """The tables that rules share; `statics` and `sizes` get them."""

    def __init__(self, statics: StaticTables, sizes: Statistics) -> None:
        self._statics, self._types, self._sizes = statics, statics.types, sizes
        self._made: dict[tuple[str, ...], Predicate] = {}

    def joined(self, rule: Rule) -> Rule:
        """The rule with its literals of static relations joined, two at a time, as long as that costs less."""
        if rule.conclusion.predicate in self._statics:
            return rule
        cost = None
        while True:
            tables = filter(self._is_table, rule.body)
            candidates = [self._with(rule, pair) for pair in combinations_with_replacement(tables, 2)]
            costs = [(self._cost(each), each) for each in candidates if each is not None]
            if not costs:
                return rule
            cost = self._cost(rule) if cost is None else cost
            best = min(costs, key=lambda pair: pair[0])
            if best[0] >= _SAVED * cost:
                return rule
            cost, rule = best

    def _is_table(self, item: BodyLiteral) -> bool:
        return (
            isinstance(item, Literal)
            and item.positive
            and item.atom.predicate in self._statics
            and all(isinstance(term, Variable) or is_ground(term) for term in item.atom.arguments)
        )

    def _cost(self, rule: Rule) -> float:
        """How many tuples the rule looks at."""
        try:
            return join_cost(rule.body, self._sizes, {}, (), variables(rule.conclusion))
        except EngineError:
            return float("inf")

    def _with(self, rule: Rule, pair: Sequence[BodyLiteral]) -> Rule | None:
        """The rule with one literal in the place of two, and of what compares their variables; None where they share no
        variable or have too many tuples."""
        first, second = (item.atom for item in pair if isinstance(item, Literal))
        held = variables(first) | variables(second)
        if variables(first).isdisjoint(variables(second)):
            return None
        tests = [item for item in rule.body if isinstance(item, Comparison) and _is_test(item, held)]
        if pair[0] == pair[1] and not tests:
            return None
        rest = tuple(item for item in rule.body if item not in (*pair, *tests))
        wanted = variables(rule.conclusion).union(*map(variables, rest))
        slots: dict[Variable, Slot] = {}
        for atom in (second, first):
            slots |= {
                term: (atom.predicate, column)
                for column, term in reversed([*enumerate(atom.arguments)])
                if isinstance(term, Variable)
            }
        kept = [variable for variable in sorted(slots, key=str) if variable in wanted]
        if not kept or prod(self._types.of(slots[variable]).size for variable in kept) > _MOST_KEYS:
            return None
        key = tuple(map(str, (first, second, *tests, *kept)))
        if key not in self._made:
            rows = self._rows(first, second, tests, kept, slots)
            if rows is None:
                return None
            self._made[key] = made = Predicate(internal_name("table", str(len(self._made))), len(kept))
            self._types.share(made, {place: slots[variable] for place, variable in enumerate(kept)})
            self._statics.add(made, rows, self._sizes)
        return rule.with_body((Literal(Atom(self._made[key].name, tuple(kept))), *rest))

    def _rows(
        self,
        first: Atom,
        second: Atom,
        tests: Iterable[Comparison],
        kept: Iterable[Variable],
        slots: Mapping[Variable, Slot],
    ) -> NDArray[np.int32] | None:
        """The tuples of both for the variables that are kept; None where there are too many."""
        left, right = self._columns(first), self._columns(second)
        shared = sorted(left.keys() & right.keys(), key=str)
        sizes = [self._types.of(slots[variable]).size for variable in shared]
        keys = [
            np.column_stack([each[variable] for variable in shared]) @ np.array(factors(sizes), np.int64)
            for each in (left, right)
        ]
        order = np.argsort(keys[1], kind="stable")
        begin, end = (np.searchsorted(keys[1][order], keys[0], side) for side in ("left", "right"))
        counts = end - begin
        total = int(counts.sum())
        if total > _MOST_ROWS:
            return None
        from_left = np.repeat(np.arange(len(counts)), counts)
        from_right = order[np.arange(total) - np.repeat(np.cumsum(counts) - counts - begin, counts)]
        columns = {variable: column[from_right] for variable, column in right.items()}
        columns |= {variable: column[from_left] for variable, column in left.items()}
        holds: NDArray[np.bool_] = np.ones(total, np.bool_)
        for test in tests:
            both = test.left, test.right
            (kind, *_) = (self._types.of(slots[side]) for side in both if isinstance(side, Variable))
            sides = (columns[side] if isinstance(side, Variable) else kind.number(side) for side in both)
            holds &= operator.ne(*sides) if test.operator == "!=" else operator.eq(*sides)
        rows = np.column_stack([columns[variable][holds] for variable in kept])
        sizes = [self._types.of(slots[variable]).size for variable in kept]
        _, distinct = np.unique(rows @ np.array(factors(sizes), np.int64), return_index=True)
        return rows[distinct].astype(np.int32)

    def _columns(self, atom: Atom) -> dict[Variable, NDArray[np.int64]]:
        """The values of the variables of an atom in its tuples."""
        rows = self._statics.tuples[atom.predicate].astype(np.int64)
        columns: dict[Variable, int] = {}
        for column, term in enumerate(atom.arguments):
            if isinstance(term, Variable) and term not in columns:
                columns[term] = column
            else:
                kind = self._types.of((atom.predicate, column))
                value = rows[:, columns[term]] if isinstance(term, Variable) else kind.number(term)
                rows = rows[rows[:, column] == value]
        return {variable: rows[:, column] for variable, column in columns.items()}


def _is_test(item: Comparison, held: Collection[Variable]) -> bool:
    """Whether a comparison is of some of these variables, each a side of it, and else of ground terms."""
    sides = item.left, item.right
    return any(side in held for side in sides) and all(side in held or is_ground(side) for side in sides)
