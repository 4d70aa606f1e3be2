"""Before and after: what two programs cost on an instance, and whether they give the same answers."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product

from hexlogic.engines import load_engine
from hexlogic.errors import EngineError
from hexlogic.logic import Atom, Comparison, Literal, Program, Rule, Variable
from hexlogic.logic.difference import difference
from hexlogic.logic.domains import Domains, fixed_facts
from hexlogic.logic.model import least_model
from hexlogic.logic.names import fresh_predicate
from hexlogic.logic.sample import sample_facts
from hexlogic.logic.syntax import Term
from hexlogic.process.guard import guarded

__all__ = ["Verdict", "clingo_work", "equal", "swipl_work"]

_CHILD = """
import json, sys, clingo
control = clingo.Control(["--warn=none", "--stats"])
control.add("base", [], sys.stdin.read())
control.ground([("base", [])])
found = bool(control.solve().satisfiable)
program = control.statistics["problem"]["lp"]
print(json.dumps({"satisfiable": found, "rules": int(program["rules"]), "atoms": int(program["atoms"])}))
"""
_TUPLES = 5_000
_INSTANCES = 20


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two programs answer alike, how that was found out, and an instance on which they do not."""

    equal: bool
    proved: bool
    how: str
    difference: tuple[Atom, ...] = ()


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
    """Whether the queries have the same answers: proved on every instance where the inputs allow it, else sampled."""
    tuples = _every_tuple(left)
    if tuples is not None and len(tuples) <= _TUPLES:
        outcome = _clingo(difference(left, right, tuples), limit_s)
        if outcome is not None:
            number = f"all 2^{len(tuples)} sets" if len(tuples) > 12 else f"all {2 ** len(tuples)} sets"
            return Verdict(not outcome["satisfiable"], True, f"on {number} of input facts over the declared domains")
    for seed in range(_INSTANCES):
        facts = sample_facts(left, seed)
        answers = [least_model(program, facts, only=left.queries) for program in (left, right)]
        if answers[0] != answers[1]:
            return Verdict(False, False, f"on the random instance {seed}", facts)
    if tuples is None:
        why = "no constraint limits the inputs to a finite domain"
    else:
        why = f"no proof within {limit_s:g} s" if len(tuples) <= _TUPLES else "too many input facts for a proof"
    return Verdict(True, False, f"on {_INSTANCES} random instances; {why}")


def _deriving(program: Program) -> Program:
    return program.with_rules(tuple(rule for rule in program.rules if not rule.is_constraint))


def _clingo(text: str, limit_s: float) -> dict[str, int] | None:
    try:
        done = subprocess.run(
            guarded([sys.executable, "-c", _CHILD], cpu_s=limit_s + 10),
            input=text,
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode or not done.stdout:
        raise EngineError(f"clingo: {' '.join(done.stderr.split())[-300:] or 'ended without an answer'}")
    found: dict[str, int] = json.loads(done.stdout)
    return found


def _every_tuple(program: Program) -> list[Atom] | None:
    """All facts that the inputs can hold, when constraints limit every argument; a few too many where they are many."""
    domains = Domains(program, fixed_facts(program))
    tuples: list[Atom] = []
    for predicate in program.inputs:
        slots = [(predicate, position) for position in range(predicate.arity)]
        if not all(map(domains.is_declared, slots)):
            return None
        columns: list[Sequence[Term]] = [domains.values(slot) for slot in slots]
        tuples += [Atom(predicate.name, terms) for terms in islice(product(*columns), _TUPLES + 1)]
    return tuples
