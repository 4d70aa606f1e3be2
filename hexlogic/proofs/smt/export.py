"""A proof for all boards as problems for other provers: one for each step, and those that prove its lemmas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hexlogic.errors import HexlogicError
from hexlogic.logic import Program
from hexlogic.proofs.all_boards import ASSUMED, UNUSED, ProofSection, Universal
from hexlogic.proofs.induction import InductionStep
from hexlogic.proofs.smt.formulas import Problem
from hexlogic.proofs.smt.lemmas import LemmaProver
from hexlogic.proofs.smt.smtlib import smtlib
from hexlogic.proofs.smt.steps import step_problem
from hexlogic.proofs.smt.tptp import tptp

__all__ = ["Exported", "exported", "write_problems"]

_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Exported:
    """One problem of a proof: `kind` is `step` or `lemma`, `text` what a reader knows it by."""

    kind: str
    text: str
    problem: Problem


def exported(proof: Universal, board: Program, lemmas: LemmaProver) -> tuple[Exported, ...]:
    """Every step of the proof and every problem that proves one of its lemmas, in order, with different names.

    Raises HexlogicError for a step without an obligation, such as one of a pass, or one that no prover can read.
    """
    return tuple(_numbered(proof, board, lemmas))


def _numbered(proof: Universal, board: Program, lemmas: LemmaProver) -> Iterator[Exported]:
    number = 0
    for section in proof.sections:
        for step in section.steps:
            for one in _of_step(proof, section, step, board, lemmas):
                number += 1
                name = f"{number:03}-{one.problem.name}"
                yield replace(one, problem=replace(one.problem, name=name))


def _of_step(
    proof: Universal, section: ProofSection, step: InductionStep, board: Program, lemmas: LemmaProver
) -> Iterator[Exported]:
    title = f"{proof.left} and {proof.right} on all boards of {proof.game}"
    if section.kind == "lemma":
        if section.justification in (ASSUMED, UNUSED):
            return
        for problem in lemmas.problems.get(step.claim, ()):
            name = _slug(f"lemma {section.statement.partition(':')[0]} {problem.name}")
            yield Exported("lemma", section.statement, replace(problem, name=name, comment=(title, *problem.comment)))
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
    yield Exported("step", text, step_problem(step.obligation, board, name, comment))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_LENGTH].rstrip("-")


def write_problems(folder: Path, problems: tuple[Exported, ...]) -> int:
    """Write each problem as `NAME.smt2` and `NAME.p`; the number of problems. Raises HexlogicError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for one in problems:
            (folder / f"{one.problem.name}.smt2").write_text(smtlib(one.problem), encoding="utf-8")
            (folder / f"{one.problem.name}.p").write_text(tptp(one.problem), encoding="utf-8")
    except OSError as error:
        raise HexlogicError(f"cannot write the problems: {error.strerror}", file=str(folder)) from None
    return len(problems)
