"""Invariants of a game: what holds in every state and of every legal move, as constraints that `prune` may use.

    :- true_cell(X,Y,S), not at(X,Y).            every fact is about a cell of the board
    :- does_mark(R,X,Y), not true_control(R).    what is done is legal, and the only rule for that needs control

The first kind is read off all facts and moves that can come up, the second off the rules for `legal`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from hexlogic.ggp.language.flattening import Flattening
from hexlogic.language import Atom, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.dependence import listable_predicates
from hexlogic.language.ground.least_model import facts_of
from hexlogic.language.walk import variables

_WIDEST = 3
"""Arguments up to which a relation is compared with what can come up."""


def invariants(flat: Flattening, possible: Sequence[Atom] | None) -> tuple[Rule, ...]:
    """The constraints of a laid open sheet; the second kind only, where not all that can come up is known."""
    program = flat.program
    opened = [] if possible is None else [flat.atom(atom) for atom in possible]
    return tuple(dict.fromkeys((*_within(program, opened), *_legal(flat))))


def _within(program: Program, possible: Iterable[Atom]) -> Iterator[Rule]:
    """Arguments whose values are all in a relation that no state changes."""
    listable = listable_predicates(program)
    known = facts_of(program, sorted(predicate for predicate in listable if 0 < predicate.arity <= _WIDEST))
    values = {target: {atom.arguments for atom in found} for target, found in known.items()}
    arguments: dict[Predicate, set[tuple[Term, ...]]] = {}
    for atom in possible:
        if atom.predicate in program.inputs:
            arguments.setdefault(atom.predicate, set()).add(atom.arguments)
    for predicate, found in sorted(arguments.items()):
        names = tuple(Variable(f"X{number}") for number in range(predicate.arity))
        for target, allowed in values.items():
            for chosen in itertools.permutations(range(predicate.arity), target.arity):
                if all(tuple(terms[position] for position in chosen) in allowed for terms in found):
                    wanted = Atom(target.name, tuple(names[position] for position in chosen))
                    yield _constraint(Atom(predicate.name, names), wanted)


def _legal(flat: Flattening) -> Iterator[Rule]:
    """What the only rule for a legal move needs of the state."""
    for (word, shape), move in flat.names.items():
        if word == "does":
            rules = flat.program.defining(flat.names["legal", shape])
            head = rules[0].head if len(rules) == 1 else None
            if head is not None:
                for literal in rules[0].literals:
                    if literal.positive and variables(literal.atom) <= variables(head):
                        yield _constraint(Atom(move.name, head.arguments), literal.atom)


def _constraint(given: Atom, wanted: Atom) -> Rule:
    return Rule(None, (Literal(given), Literal(wanted, False)))
