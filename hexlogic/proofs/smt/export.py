"""A proof for all boards as problems for other provers: its steps, what proves its lemmas, bounds of its integers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hexlogic.errors import HexlogicError
from hexlogic.language import Program
from hexlogic.proofs.all_boards import ASSUMED, UNUSED, ProofSection, Universal
from hexlogic.proofs.induction import InductionStep
from hexlogic.proofs.smt.bounds import bound_problems
from hexlogic.proofs.smt.formulas import Named, Problem
from hexlogic.proofs.smt.lemmas import LemmaProver
from hexlogic.proofs.smt.smtlib import smtlib
from hexlogic.proofs.smt.steps import step_problem
from hexlogic.proofs.smt.tptp import tptp

_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Exported:
    """One problem of a proof: `kind` is `step`, `lemma` or `bound`, `text` what a reader knows it by.

    `rules` are those beside the board's whose least model, on every position, the axioms are about.
    """

    kind: str
    text: str
    problem: Problem
    rules: Program


def exported(proof: Universal, board: Program, lemmas: LemmaProver, *, steps: bool = True) -> tuple[Exported, ...]:
    """Every step of the proof, every problem that proves one of its lemmas, and the bounds of its integers, in order,
    with different names.

    Without `steps` only the problems of lemmas. Raises HexlogicError for a step without an obligation, such as one of
    a pass, or one that no prover can read.
    """
    found = [
        one
        for section in proof.sections
        if steps or section.kind == "lemma"
        for step in section.steps
        for one in _of_step(proof, section, step, board, lemmas)
    ]
    bounds: dict[tuple[object, Named], Exported] = {}
    for certificate in proof.certificates if steps else ():
        for problem in bound_problems(certificate, (_title(proof),)):
            text = f"a bound of {problem.goal.text}"
            bounds.setdefault((problem.axioms, problem.goal), Exported("bound", text, problem, Program()))
    return tuple(
        replace(one, problem=replace(one.problem, name=f"{number:03}-{one.problem.name}"))
        for number, one in enumerate((*found, *bounds.values()), 1)
    )


def _title(proof: Universal) -> str:
    return f"{proof.left} and {proof.right} on all {proof.boards}"


def _of_step(
    proof: Universal, section: ProofSection, step: InductionStep, board: Program, lemmas: LemmaProver
) -> Iterator[Exported]:
    title = _title(proof)
    if section.kind == "lemma":
        if section.justification in (ASSUMED, UNUSED):
            return
        for problem in lemmas.problems.get(step.claim, ()):
            name = _slug(f"lemma {section.statement.partition(':')[0]} {problem.name}")
            named = replace(problem, name=name, comment=(title, *problem.comment))
            yield Exported("lemma", section.statement, named, lemmas.rules[step.claim])
        return
    if step.obligation is None and not step.ok:
        return  # the proof names it as the step that failed
    if step.obligation is None:
        raise HexlogicError(f"the step {step.case or step.claim} has no problem that can be exported")
    comment = (
        title,
        f"{section.kind}: {step.claim}",
        *([section.words] if section.words else []),
        f"rule: {step.case}",
    )
    name = _slug(f"{section.kind} {step.claim} case {step.case}")
    text = f"{step.claim} for the rule {step.case}"
    problem = step_problem(step.obligation, board, name, comment)
    yield Exported("step", text, problem, Program(step.obligation.axioms))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_LENGTH].rstrip("-")


def write_problems(folder: Path, problems: tuple[Exported, ...]) -> int:
    """Write each problem as `NAME.smt2` and `NAME.p`; the number of problems. Raises HexlogicError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for problem in problems:
            (folder / f"{problem.problem.name}.smt2").write_text(smtlib(problem.problem), encoding="utf-8")
            (folder / f"{problem.problem.name}.p").write_text(tptp(problem.problem), encoding="utf-8")
    except OSError as error:
        raise HexlogicError(f"cannot write the problems: {error.strerror}", file=str(folder)) from None
    return len(problems)
