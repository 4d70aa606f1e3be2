"""Equivalence of two programs on every set of input facts: the induction proof of `all_boards.py`, without a board.

A program declares its inputs and one query: `#defined edge/2.`, `#show reach/1.` Nothing is known of the inputs.
"""

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hexlogic.errors import EngineError, HexlogicError
from hexlogic.language import Arithmetic, Atom, Interval, Program, Rule
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import undefined_predicates
from hexlogic.language.parser import parse
from hexlogic.language.walk import general_atom, rule_terms
from hexlogic.proofs.all_boards import Justify, ProofSection, Universal, sections_of
from hexlogic.proofs.as_written import Tried, answer_atoms
from hexlogic.proofs.bridges import Bridge
from hexlogic.proofs.conditions import finite_terms
from hexlogic.proofs.joint import at_rule, joint_program, same_rules, with_values
from hexlogic.proofs.program_equality import instances
from hexlogic.proofs.question import InputSpace

INPUTS: Final = "inputs"
_INSTANCES: Final = 40
"""Sets of facts that clingo runs both texts on after a proof, at most."""
_TRIED_S: Final = 3.0
"""CPU seconds after which no larger set is tried."""


@dataclass(frozen=True)
class ProgramText:
    """A program as it is written; `name` is how bridges and messages call it."""

    name: str
    text: str

    @cached_property
    def program(self) -> Program:
        """The program, its constants replaced by their values; what no rule defines is an input.

        Raises HexlogicError, with the place, for a program that no proof is about: one that is not stratified or has
        constraints, arithmetic, intervals, terms that grow, or not exactly one query.
        """
        file = f"{self.name}.lp"
        program = parse(self.text, file)
        try:
            missing = [other for other in undefined_predicates(program) if other not in program.inputs]
            program = with_values(check(dataclasses.replace(program, inputs=(*program.inputs, *missing))))
            if len(program.queries) != 1:
                raise HexlogicError(f"{len(program.queries)} queries", hint="a proof is about one: #show reach/1.")
            if not program.defining(program.queries[0]):
                raise HexlogicError(f"no rule defines the query {program.queries[0]}")
            for rule in program.constraints:
                raise at_rule(rule, "a constraint", "proofs for all inputs are about programs without constraints")
            for rule in program.rules:
                for part in rule_terms(rule):
                    if isinstance(part, Arithmetic | Interval):
                        raise at_rule(rule, f"the term {part} is computed", "provers count without end, clingo wraps")
            return finite_terms(program)
        except HexlogicError as error:
            raise error.at(file=file) from None


@dataclass(frozen=True)
class AllInputs(InputSpace[ProgramText, ProgramText, Universal]):
    """All sets of facts of the inputs that both programs have, compared along a bridge."""

    bridge: Bridge
    justify_lemma: Justify = lambda _lemma, _rules, _board: None
    report: Callable[[str], None] = lambda _: None

    def compare(self, left: ProgramText, right: ProgramText) -> Universal:
        """A proof, or the first claim that fails. Raises HexlogicError, with the place, for a text without proofs. What
        is proved is run by clingo, on the texts as they are written, on random sets of facts."""
        programs = left.program, right.program
        (query,), (other,) = programs[0].queries, programs[1].queries
        if query != other or set(programs[0].inputs) != set(programs[1].inputs):
            raise HexlogicError(f"{left.name} and {right.name} have other inputs or another query")
        sections: list[ProofSection] = []
        if same_rules(*programs):
            sections.append(ProofSection("note", "these are the same rules", "", ()))
        else:
            joint = joint_program(*(dataclasses.replace(program, queries=()) for program in programs)).spelled()
            given = Program((), (), joint.inputs)
            for section in sections_of(self.bridge, joint, given, query, justify=self.justify_lemma):
                sections.append(section)
                self.report(f"{section.kind} {section.statement}")
                if not section.ok:
                    reason = f"the {section.kind} {section.statement} fails"
                    return Universal(left.name, right.name, INPUTS, tuple(sections), reason)
        tried = _tried(left, right, instances(programs[0], _INSTANCES)[0])
        reason = f"the proof has a fault: {tried.problem}; please report it" if tried.problem else ""
        return Universal(left.name, right.name, INPUTS, tuple(sections), reason, tried=tried)


def _tried(left: ProgramText, right: ProgramText, sets: Sequence[Sequence[Atom]]) -> Tried:
    """What clingo makes of both texts on sets of facts, small ones first, until that takes seconds."""
    query, begin_s = left.program.queries[0], time.process_time()
    for number, facts in enumerate(sorted(sets, key=len)):
        if time.process_time() > begin_s + _TRIED_S:
            return Tried((), number)
        text = "".join(f"{Rule(fact)}\n" for fact in facts)
        try:
            answers = [answer_atoms((side.text, text), (), query.name, query.arity) for side in (left, right)]
        except EngineError as error:
            return Tried(problem=str(error), ran=False)
        if answers[0] != answers[1]:
            return Tried(problem=f"given {' '.join(text.split())} the answers of {general_atom(query)} differ")
    return Tried((), len(sets))
