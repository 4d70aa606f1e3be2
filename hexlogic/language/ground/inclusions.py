"""Inclusion dependencies that a program guarantees: `owns(P,X)` implies `cell(X)`.

Declared ones are integrity constraints with positive atoms and one negation: `:- owns(P,X), not cell(X).`
Derived ones hold in the least model because every rule (and fact) for a predicate implies them; recursion is dealt
with by induction on the derivation.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from hexlogic.language.analysis.dependence import listable_predicates
from hexlogic.language.analysis.functional import declared_inclusions
from hexlogic.language.ground.solving import facts_of
from hexlogic.language.homomorphism import find_homomorphism, match_terms
from hexlogic.language.names import internal_name
from hexlogic.language.syntax import Atom, Comparison, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.walk import bind_parameters, general_atom, is_ground, rule_variables, substitute

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
