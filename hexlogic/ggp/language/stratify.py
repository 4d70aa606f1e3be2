"""Sheets that are stratified by ground atom although a relation depends on its own negation.

    (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))

No `goal` of 100 depends on one of 0. So the atoms with a constant that such bodies ask for get a relation of their own:

    goal(R,100) :- won(R).                               goal_100(R) :- won(R).
    goal(R,0) :- role(R), not goal(R,100).    becomes    goal(R,0) :- role(R), not goal_100(R).
                                                         goal(R,100) :- goal_100(R).

A rule whose head has a variable there stays, and is given to the new relation as well, with the constant for the
variable. Where no argument of a relation tells the atoms apart, or not all bodies have a constant there, the program is
left as it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from hexlogic.errors import StratificationError
from hexlogic.language.analysis.dependence import dependency_graph, sccs, strata
from hexlogic.language.names import fresh_predicate
from hexlogic.language.syntax import Atom, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.walk import is_ground, map_atoms, substitute

_ROUNDS = 8
"""Relations that are split, one after the other."""


def stratified(program: Program) -> Program:
    """The same program where it is stratified; else one with the same answers that is, or the same one where that
    fails.

    >>> from hexlogic.language.parser import parse
    >>> print(stratified(parse("g(X,0) :- r(X), not g(X,1). g(X,1) :- w(X).")), end="")
    g(X,0) :- r(X), not g_1(X).
    g_1(X) :- w(X).
    g(X1,1) :- g_1(X1).
    """
    changed = program
    for _ in range(_ROUNDS):
        if _is_stratified(changed):
            return changed
        better = next(filter(None, (_split(changed, *place) for place in _places(changed))), None)
        if better is None:
            break
        changed = better
    return changed if _is_stratified(changed) else program


def _is_stratified(program: Program) -> bool:
    try:
        strata(program)
    except StratificationError:
        return False
    return True


def _places(program: Program) -> Iterator[tuple[frozenset[Predicate], Predicate, int]]:
    """Components with a negation inside, and the argument places of the relations that are negated there."""
    graph = dependency_graph(program)
    for component in sccs(program):
        negated = {
            p for head in component for p, negative in graph.successors(head).items() if negative and p in component
        }
        for predicate in sorted(negated):
            yield from ((component, predicate, place) for place in reversed(range(predicate.arity)))


def _split(program: Program, component: frozenset[Predicate], predicate: Predicate, place: int) -> Program | None:
    """The program with relations of their own for the atoms that bodies of the component ask for; None where a body
    has no constant at that place."""
    asked = [
        literal.atom.arguments[place]
        for rule in program.rules
        if rule.head is not None and rule.head.predicate in component
        for literal in rule.literals
        if literal.atom.predicate == predicate
    ]
    if not all(map(is_ground, asked)):
        return None
    relations: dict[Term, Predicate] = {}
    for constant in dict.fromkeys(asked):
        word = "".join(letter if letter.isalnum() else "_" for letter in str(constant))
        base = f"{predicate.name}_{word}"
        taken = replace(program, inputs=(*program.inputs, *relations.values()))
        relations[constant] = fresh_predicate(taken, base, predicate.arity - 1)

    def apart(atom: Atom) -> Atom:
        if atom.predicate != predicate or atom.arguments[place] not in relations:
            return atom
        rest = atom.arguments[:place] + atom.arguments[place + 1 :]
        return Atom(relations[atom.arguments[place]].name, rest)

    rules = []
    for rule in program.rules:
        if rule.head is None or rule.head.predicate not in component:
            rules.append(rule)
            continue
        if rule.head.predicate == predicate and isinstance(variable := rule.head.arguments[place], Variable):
            rules += (map_atoms(substitute(rule, {variable: constant}), apart) for constant in relations)
        rules.append(map_atoms(rule, apart))
    names = tuple(Variable(f"X{number}") for number in range(1, predicate.arity))
    for constant, new in relations.items():
        whole = tuple(itertools.chain(names[:place], (constant,), names[place:]))
        rules.append(Rule(Atom(predicate.name, whole), (Literal(Atom(new.name, names)),), None))
    return program.with_rules(tuple(rules))
