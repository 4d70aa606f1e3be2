"""Whether two programs have the same answers: by a miter where the inputs are finite, else on sample instances.

Integrity constraints that limit every argument of every input to a finite domain make the inputs finite: then the miter
(`hexlogic.proofs.joint`) covers all sets of input facts, and clingo decides it. Otherwise, and where clingo does not
end in time, the least models on different instances are compared.
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count, islice, product

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Integer, Predicate, Program, Term
from hexlogic.language.constants import valued
from hexlogic.language.ground.domains import Domains, Slot, fixed_facts, sample_facts
from hexlogic.language.ground.solving import cannot_ground, has_stable_model, least_model, solve_isolated
from hexlogic.proofs.joint import miter, needed, some_instance
from hexlogic.proofs.question import InputSpace

_TUPLES = 5_000
"""Input facts over the declared domains that a miter is built for, at most."""
_INSTANCES = 20
_SHOWN = 12
"""Facts of an instance that are listed in words."""
_TRIES = 10
"""Candidates that are looked at for each instance wanted."""
_OTHERS = 4
"""Integers from 1 that an argument may also have where its values are not declared."""
_LARGEST = 400
"""Facts that a random set of one input has at most."""


@dataclass(frozen=True, slots=True)
class ProgramEquality:
    """Whether two programs have the same answers, how that was found out, and an instance on which they do not.

    `proved` says that every instance over a declared domain was decided; `instances` are the different ones that were
    compared where it is not.
    """

    equal: bool
    proved: bool
    how: str
    difference: tuple[Atom, ...] = ()
    instances: int | None = None


@dataclass(frozen=True, slots=True)
class Instances(InputSpace[Program, Program, ProgramEquality]):
    """The sets of input facts that the integrity constraints of the left program admit."""

    limit_s: float
    """Wall seconds of each question to clingo."""

    def compare(self, left: Program, right: Program) -> ProgramEquality:
        """Whether the queries have the same answers on every instance that the constraints of `left` admit. Both are
        checked programs. Raises EngineError for programs that clingo cannot take."""
        inputs = tuple(dict.fromkeys((*left.inputs, *right.inputs)))
        queries = tuple(dict.fromkeys((*left.queries, *right.queries)))
        left, right = (needed(replace(program, inputs=inputs, queries=queries), queries) for program in (left, right))
        for program in (left, right):
            if reason := cannot_ground(valued(replace(program, equivalences=()))):
                raise EngineError(reason)
        domain = _Domain.of(left)
        if isinstance(domain, Predicate):
            why = f"no constraint limits every argument of {domain} to a finite domain"
        elif len(domain.facts) > _TUPLES:
            why = "too many input facts for a proof"
        else:
            decided = _proved(left, right, domain, self.limit_s)
            if decided is not None:
                return decided
            why = f"no proof within {self.limit_s:g} s"
        drawn, complete = instances(left, _INSTANCES)
        for number, facts in enumerate(drawn, 1):
            before, after = (least_model(program, facts, only=queries) for program in (left, right))
            if before != after or not admits(right, facts):
                where = f"; instance {number} of {len(drawn)}"
                more = where if before != after else ", which only the new program forbids"
                return ProgramEquality(False, False, f"given {_listed(facts)}{more}", facts)
        if complete and drawn and isinstance(domain, _Domain):
            return ProgramEquality(True, True, domain.described(bool(left.constraints)), instances=len(drawn))
        which = "different instances" if complete else "different random instances"
        return ProgramEquality(True, False, f"on {len(drawn)} {which}; {why}", instances=len(drawn))


def _proved(left: Program, right: Program, domain: "_Domain", limit_s: float) -> ProgramEquality | None:
    """The comparison on all sets of facts over the domain; None when clingo does not end within the limit."""
    described = domain.described(bool(left.constraints))
    outcome = solve_isolated(miter(left, right, domain.facts), limit_s)
    if outcome is None:
        return None
    if outcome.satisfiable:
        shown = set(outcome.shown)
        facts = tuple(fact for fact in domain.facts if str(fact) in shown)
        return ProgramEquality(False, True, f"given {_listed(facts)}; looked for {described}", facts)
    some = solve_isolated(some_instance(left, domain.facts), limit_s)
    if some is None:
        return None
    if not some.satisfiable:
        return ProgramEquality(True, False, "on 0 instances: the integrity constraints forbid every set of input facts")
    return ProgramEquality(True, True, described)


@dataclass(frozen=True, slots=True)
class _Domain:
    """All facts that the inputs can hold, a few too many where they are many, and where constraints say so."""

    facts: tuple[Atom, ...]
    inputs: tuple[str, ...]

    @classmethod
    def of(cls, program: Program) -> "_Domain | Predicate":
        """The domain that integrity constraints declare for every argument of every input; an input without one."""
        domains = Domains(program, fixed_facts(program))
        facts: list[Atom] = []
        words: list[str] = []
        for predicate in program.inputs:
            columns = (domains.declared((predicate, position)) for position in range(predicate.arity))
            known = [column for column in columns if column is not None]
            if len(known) < predicate.arity:
                return predicate
            tuples = product(*(column.values for column in known))
            facts += [Atom(predicate.name, terms) for terms in islice(tuples, _TUPLES + 1)]
            words.append(f"{predicate} over {' x '.join(map(str, known))}" if known else str(predicate))
        return cls(tuple(facts), tuple(words))

    def described(self, is_constrained: bool) -> str:
        """Which instances these are, in words."""
        if not self.inputs:
            return "on the only instance, as the program has no inputs"
        size = len(self.facts)
        if not size:
            return f"on the empty set of input facts, as the declared domains have no facts: {', '.join(self.inputs)}"
        number = f"2^{size}" if size > 12 else str(2**size)
        admitted = " that the constraints admit" if is_constrained else ""
        return f"on all {number} sets of input facts over the declared domains{admitted}: {', '.join(self.inputs)}"


def _listed(facts: Sequence[Atom]) -> str:
    """The facts of an instance in words, at most a dozen of them."""
    if not facts:
        return "no input facts"
    shown = " ".join(map(str, facts[:_SHOWN]))
    return shown + (f" and {len(facts) - _SHOWN} more" if len(facts) > _SHOWN else "")


def instances(program: Program, most: int, seed: int = 0) -> tuple[list[tuple[Atom, ...]], bool]:
    """Different sets of input facts that the constraints admit, at most so many, and whether these are all of them.

    Where the sets over the arguments' values are few they are all subsets, else random samples and random sets of
    other sizes in turn: a sample always has the same share of the facts. The same seed gives the same instances. All
    over the values are all that there can be only where constraints declare the values. Raises EngineError when clingo
    refuses the program.

    >>> from hexlogic.language.parser import parse
    >>> small = parse("#defined on/1. lamp(1..2). :- on(X), not lamp(X). :- not on(1), on(2).")
    >>> [" ".join(map(str, facts)) for facts in instances(small, 20)[0]]
    ['', 'on(1)', 'on(1) on(2)']
    """
    domains = Domains(program, fixed_facts(program))
    columns = {
        predicate: [_values(domains, (predicate, place)) for place in range(predicate.arity)]
        for predicate in program.inputs
    }
    size = sum(math.prod(map(len, column)) for column in columns.values())
    if 2 ** min(size, 64) <= most * _TRIES:
        every = [Atom(input_.name, terms) for input_, values in columns.items() for terms in product(*values)]
        subsets = (facts for number in range(len(every) + 1) for facts in combinations(every, number))
        admitted = [facts for facts in subsets if admits(program, facts)]
        if len(admitted) <= most:
            return admitted, True
        return random.Random(seed).sample(admitted, most), False
    drawn: list[tuple[Atom, ...]] = []
    tried: set[frozenset[Atom]] = set()
    for facts in islice(_candidates(program, columns, seed), most * _TRIES):
        if frozenset(facts) not in tried and admits(program, facts):
            drawn.append(facts)
        tried.add(frozenset(facts))
        if len(drawn) == most:
            break
    return drawn, False


def admits(program: Program, facts: Sequence[Atom]) -> bool:
    """Whether no integrity constraint of a stratified program forbids these input facts. Raises EngineError."""
    if not program.constraints:
        return True
    return bool(has_stable_model(some_instance(program, facts, chosen=False)))


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
    for number in count():
        yield sample_facts(program, seed + number)
        draw = random.Random(f"{seed} {number}")
        facts: dict[Atom, None] = {}
        for predicate, values in columns.items():
            size = math.prod(map(len, values))
            wanted = draw.choice((0, 1, 2, size // 8, size // 2, size))
            for _ in range(min(wanted, size, _LARGEST)):
                facts[Atom(predicate.name, tuple(map(draw.choice, values)))] = None
        yield tuple(facts)
