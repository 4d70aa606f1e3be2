"""Whether two programs have the same answers: by a miter where the inputs are finite, else on sample instances.

Integrity constraints that limit every argument of every input to a finite domain make the inputs finite: then the miter
(`hexlogic.proofs.miter`) covers all sets of input facts, and clingo decides it. Otherwise, and where clingo does not
end in time, the least models on different instances are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.constants import valued
from hexlogic.language.ground.domains import Domains, fixed_facts
from hexlogic.language.ground.least_model import least_model
from hexlogic.language.ground.solving import cannot_ground, solve_isolated
from hexlogic.proofs.equality import InputSpace
from hexlogic.proofs.instances import admits, instances
from hexlogic.proofs.miter import miter, needed, some_instance

_TUPLES = 5_000
"""Input facts over the declared domains that a miter is built for, at most."""
_INSTANCES = 20
_SHOWN = 12
"""Facts of an instance that are listed in words."""


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
        """Whether the queries have the same answers on every instance that the constraints of `left` admit.

        Both are checked programs. Raises EngineError for
        programs that clingo cannot take.
        """
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
            found = _proved(left, right, domain, self.limit_s)
            if found is not None:
                return found
            why = f"no proof within {self.limit_s:g} s"
        drawn = instances(left, _INSTANCES)
        for number, facts in enumerate(drawn.found):
            answers = [least_model(program, facts, only=queries) for program in (left, right)]
            if answers[0] != answers[1]:
                return ProgramEquality(
                    False, False, f"given {_listed(facts)}; instance {number + 1} of {len(drawn.found)}", facts
                )
            if not admits(right, facts):
                return ProgramEquality(
                    False, False, f"given {_listed(facts)}, which only the new program forbids", facts
                )
        if drawn.complete and drawn.found and isinstance(domain, _Domain):
            return ProgramEquality(True, True, domain.told(bool(left.constraints)), instances=len(drawn.found))
        which = "different instances" if drawn.complete else "different random instances"
        return ProgramEquality(True, False, f"on {len(drawn.found)} {which}; {why}", instances=len(drawn.found))


def _proved(left: Program, right: Program, domain: _Domain, limit_s: float) -> ProgramEquality | None:
    """The comparison on all sets of facts over the domain; None when clingo does not end within the limit."""
    told = domain.told(bool(left.constraints))
    outcome = solve_isolated(miter(left, right, domain.facts), limit_s)
    if outcome is None:
        return None
    if outcome.satisfiable:
        shown = set(outcome.shown)
        facts = tuple(fact for fact in domain.facts if str(fact) in shown)
        return ProgramEquality(False, True, f"given {_listed(facts)}; looked for {told}", facts)
    some = solve_isolated(some_instance(left, domain.facts), limit_s)
    if some is None:
        return None
    if not some.satisfiable:
        return ProgramEquality(True, False, "on 0 instances: the integrity constraints forbid every set of input facts")
    return ProgramEquality(True, True, told)


@dataclass(frozen=True, slots=True)
class _Domain:
    """All facts that the inputs can hold, a few too many where they are many, and where constraints say so."""

    facts: tuple[Atom, ...]
    inputs: tuple[str, ...]

    @classmethod
    def of(cls, program: Program) -> _Domain | Predicate:
        """The domain that integrity constraints declare for every argument of every input; an input without one."""
        domains = Domains(program, fixed_facts(program))
        facts: list[Atom] = []
        told: list[str] = []
        for predicate in program.inputs:
            columns = [domains.declared((predicate, position)) for position in range(predicate.arity)]
            if None in columns:
                return predicate
            known = [column for column in columns if column is not None]
            tuples = product(*(column.values for column in known))
            facts += [Atom(predicate.name, terms) for terms in islice(tuples, _TUPLES + 1)]
            told.append(f"{predicate} over {' x '.join(map(str, known))}" if known else str(predicate))
        return cls(tuple(facts), tuple(told))

    def told(self, is_constrained: bool) -> str:
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
