"""Before and after: what two programs cost on an instance, and whether they give the same answers."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from hexlogic.engines import load_engine
from hexlogic.errors import EngineError
from hexlogic.ground.domains import Domains, fixed_facts
from hexlogic.ground.groundable import cannot_ground
from hexlogic.ground.least_model import least_model
from hexlogic.logic import Atom, Comparison, Literal, Predicate, Program, Rule, Variable
from hexlogic.logic.constants import valued
from hexlogic.logic.names import fresh_predicate
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.limits import Limits
from hexlogic.proofs.instances import admits, instances
from hexlogic.proofs.miter import difference, needed, some_instance

__all__ = ["Verdict", "clingo_work", "equal", "swipl_work"]

_TUPLES = 5_000
_INSTANCES = 20
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two programs answer alike, how that was found out, and an instance on which they do not.

    `proved` says that every instance over a declared domain was decided; `instances` are the different ones that were
    compared where it is not.
    """

    equal: bool
    proved: bool
    how: str
    difference: tuple[Atom, ...] = ()
    instances: int | None = None


def clingo_work(program: Program, facts: Sequence[Atom], limit_s: float) -> dict[str, int] | None:
    """Ground rules and atoms of the program with the facts; None when the limit does not suffice."""
    text = str(_deriving(program)) + "".join(f"{fact}.\n" for fact in facts)
    outcome = _clingo(text, limit_s)
    return None if outcome is None else {"rules": outcome["rules"], "atoms": outcome["atoms"]}


def swipl_work(program: Program, facts: Sequence[Atom], limit_s: float) -> int | str:
    """Inferences that SWI-Prolog needs for all answers to all queries; in words, why there is no such number."""
    engine = load_engine("swipl")
    if reason := engine.missing():
        return reason
    if engine.supports(program):
        return "not left to right"
    asked = fresh_predicate(program, "enumerate", 0)
    rules = []
    for query in program.queries:
        variables = tuple(Variable(f"X{number}") for number in range(query.arity))
        call = Literal(Atom(query.name, variables))
        # asked for one answer after the other, never content
        never = tuple(Comparison("!=", variable, variable) for variable in variables[:1])
        rules.append(Rule(Atom(asked.name), (call, *never)))
    whole = Program((*program.rules, *rules), program.constants, program.inputs, (*program.queries, asked))
    with engine.open(whole) as session:
        late = threading.Event()

        def stop() -> None:
            late.set()
            session.close()

        timer = threading.Timer(limit_s, stop)
        timer.start()
        try:
            return session.ask(facts, Atom(asked.name)).counters["inferences"]
        except (EngineError, ValueError, OSError) as error:
            return f"more than {limit_s:g} s" if late.is_set() else str(error)
        finally:
            timer.cancel()


def equal(left: Program, right: Program, limit_s: float) -> Verdict:
    """Whether the queries have the same answers on every instance that the constraints of `left` admit.

    Proved where constraints limit every argument of every input to a finite domain: clingo looks through all sets of
    facts over it. Otherwise different random instances are compared. Both are checked programs. Raises EngineError for
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
        found = _proved(left, right, domain, limit_s)
        if found is not None:
            return found
        why = f"no proof within {limit_s:g} s"
    drawn = instances(left, _INSTANCES)
    for number, facts in enumerate(drawn.found):
        answers = [least_model(program, facts, only=queries) for program in (left, right)]
        if answers[0] != answers[1]:
            return Verdict(False, False, f"given {_listed(facts)}; instance {number + 1} of {len(drawn.found)}", facts)
        if not admits(right, facts):
            return Verdict(False, False, f"given {_listed(facts)}, which only the new program forbids", facts)
    if drawn.complete and drawn.found and isinstance(domain, _Domain):
        return Verdict(True, True, domain.told(_is_constrained(left)), instances=len(drawn.found))
    which = "different instances" if drawn.complete else "different random instances"
    return Verdict(True, False, f"on {len(drawn.found)} {which}; {why}", instances=len(drawn.found))


def _is_constrained(program: Program) -> bool:
    return any(rule.is_constraint for rule in program.rules)


def _proved(left: Program, right: Program, domain: _Domain, limit_s: float) -> Verdict | None:
    """The verdict on all sets of facts over the domain; None when it is not reached within the limit."""
    told = domain.told(_is_constrained(left))
    outcome = _clingo(difference(left, right, domain.facts), limit_s)
    if outcome is None:
        return None
    if outcome["satisfiable"]:
        facts = tuple(fact for fact in domain.facts if str(fact) in set(outcome["shown"]))
        return Verdict(False, True, f"given {_listed(facts)}; looked for {told}", facts)
    some = _clingo(some_instance(left, domain.facts), limit_s)
    if some is None:
        return None
    if not some["satisfiable"]:
        return Verdict(True, False, "on 0 instances: the integrity constraints forbid every set of input facts")
    return Verdict(True, True, told)


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


def _deriving(program: Program) -> Program:
    return program.with_rules(tuple(rule for rule in program.rules if not rule.is_constraint))


def _clingo(text: str, limit_s: float) -> dict[str, Any] | None:
    """What `solve` says of a text; None when it takes longer than the limit."""
    limits = Limits(cpu_s=limit_s + 10, wall_s=limit_s, memory_bytes=sys.maxsize)
    try:
        found: dict[str, Any] = call_isolated("hexlogic.ground.solving:solve", {"text": text}, limits)
    except Stopped:
        return None
    return found
