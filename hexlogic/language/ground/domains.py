"""Domains of arguments: the constants that can occur in each, shared by arguments that share a variable; and the
inclusion dependencies that a program guarantees.

    owns(P,X), first(P,X)        the first argument of owns takes the values that the first argument of first has
    owns(P,X) implies cell(X)    declared by an integrity constraint, or derived

The values come from the facts that depend on no input, from constants in the rules, and from what integrity
constraints promise (`:- owns(P,X), not cell(X).`). Sizes guide estimates; nothing that must be exact depends on them.

From the domains come sample instances: random input facts, the same ones for the same seed. Each input takes a quarter
of the tuples over its arguments' domains, at most four times as many as there are values; an input with one argument
takes half of them. An argument of fewer than five values, such as the player, gets each of them equally often. Tuples
that an integrity constraint forbids are passed over: for Hex this gives a board half full, its stones split evenly.

Declared inclusions are integrity constraints with positive atoms and one negation. Derived ones hold in the least model
because every rule (and fact) for a predicate implies them; recursion is dealt with by induction on the derivation.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.language.analysis.dependence import listable_predicates
from hexlogic.language.analysis.functional import declared_inclusions
from hexlogic.language.analysis.graph import UnionFind
from hexlogic.language.constants import compare, valued
from hexlogic.language.ground.solving import facts_of
from hexlogic.language.homomorphism import Binding, find_homomorphism, match_terms
from hexlogic.language.names import internal_name
from hexlogic.language.syntax import Atom, Comparison, Integer, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.walk import (
    bind_parameters,
    computes,
    general_atom,
    has_distinct_variables,
    is_ground,
    rule_variables,
    substitute,
    term_key,
)

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

    def __init__(self, program: Program, facts: Mapping[Predicate, Collection[Atom]]) -> None:
        self._sets = UnionFind[Slot]()
        constants: dict[Slot, set[Term]] = {}
        program = valued(program)
        for rule in program.rules:
            if rule.body:
                for slot, term in self._join(rule):
                    constants.setdefault(slot, set()).add(term)
        columns = {
            (predicate, position): frozenset(atom.arguments[position] for atom in atoms)
            for predicate, atoms in facts.items()
            for position in range(predicate.arity)
        }
        values: dict[Slot, set[Term]] = {}
        for slot, terms in (*constants.items(), *columns.items()):
            values.setdefault(self._sets.find(slot), set()).update(terms)
        self._values = {root: tuple(sorted(terms, key=term_key)) for root, terms in values.items()}
        self._declared = _declared(program, columns)

    def values(self, slot: Slot) -> tuple[Term, ...]:
        """The values of an argument place, sorted; the integers up to `ASSUMED` where nothing is known."""
        declared = self._declared.get(slot)
        terms = declared.values if declared is not None else self._values.get(self._sets.find(slot), ())
        return terms or tuple(map(Integer, range(1, ASSUMED + 1)))

    def declared(self, slot: Slot) -> Declared | None:
        """What an integrity constraint limits this argument place to; None where none does."""
        return self._declared.get(slot)

    def size(self, slot: Slot) -> int:
        """How many values the argument places joined with this one have together."""
        return len(self._values.get(self._sets.find(slot), ())) or ASSUMED

    def _join(self, rule: Rule) -> list[tuple[Slot, Term]]:
        """Join the places of each variable; the constants that stand in places are returned."""
        atoms = (*(literal.atom for literal in rule.literals), *([] if rule.head is None else [rule.head]))
        first: dict[Variable, Slot] = {}
        slots = [((atom.predicate, n), term) for atom in atoms for n, term in enumerate(atom.arguments)]
        for slot, term in slots:
            if isinstance(term, Variable):
                self._sets.join(first.setdefault(term, slot), slot)
        return [(slot, term) for slot, term in slots if is_ground(term) and not computes(term)]


def _declared(program: Program, columns: Mapping[Slot, frozenset[Term]]) -> dict[Slot, Declared]:
    """What constraints such as `:- owns(P,X), not cell(X).` say of every fact of one predicate.

    Every fact: the arguments of `owns` are variables, each another one. `:- owns(red,X), not cell(X).` says nothing of
    the other players, `:- joined(X,X), not cell(X).` nothing of other pairs. Of several the one with the fewest values
    counts.
    """
    declared: dict[Slot, Declared] = {}
    for premises, implied in declared_inclusions(program.rules):
        given = premises[0]
        if len(premises) > 1 or not has_distinct_variables(given):
            continue
        for position, term in enumerate(implied.arguments):
            if (implied.predicate, position) in columns and term in given.arguments:
                slot = given.predicate, given.arguments.index(term)
                values = tuple(sorted(columns[implied.predicate, position], key=term_key))
                if slot not in declared or len(values) < len(declared[slot].values):
                    declared[slot] = Declared(values, implied.predicate, position)
    return declared


_FEW = 5


def sample_facts(program: Program, seed: int = 0) -> tuple[Atom, ...]:
    """Random facts for the program's inputs, in the order of the inputs.

    >>> from hexlogic.language.parser import parse
    >>> program = parse("#defined on/2. lamp(1..4). state(red). state(blue). :- on(X,S), not lamp(X)."
    ...                 "lit(X) :- on(X,S), state(S). :- on(X,red), on(X,blue).")
    >>> print(*sample_facts(program))
    on(1,red) on(2,blue)
    """
    program = valued(program)
    domains = Domains(program, fixed_facts(program))
    denials = [
        rule.body
        for rule in program.rules
        if rule.is_constraint
        and all(literal.positive and literal.atom.predicate in program.inputs for literal in rule.literals)
    ]
    chosen: dict[Predicate, list[Atom]] = {predicate: [] for predicate in program.inputs}
    for predicate in program.inputs:
        generator = random.Random(f"{seed} {predicate}")
        columns = [domains.values((predicate, position)) for position in range(predicate.arity)]
        tuples = math.prod(map(len, columns))
        wanted = (
            -(-tuples // 2) if predicate.arity == 1 else min(-(-tuples // 4), 4 * max(map(len, columns), default=1))
        )
        numbers = generator.sample(range(tuples), min(tuples, 20 * wanted))
        for terms in _balanced([_tuple(columns, number) for number in numbers], columns):
            if len(chosen[predicate]) == wanted:
                break
            atom = Atom(predicate.name, terms)
            chosen[predicate].append(atom)
            if any(_forbids(body, atom, chosen) for body in denials):
                chosen[predicate].pop()
        chosen[predicate].sort(key=lambda atom: tuple(map(term_key, atom.arguments)))
    return tuple(atom for atoms in chosen.values() for atom in atoms)


def _balanced(tuples: Sequence[tuple[Term, ...]], columns: Sequence[Sequence[Term]]) -> list[tuple[Term, ...]]:
    """The tuples, those with each value of the smallest column in turn when that column is small."""
    if not columns or min(map(len, columns)) >= _FEW:
        return list(tuples)
    smallest = min(range(len(columns)), key=lambda position: len(columns[position]))
    groups = [[terms for terms in tuples if terms[smallest] == value] for value in columns[smallest]]
    return [terms for row in itertools.zip_longest(*groups) for terms in row if terms is not None]


def _tuple(columns: Sequence[Sequence[Term]], number: int) -> tuple[Term, ...]:
    terms = []
    for column in columns:
        number, index = divmod(number, len(column))
        terms.append(column[index])
    return tuple(terms)


def _forbids(body: Sequence[Literal | Comparison], atom: Atom, facts: Mapping[Predicate, Sequence[Atom]]) -> bool:
    """Whether the constraint's body holds in the facts, the new atom, which is among them, taking part."""
    literals = [item.atom for item in body if isinstance(item, Literal)]

    def holds(binding: Binding, waiting: Sequence[Atom]) -> bool:
        if not waiting:
            return all(_is_true(item, binding) for item in body if isinstance(item, Comparison))
        return any(
            (extended := match_terms(waiting[0].arguments, fact.arguments, binding)) is not None
            and holds(extended, waiting[1:])
            for fact in facts.get(waiting[0].predicate, ())
        )

    return any(
        literal.predicate == atom.predicate
        and (binding := match_terms(literal.arguments, atom.arguments, {})) is not None
        and holds(binding, literals[:position] + literals[position + 1 :])
        for position, literal in enumerate(literals)
    )


def _is_true(comparison: Comparison, binding: Binding) -> bool:
    """Whether the comparison of known values holds; arithmetic in it is not computed, and counts as false."""
    left, right = substitute(Rule(Atom("sides", (comparison.left, comparison.right))), binding).conclusion.arguments
    try:
        return compare(comparison.operator, left, right)
    except ValueError:
        return False


_Inclusion: TypeAlias = tuple[Predicate, Atom]
"""A predicate and what each fact of it implies, an atom over the variables of `general_atom` and constants."""


class Guarantees:
    """What the atoms of a body imply in every least model of a program."""

    def __init__(self, program: Program, listed: Mapping[Predicate, frozenset[Atom]] | None = None) -> None:
        """`listed` are facts that hold whatever else does; without it those of the program's least model are taken."""
        self._program = program
        self._declared = [_apart(*inclusion) for inclusion in declared_inclusions(program.rules)]
        self._known: dict[_Inclusion, bool] = {}
        self._facts: dict[Predicate, frozenset[Atom]] = {} if listed is None else dict(listed)
        if listed is not None:
            self._listable = frozenset(listed)

    def implies(self, body: Sequence[Literal | Comparison], wanted: Atom) -> bool:
        """Whether `wanted` holds whenever the positive literals of `body` do.

        >>> from hexlogic.language.parser import parse, parse_rule
        >>> guarantees = Guarantees(parse("#defined owns/2. cell(1..9). :- owns(P,X), not cell(X)."))
        >>> rule = parse_rule("p(X) :- owns(P,X), cell(X).")
        >>> guarantees.implies(rule.body[:1], rule.body[1].atom)
        True
        """
        atoms = [item.atom for item in body if isinstance(item, Literal) and item.positive]
        if wanted in atoms:
            return True
        if is_ground(wanted) and wanted.predicate in self._listable:
            return wanted in self._facts_of(wanted.predicate)
        return self._declares(atoms, wanted) or any(
            (inclusion := _inclusion(atom, wanted)) is not None and self._holds(inclusion)
            for atom in atoms
            if atom.predicate not in self._program.inputs
        )

    def _declares(self, atoms: Sequence[Atom], wanted: Atom) -> bool:
        given = list(map(Literal, atoms))
        return any(
            rule.conclusion.predicate == wanted.predicate
            and (binding := match_terms(rule.conclusion.arguments, wanted.arguments, {})) is not None
            and find_homomorphism(rule.body, given, binding)
            for rule in self._declared
        )

    def _holds(self, inclusion: _Inclusion) -> bool:
        if inclusion not in self._known:
            # Assumed while it is being proved: that is the induction hypothesis for recursive rules.
            self._known[inclusion] = True
            if not self._prove(inclusion):
                # What was found since then may rest on the hypothesis; the order of the entries is that of the search.
                order = list(self._known)
                for later in order[order.index(inclusion) + 1 :]:
                    if self._known[later]:
                        del self._known[later]
                self._known[inclusion] = False
        return self._known[inclusion]

    def _prove(self, inclusion: _Inclusion) -> bool:
        source, implied = inclusion
        rules = self._program.defining(source)
        for rule in rules:
            given = bind_parameters(general_atom(source).arguments, rule.conclusion.arguments)
            wanted = substitute(Rule(implied), given).conclusion
            if rule.is_fact:
                if wanted.predicate not in self._listable or wanted not in self._facts_of(wanted.predicate):
                    return False
            elif not self.implies(rule.body, wanted):
                return False
        return bool(rules)

    @functools.cached_property
    def _listable(self) -> frozenset[Predicate]:
        return listable_predicates(self._program)

    def _facts_of(self, predicate: Predicate) -> frozenset[Atom]:
        if predicate not in self._facts:
            self._facts[predicate] = frozenset(facts_of(self._program, [predicate])[predicate])
        return self._facts[predicate]


def _apart(premises: Sequence[Atom], implied: Atom) -> Rule:
    """The inclusion as a rule whose variables cannot be mistaken for those of the rule that is being looked at."""
    rule = Rule(implied, tuple(map(Literal, premises)))
    return substitute(rule, {name: Variable(internal_name("declared", name.name)) for name in rule_variables(rule)})


def _inclusion(atom: Atom, wanted: Atom) -> _Inclusion | None:
    """The inclusion that would take `atom` to `wanted`, if it holds (the first position wins where several fit)."""
    names = dict(reversed(list(zip(atom.arguments, general_atom(atom.predicate).arguments, strict=True))))
    if not all(term in names or is_ground(term) for term in wanted.arguments):
        return None
    return atom.predicate, Atom(wanted.name, tuple(names.get(term, term) for term in wanted.arguments))
