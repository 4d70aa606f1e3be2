"""Different instances of a program: sets of input facts, none twice, that its integrity constraints admit.

Where the input facts over the arguments' values are few, these are all subsets of them. Otherwise they are random
samples (`hexlogic.language.ground.sample`) and random sets of other sizes in turn: a sample alone always has the same
share of
the facts, so it always holds an input that has a single fact.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hexlogic.language.ground.domains import Domains, Slot, fixed_facts
from hexlogic.language.ground.sample import sample_facts
from hexlogic.language.ground.solving import has_stable_model
from hexlogic.language.syntax import Atom, Integer, Predicate, Program, Term
from hexlogic.proofs.miter import some_instance

_TRIES = 10
"""Candidates that are looked at for each instance wanted."""
_OTHERS = 4
"""Integers from 1 that an argument may also have where its values are not declared."""
_LARGEST = 400
"""Facts that a random set of one input has at most."""


@dataclass(frozen=True)
class Instances:
    """Different sets of input facts that the constraints admit, and whether these are all over the values that were
    tried, which are all the values there are only where constraints declare them."""

    found: tuple[tuple[Atom, ...], ...]
    complete: bool


def instances(program: Program, most: int, seed: int = 0) -> Instances:
    """At most so many instances, the same ones for the same seed; all that there are where these are not more.

    Raises EngineError when clingo refuses the program.

    >>> from hexlogic.language.parser import parse
    >>> small = instances(parse("#defined on/1. lamp(1..2). :- on(X), not lamp(X). :- not on(1), on(2)."), 20)
    >>> small.complete, [" ".join(map(str, facts)) for facts in small.found]
    (True, ['', 'on(1)', 'on(1) on(2)'])
    """
    columns = _columns(program)
    count = sum(math.prod(map(len, column)) for column in columns.values())
    if 2 ** min(count, 64) <= most * _TRIES:
        every = [Atom(one.name, terms) for one, own in columns.items() for terms in itertools.product(*own)]
        subsets = (facts for size in range(len(every) + 1) for facts in itertools.combinations(every, size))
        admitted = [facts for facts in subsets if admits(program, facts)]
        if len(admitted) <= most:
            return Instances(tuple(admitted), True)
        return Instances(tuple(random.Random(seed).sample(admitted, most)), False)
    found: dict[frozenset[Atom], tuple[Atom, ...]] = {}
    tried: set[frozenset[Atom]] = set()
    for facts in itertools.islice(_candidates(program, columns, seed), most * _TRIES):
        key = frozenset(facts)
        if key not in tried:
            tried.add(key)
            if admits(program, facts):
                found[key] = facts
        if len(found) == most:
            break
    return Instances(tuple(found.values()), False)


def admits(program: Program, facts: Sequence[Atom]) -> bool:
    """Whether no integrity constraint of a stratified program forbids these input facts. Raises EngineError."""
    if not program.constraints:
        return True
    return bool(has_stable_model(some_instance(program, facts, chosen=False)))


def _columns(program: Program) -> dict[Predicate, list[Sequence[Term]]]:
    """The values of each argument of each input."""
    domains = Domains(program, fixed_facts(program))
    return {
        predicate: [_values(domains, (predicate, position)) for position in range(predicate.arity)]
        for predicate in program.inputs
    }


def _values(domains: Domains, slot: Slot) -> Sequence[Term]:
    """What is declared; else the values that occur, with a few integers that need not: nothing says these are all."""
    declared = domains.declared(slot)
    if declared is not None:
        return declared.values
    return tuple(dict.fromkeys((*domains.values(slot), *map(Integer, range(1, _OTHERS + 1)))))


def _candidates(
    program: Program, columns: dict[Predicate, list[Sequence[Term]]], seed: int
) -> Iterator[tuple[Atom, ...]]:
    """Samples and random sets of facts in turn, without end."""
    for number in itertools.count():
        yield sample_facts(program, seed + number)
        draw = random.Random(f"{seed} {number}")
        facts: dict[Atom, None] = {}
        for predicate, own in columns.items():
            size = math.prod(map(len, own))
            wanted = draw.choice((0, 1, 2, size // 8, size // 2, size))
            for _ in range(min(wanted, size, _LARGEST)):
                facts[Atom(predicate.name, tuple(map(draw.choice, own)))] = None
        yield tuple(facts)
