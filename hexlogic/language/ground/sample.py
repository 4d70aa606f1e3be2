"""Sample instances: random input facts that a program could be given, the same ones for the same seed.

Each input takes a quarter of the tuples over its arguments' values, at most four times as many as there are values;
an input with one argument takes half of them. An argument of fewer than five values, such as the player, gets each of
them equally often. Tuples that an integrity constraint forbids are passed over: for Hex this gives a board half full,
its stones split evenly.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence

from hexlogic.language.constants import compare, valued
from hexlogic.language.ground.domains import Domains, fixed_facts
from hexlogic.language.homomorphism import Binding, match_terms
from hexlogic.language.syntax import Atom, Comparison, Literal, Predicate, Program, Term, Variable
from hexlogic.language.walk import map_body_literal, term_key

_FEW = 5


def sample_facts(program: Program, seed: int = 0, inputs: Sequence[Predicate] | None = None) -> tuple[Atom, ...]:
    """Random facts for the program's inputs (or only for those named), in the order of the inputs.

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
    for predicate in program.inputs if inputs is None else inputs:
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
    comparisons = [item for item in body if isinstance(item, Comparison)]

    def holds(binding: Binding, waiting: Sequence[Atom]) -> bool:
        if not waiting:
            return all(_is_true(comparison, binding) for comparison in comparisons)
        return any(
            (extended := match_terms(waiting[0].arguments, fact.arguments, binding)) is not None
            and holds(extended, waiting[1:])
            for fact in facts.get(waiting[0].predicate, ())
        )

    for position, literal in enumerate(literals):
        if literal.predicate == atom.predicate:
            binding = match_terms(literal.arguments, atom.arguments, {})
            if binding is not None and holds(binding, literals[:position] + literals[position + 1 :]):
                return True
    return False


def _is_true(comparison: Comparison, binding: Binding) -> bool:
    """Whether the comparison of known values holds; arithmetic in it is not computed, and counts as false."""
    known = map_body_literal(comparison, lambda term: binding.get(term, term) if isinstance(term, Variable) else term)
    assert isinstance(known, Comparison)
    try:
        return compare(known.operator, known.left, known.right)
    except ValueError:
        return False
