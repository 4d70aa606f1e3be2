"""Every step of a proof proved again by other provers, from its exported text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hexlogic.proofs.smt.export import Exported
from hexlogic.proofs.smt.formulas import Problem
from hexlogic.proofs.smt.provers import Answer, ask, check_provers
from hexlogic.proofs.smt.smtlib import smtlib

__all__ = ["Checked", "check_problems"]

_EACH_S = 10.0


@dataclass(frozen=True, slots=True)
class Checked:
    """What one prover said of the steps and of the problems that prove lemmas.

    `failed` are the texts of those that it did not prove, each with the reason; `reduced` counts the problems that it
    proved from the axioms that another prover had used, fewer than all.
    """

    prover: str
    counts: dict[str, tuple[int, int]]
    reduced: int
    failed: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether the prover proved all."""
        return not self.failed

    def __str__(self) -> str:
        parts = []
        for kind, words in (("step", "steps"), ("lemma", "lemma problems")):
            proved, total = self.counts[kind]
            if total:
                parts.append(f"{proved} of {total} {words}")
        reduced = f", {self.reduced} of them from the axioms that cvc5 used" if self.reduced else ""
        return f"{self.prover} proved {' and '.join(parts) or 'nothing: there are no steps'}{reduced}"


def check_problems(
    problems: Sequence[Exported],
    provers: Sequence[str],
    *,
    each_s: float = _EACH_S,
    report: Callable[[str], None] = lambda _: None,
) -> tuple[Checked, ...]:
    """Ask each prover about each problem. Raises HexlogicError when a prover is not installed."""
    chosen = sorted(check_provers(provers), key=lambda name: name != "cvc5")
    cores: list[tuple[str, ...] | None] = [None] * len(problems)
    found: dict[str, Checked] = {}
    for prover in chosen:
        answers = ask(prover, [smtlib(one.problem) for one in problems], each_s=each_s, report=report)
        again = [n for n, answer in enumerate(answers) if answer.verdict == "unknown" and cores[n] is not None]
        scripts = [smtlib(_only(problems[n], cores[n] or ())) for n in again]
        reduced = 0
        for n, answer in zip(again, ask(prover, scripts, each_s=each_s, report=report), strict=True):
            # Fewer axioms: what follows from them follows from all.
            if answer.verdict == "proved":
                answers[n], reduced = answer, reduced + 1
        if prover == "cvc5":
            cores = [answer.core if answer.verdict == "proved" else None for answer in answers]
        found[prover] = _checked(prover, problems, answers, reduced)
    return tuple(found[prover] for prover in dict.fromkeys(provers))


def _only(one: Exported, names: tuple[str, ...]) -> Problem:
    kept = tuple(axiom for axiom in one.problem.axioms if axiom.name in names)
    return replace(one.problem, axioms=kept)


def _checked(prover: str, problems: Sequence[Exported], answers: Sequence[Answer], reduced: int) -> Checked:
    counts = {kind: (0, 0) for kind in ("step", "lemma")}
    failed = []
    for one, answer in zip(problems, answers, strict=True):
        proved, total = counts[one.kind]
        counts[one.kind] = (proved + (answer.verdict == "proved"), total + 1)
        if answer.verdict != "proved":
            failed.append(f"{one.problem.name}: {answer.verdict}{f' ({answer.note})' if answer.note else ''}: {one.text}")
    return Checked(prover, counts, reduced, tuple(failed))
