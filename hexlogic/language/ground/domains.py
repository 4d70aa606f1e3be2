"""Domains of arguments: the constants that can occur in each, shared by arguments that share a variable.

    owns(P,X), first(P,X)        the first argument of owns takes the values that the first argument of first has

The values come from the facts that depend on no input, from constants in the rules, and from what integrity
constraints promise (`:- owns(P,X), not cell(X).`). Sizes guide estimates; nothing that must be exact depends on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.language.analysis.dependence import listable_predicates
from hexlogic.language.constants import valued
from hexlogic.language.ground.least_model import facts_of
from hexlogic.language.syntax import Arithmetic, Atom, Integer, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.walk import is_ground, predicates, subterms, term_key

Slot: TypeAlias = tuple[Predicate, int]
"""An argument place: a predicate and a position from 0."""

ASSUMED = 20
"""Constants to assume where a program says nothing about an argument."""


def fixed_facts(program: Program) -> dict[Predicate, frozenset[Atom]]:
    """The facts of every predicate that depends on no input and has finitely many.

    >>> from hexlogic.language.parser import parse
    >>> facts = fixed_facts(parse("cell(1..2). next(X,Y) :- cell(X), cell(Y), Y = X+1."))
    >>> print(*facts[Predicate("next", 2)])
    next(1,2)
    """
    return {predicate: frozenset(atoms) for predicate, atoms in facts_of(program, listable_predicates(program)).items()}


@dataclass(frozen=True, slots=True)
class Declared:
    """The sorted domain of an argument, and the predicate and position whose facts give it."""

    values: tuple[Term, ...]
    predicate: Predicate
    position: int

    def __str__(self) -> str:
        return str(self.predicate) if self.predicate.arity == 1 else f"argument {self.position + 1} of {self.predicate}"


class Domains:
    """The domain of each argument."""

    def __init__(self, program: Program, facts: Mapping[Predicate, Iterable[Atom]]) -> None:
        self._root: dict[Slot, Slot] = {
            (predicate, position): (predicate, position)
            for predicate in sorted(predicates(program))
            for position in range(predicate.arity)
        }
        constants: dict[Slot, set[Term]] = {}
        program = valued(program)
        for rule in program.rules:
            if rule.body:
                for slot, term in self._join(rule):
                    constants.setdefault(slot, set()).add(term)
        values: dict[Slot, set[Term]] = {}
        for slot, terms in constants.items():
            values.setdefault(self._find(slot), set()).update(terms)
        self._own: dict[Slot, frozenset[Term]] = {}
        for predicate, atoms in facts.items():
            columns: list[set[Term]] = [set() for _ in range(predicate.arity)]
            for atom in atoms:
                for column, term in zip(columns, atom.arguments, strict=True):
                    column.add(term)
            for position, column in enumerate(columns):
                self._own[predicate, position] = frozenset(column)
                values.setdefault(self._find((predicate, position)), set()).update(column)
        self._values = {root: tuple(sorted(terms, key=term_key)) for root, terms in values.items()}
        self._declared = _declared(program, self._own)

    def values(self, slot: Slot) -> tuple[Term, ...]:
        """The values of an argument place, sorted; the integers up to `ASSUMED` where nothing is known."""
        declared = self._declared.get(slot)
        terms = declared.values if declared is not None else self._values.get(self._find(slot), ())
        return terms or tuple(map(Integer, range(1, ASSUMED + 1)))

    def declared(self, slot: Slot) -> Declared | None:
        """What an integrity constraint limits this argument place to; None where none does."""
        return self._declared.get(slot)

    def size(self, slot: Slot) -> int:
        """How many values the argument places joined with this one have together."""
        return len(self._values.get(self._find(slot), ())) or ASSUMED

    def _find(self, slot: Slot) -> Slot:
        while self._root[slot] != slot:
            self._root[slot] = self._root[self._root[slot]]
            slot = self._root[slot]
        return slot

    def _join(self, rule: Rule) -> list[tuple[Slot, Term]]:
        """Join the places of each variable; the constants that stand in places are returned."""
        atoms = [literal.atom for literal in rule.literals] + ([rule.head] if rule.head is not None else [])
        first: dict[Variable, Slot] = {}
        constants: list[tuple[Slot, Term]] = []
        for atom in atoms:
            for position, term in enumerate(atom.arguments):
                slot = (atom.predicate, position)
                if isinstance(term, Variable):
                    self._root[self._find(slot)] = self._find(first.setdefault(term, slot))
                elif is_ground(term) and not any(isinstance(part, Arithmetic) for part in subterms(term)):
                    constants.append((slot, term))
        return constants


def _declared(program: Program, columns: Mapping[Slot, frozenset[Term]]) -> dict[Slot, Declared]:
    """What constraints such as `:- owns(P,X), not cell(X).` say of every fact of one predicate.

    Every fact: the arguments of `owns` are variables, each another one. `:- owns(red,X), not cell(X).` says nothing of
    the other players, `:- joined(X,X), not cell(X).` nothing of other pairs. Of several the one with the fewest values
    counts.
    """
    declared: dict[Slot, Declared] = {}
    for rule in program.rules:
        match rule.is_constraint, rule.body:
            case True, (Literal(given, True), Literal(wanted, False)) | (Literal(wanted, False), Literal(given, True)):
                if not all(isinstance(term, Variable) for term in given.arguments):
                    continue
                if len(set(given.arguments)) < len(given.arguments):
                    continue
                for position, term in enumerate(wanted.arguments):
                    if (wanted.predicate, position) in columns and term in given.arguments:
                        slot = given.predicate, given.arguments.index(term)
                        values = tuple(sorted(columns[wanted.predicate, position], key=term_key))
                        if slot not in declared or len(values) < len(declared[slot].values):
                            declared[slot] = Declared(values, wanted.predicate, position)
            case _:
                pass
    return declared
