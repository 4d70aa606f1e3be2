"""Two columns as one, where rules name their values together: a cell in the place of its file and its rank.

    legal_move(R,X,Y,U,V) :- true_cell(X,Y,R), step(X,Y,U,V), not true_cell(U,V,R).      step: no state changes it

    legal_move'(R,C,D) :- true_cell'(C,R), step'(C,D), not true_cell'(D,R).

Tuples are shorter, and so is the way to find them. Where a rule names one of the two alone, `apart(C,X,Y)`, which no
state changes, leads from one to the other. Pairs that rules can never give have no number.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.forward.static_tables import StaticTables
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.language.types import PAIR, Slot, Type, Types
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import fresh_names, fresh_variables, internal_name
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule
from hexlogic.language.terms import Function, Symbol, Term, Variable
from hexlogic.language.walk import is_ground, predicates, rule_variables, variables

_MOST_PAIRS: Final = 1 << 12
"""Pairs of terms of two columns that are made one."""
_NEVER: Final = Symbol(internal_name("never"))
"""In the place of a pair that never comes up. What names one stays, so that it depends on states as before."""

_Pair: TypeAlias = tuple[Term, Term]
_Kinds: TypeAlias = tuple[Type, Type]
_Typed: TypeAlias = tuple[_Pair, _Kinds]
"""Two terms with the types of their columns: a constant has another number in columns of another type."""


def with_pairs(
    opened: OpenedSheet,
    statics: StaticTables,
    sizes: Statistics,
    tested: Collection[Predicate],
    given: Mapping[Predicate, Collection[int]],
) -> tuple[OpenedSheet, Mapping[Predicate, Predicate]]:
    """The sheet with pairs of columns as one, and by relation what has taken its place. `statics` and `sizes` get the
    new relations; those in `tested` are asked for single tuples only, and of a walk two columns are one where
    a question gives both or none of them (`given`)."""
    pairing = _Pairing(opened, statics, sizes, tested, given)
    return pairing.paired() if pairing.slots else (opened, {})


def possible_terms(types: Types, predicate: Predicate) -> list[int]:
    """How many terms can come up in each column, 1 at least."""
    kinds = [types.of((predicate, column)) for column in range(predicate.arity)]
    return [max(1, kind.size - (kind.constants[-1:] == (_NEVER,))) for kind in kinds]


class _Pairing:
    def __init__(
        self,
        opened: OpenedSheet,
        statics: StaticTables,
        sizes: Statistics,
        tested: Collection[Predicate],
        given: Mapping[Predicate, Collection[int]],
    ) -> None:
        self._opened, self._statics, self._sizes, self._tested = opened, statics, sizes, tested
        fixed = frozenset[Predicate]().union(*opened.phases[0])
        self._rules = [rule for rule in opened.program.rules if rule.conclusion.predicate not in fixed]
        self._origin = {following: true for true, following in opened.pairs.items()}
        self._origin |= {gone: true for true, gone in opened.drops.items() if gone is not None}
        asked = {*opened.done, *(opened.pairs[done] for done in opened.done)}
        moving = {atom.predicate for rule in self._rules for atom in rule.atoms}
        moving |= {*opened.inputs, *opened.pairs.values()}  # of which some have no rule
        self._moving = moving - fixed - {Predicate("goal", 2)} - statics.tuples.keys()
        unlike = {*opened.pairs} - {true for true, following in opened.pairs.items() if following in self._moving}
        self.slots = {
            (self._origin.get(predicate, predicate), column)
            for predicate in self._moving - unlike
            for column in range(predicate in asked, predicate.arity - 1)
            if self._kinds(predicate, column) is not None
            and len({column, column + 1}.intersection(given.get(predicate, ()))) != 1
        }
        """The first columns of pairs, of relations that states change; of moves where states change which are legal."""
        self._choose()
        self._numbers: dict[_Kinds, NDArray[np.int64]] = {}
        """The number of each pair of numbers, -1 for pairs that never come up."""
        self._whole: dict[_Kinds, Type] = {}
        """The types of pairs."""
        self._apart: dict[tuple[_Kinds, bool], Predicate] = {}
        """The relations of pairs and their halves, without and with pairs that never come up."""
        self._fused: dict[tuple[Predicate, tuple[int, ...]], Predicate] = {}
        self._used = {predicate.name for predicate in (*predicates(opened.program), *statics.tuples)}

    def paired(self) -> tuple[OpenedSheet, Mapping[Predicate, Predicate]]:
        opened = self._opened
        for kinds, possible in self._possible().items():
            self._number(kinds, possible)
        rules = frozenset(self._rules)
        others = [rule for rule in opened.program.rules if rule not in rules]
        changed = list(map(self._rewritten, self._rules))
        made = {predicate: self._made(predicate, self._columns(predicate)) for predicate in sorted(self._moving)}
        program = replace(
            opened.program.with_rules((*others, *changed)),
            inputs=tuple(made.get(predicate, predicate) for predicate in opened.program.inputs),
            queries=tuple(made.get(predicate, predicate) for predicate in opened.program.queries),
        )
        names = {key: made.get(predicate, predicate) for key, predicate in opened.flat.names.items()}
        paired = {after.name: self._columns(before) for before, after in made.items()}
        flat = replace(opened.flat, program=program, names=names, paired=paired)
        drops = {made[true]: None if gone is None else made[gone] for true, gone in opened.drops.items()}
        return replace(opened, flat=flat, drops=drops), made

    def _kinds(self, predicate: Predicate, column: int) -> _Kinds | None:
        """The types of a column and the next; None where they cannot be one."""
        first, second = (self._opened.types.of((predicate, place)) for place in (column, column + 1))
        if first.shapes or second.shapes or not 1 < first.size * second.size <= _MOST_PAIRS:
            return None
        return first, second

    def _typed(self, atom: Atom, column: int) -> _Typed | None:
        """What stands in a column and the next; None where they cannot be one."""
        kinds = self._kinds(atom.predicate, column)
        return None if kinds is None else ((atom.arguments[column], atom.arguments[column + 1]), kinds)

    def _columns(self, predicate: Predicate) -> tuple[int, ...]:
        origin = self._origin.get(predicate, predicate)
        return tuple(column for column in range(predicate.arity - 1) if (origin, column) in self.slots)

    def _choose(self) -> None:
        """Leave out the slots that rules name one half of, and the weaker one of two that have a column in common."""
        while True:
            scores = self._scores()
            weak = {slot for slot in self.slots if scores[slot] <= 0}
            for predicate, column in sorted(self.slots - weak):
                other = predicate, column + 1
                if other in self.slots - weak:
                    weak.add(min((other, (predicate, column)), key=lambda slot: (scores[slot], -slot[1])))
                    break
            if not weak:
                return
            self.slots -= weak

    def _scores(self) -> Counter[Slot]:
        """How often rules name both halves of a slot together, less how often one alone."""
        scores: Counter[Slot] = Counter()
        for rule in self._rules:
            named = Counter(typed for atom in rule.atoms for _, typed in self._slots_of(atom))
            for item in rule.literals:
                if item.atom.predicate in self._statics:
                    pairs = (self._typed(item.atom, column) for column in range(item.atom.predicate.arity - 1))
                    named.update(filter(None, pairs))
            for atom in rule.atoms:
                for column, typed in self._slots_of(atom):
                    slot = self._origin.get(atom.predicate, atom.predicate), column
                    scores[slot] += self._score(rule, typed[0], named[typed])
        return scores

    def _score(self, rule: Rule, pair: _Pair, count: int) -> int:
        free = variables(Atom("pair", pair))
        if len(free) == 1 or pair[0] == pair[1]:
            return -2
        if count > 1 or not free:
            return 2
        alone = 0
        for item in rule.items:
            atom = item.atom if isinstance(item, Literal) else item
            if isinstance(atom, Comparison):
                alone += not free.isdisjoint(variables(atom)) and len(variables(atom)) > 1
            elif atom.predicate not in self._statics and pair not in pairwise(atom.arguments):
                alone += not free.isdisjoint(variables(atom))
        return -2 if alone else 1

    def _slots_of(self, atom: Atom) -> Iterator[tuple[int, _Typed]]:
        """The slots of an atom of a relation that states change, and what stands there."""
        for column in self._columns(atom.predicate) if atom.predicate in self._moving else ():
            typed = self._typed(atom, column)
            assert typed is not None
            yield column, typed

    def _possible(self) -> dict[_Kinds, NDArray[np.bool_]]:
        """By types: the pairs of numbers that can come up."""
        possible: dict[_Kinds, NDArray[np.bool_]] = {}

        def add(rule: Rule, typed: _Typed) -> None:
            pair, kinds = typed
            possible[kinds] |= self._values(rule, pair, kinds)

        for predicate, column in self.slots:
            kinds = self._kinds(predicate, column)
            assert kinds is not None
            possible.setdefault(kinds, np.zeros((kinds[0].size, kinds[1].size), np.bool_))
        for fact in self._opened.initial:
            atom = self._opened.atom("true", fact)
            for _, typed in self._slots_of(atom):
                add(Rule(atom), typed)
        for rule in self._rules:
            named = [item.atom for item in rule.literals if item.positive and item.atom.predicate not in self._tested]
            named += [rule.conclusion] if rule.conclusion.predicate in self._tested else []
            given = {typed for atom in named for _, typed in self._slots_of(atom)}
            asked = [item.atom for item in rule.literals if item.atom.predicate in self._tested]
            for atom in (rule.conclusion, *asked):
                for _, typed in self._slots_of(atom):
                    if typed not in given:
                        add(rule, typed)
        return possible

    def _values(self, rule: Rule, pair: _Pair, kinds: _Kinds) -> NDArray[np.bool_]:
        """The pairs of numbers that two terms can have where the body holds, as far as static relations tell."""
        matrix = np.ones((kinds[0].size, kinds[1].size), np.bool_)
        for axis, (term, kind) in enumerate(zip(pair, kinds, strict=True)):
            if is_ground(term):
                chosen = np.zeros(kind.size, np.bool_)
                chosen[kind.number(term)] = True
                matrix &= chosen[:, None] if axis == 0 else chosen[None, :]
        for item in rule.literals:
            rows = self._statics.tuples.get(item.atom.predicate)
            if rows is None or not item.positive:
                continue
            at = [
                next((place for place, term in enumerate(item.atom.arguments) if term == half), None)
                if isinstance(half, Variable)
                else None
                for half in pair
            ]
            allowed = np.zeros_like(matrix)
            allowed[tuple(slice(None) if place is None else rows[:, place] for place in at)] = True
            matrix &= allowed
        return matrix

    def _number(self, kinds: _Kinds, possible: NDArray[np.bool_]) -> None:
        rows = np.argwhere(possible)
        numbers = np.full(possible.shape, -1, np.int64)
        numbers[tuple(rows.T)] = np.arange(len(rows))
        constants = [
            Function(PAIR, tuple(kind.term(int(number)) for kind, number in zip(kinds, row, strict=True)))
            for row in rows
        ]
        self._numbers[kinds] = numbers
        self._whole[kinds] = Type((*constants, _NEVER), {}, len(constants) + 1)

    def _apart_of(self, kinds: _Kinds, *, is_denied: bool) -> Predicate:
        """The relation of pairs and their halves; with `is_denied` also of pairs that never come up."""
        if (kinds, is_denied) not in self._apart:
            numbers, types = self._numbers[kinds], self._opened.types
            pairs = np.argwhere((numbers >= 0) | is_denied)
            numbered = numbers[tuple(pairs.T)] % self._whole[kinds].size
            made = self._apart[kinds, is_denied] = Predicate(self._named("apart", str(len(self._apart))), 3)
            for column, kind in enumerate((self._whole[kinds], *kinds)):
                types.define((made, column), kind)
            self._statics.add(made, np.column_stack([numbered, pairs]).astype(np.int32), self._sizes)
        return self._apart[kinds, is_denied]

    def _named(self, word: str, name: str) -> str:
        named = next(iter(fresh_names(internal_name(word, name), self._used)))
        self._used.add(named)
        return named

    def _made(self, predicate: Predicate, columns: tuple[int, ...]) -> Predicate:
        """The relation with these columns and the ones after them as one."""
        if not columns:
            return predicate
        if (predicate, columns) not in self._fused:
            types, sizes = self._opened.types, self._sizes
            new = Predicate(self._named("paired", predicate.name), predicate.arity - len(columns))
            self._fused[predicate, columns] = new
            kept = [column for column in range(predicate.arity) if column - 1 not in columns]
            for place, column in enumerate(kept):
                if column in columns:
                    kinds = self._kinds(predicate, column)
                    assert kinds is not None
                    types.define((new, place), self._whole[kinds])
                else:
                    types.share(new, {place: (predicate, column)})
            if predicate in self._statics:
                self._statics.add(new, self._fused_rows(predicate, kept, columns), sizes)
            else:
                if predicate in sizes.sizes:
                    sizes.sizes[new] = sizes.sizes[predicate]
                for place, column in enumerate(kept):
                    sizes.columns[new, place] = sizes.column(predicate, column) * (
                        sizes.column(predicate, column + 1) if column in columns else 1
                    )
        return self._fused[predicate, columns]

    def _fused_rows(self, predicate: Predicate, kept: Iterable[int], columns: tuple[int, ...]) -> NDArray[np.int32]:
        rows = self._statics.tuples[predicate]
        values: list[NDArray[Any]] = []
        for column in kept:
            kinds = self._kinds(predicate, column) if column in columns else None
            halves = rows[:, column], rows[:, column + 1 : column + 2].ravel()
            values.append(halves[0] if kinds is None else self._numbers[kinds][halves])
        whole = np.column_stack(values).astype(np.int32)
        return whole[(whole >= 0).all(axis=1)]

    def _rewritten(self, rule: Rule) -> Rule:
        """The rule with pairs as one."""
        every = dict.fromkeys(typed for atom in rule.atoms for _, typed in self._slots_of(atom))
        if not every:
            return rule
        used = rule_variables(rule)
        wholes: dict[_Typed, Term] = {}
        for pair, kinds in every:
            if all(map(is_ground, pair)):
                numbers = tuple(kind.number(half) for kind, half in zip(kinds, pair, strict=True))
                wholes[pair, kinds] = Function(PAIR, pair) if self._numbers[kinds][numbers] >= 0 else _NEVER
            else:
                name = "".join(term.name for term in pair if isinstance(term, Variable))
                wholes[pair, kinds] = next(iter(fresh_variables(name, used)))
                used |= variables(wholes[pair, kinds])
        body: list[BodyLiteral] = [
            Literal(self._atom(item.atom, wholes), item.positive) if isinstance(item, Literal) else item
            for item in rule.body
        ]
        head = self._atom(rule.conclusion, wholes)
        bound = frozenset().union(*(variables(item) for item in body if isinstance(item, Literal) and item.positive))
        halves = Counter(half for pair, _ in wholes for half in {*pair})
        needed = variables(head).union(*map(variables, body), (half for half in halves if halves[half] > 1))
        for (pair, kinds), whole in wholes.items():
            is_needed = whole not in bound or len(variables(Atom("pair", pair))) < 2
            if isinstance(whole, Variable) and (is_needed or not needed.isdisjoint(variables(Atom("pair", pair)))):
                is_denied = whole not in bound and whole not in variables(head)
                relation = self._apart_of(kinds, is_denied=is_denied)
                body.append(Literal(Atom(relation.name, (whole, *pair))))
        return replace(rule, head=head, body=tuple(body))

    def _atom(self, atom: Atom, wholes: Mapping[_Typed, Term]) -> Atom:
        """An atom with its pairs as one."""
        columns = list(self._columns(atom.predicate)) if atom.predicate in self._moving else []
        if atom.predicate in self._statics:
            for column in range(len(atom.arguments) - 1):
                if column - 1 not in columns and self._typed(atom, column) in wholes:
                    columns.append(column)
        terms: list[Term] = []
        for column, term in enumerate(atom.arguments):
            typed = self._typed(atom, column) if column in columns else None
            if column - 1 not in columns:
                terms.append(term if typed is None else wholes[typed])
        return Atom(self._made(atom.predicate, tuple(columns)).name, tuple(terms))
