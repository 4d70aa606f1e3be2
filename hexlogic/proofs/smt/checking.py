"""Every step of a proof proved again by other provers, from its exported text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hexlogic.proofs.smt.export import Exported
from hexlogic.proofs.smt.formulas import Problem
from hexlogic.proofs.smt.provers import ProverAnswer, ask, check_provers
from hexlogic.proofs.smt.smtlib import smtlib

_EACH_S = 15.0
_FIRST_S = 3.0


@dataclass(frozen=True, slots=True)
class Checked:
    """What one prover said of the steps, of the problems that prove lemmas, and of the bounds of integers.

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
        for kind, words in (("step", "steps"), ("lemma", "lemma problems"), ("bound", "bounds of integers")):
            proved, total = self.counts[kind]
            if total:
                parts.append(f"{proved} of {total} {words}")
        reduced = f", {self.reduced} of them from the axioms that cvc5 used" if self.reduced else ""
        return f"{self.prover} proved {', '.join(parts) or 'nothing: there are no steps'}{reduced}"


def check_problems(
    problems: Sequence[Exported],
    provers: Sequence[str],
    *,
    each_s: float = _EACH_S,
    report: Callable[[str], None] = lambda _: None,
) -> tuple[Checked, ...]:
    """Ask each prover about each problem. Raises HexlogicError when a prover is not installed."""
    found = []
    for prover in check_provers(provers):
        helped = prover != "cvc5" and "cvc5" in provers
        first_s = min(each_s, _FIRST_S) if helped else each_s
        answers = ask(prover, [smtlib(problem.problem) for problem in problems], each_s=first_s, report=report)
        reduced = 0
        if helped:
            unknown = [n for n, answer in enumerate(answers) if answer.verdict == "unknown"]
            for n, answer in zip(unknown, _with_less(prover, [problems[n] for n in unknown], each_s), strict=True):
                if answer.verdict == "proved":
                    answers[n], reduced = answer, reduced + 1
        found.append(_checked(prover, problems, answers, reduced))
    return tuple(found)


def _with_less(prover: str, problems: Sequence[Exported], each_s: float) -> list[ProverAnswer]:
    """The answers from the axioms alone that cvc5 used: what follows from fewer axioms follows from all."""
    cores = ask("cvc5", [smtlib(problem.problem) for problem in problems], each_s=each_s, core=True)
    return ask(
        prover, [smtlib(_only(one, core.core)) for one, core in zip(problems, cores, strict=True)], each_s=each_s
    )


def _only(one: Exported, names: tuple[str, ...] | None) -> Problem:
    if names is None:
        return one.problem
    kept = tuple(axiom for axiom in one.problem.axioms if axiom.name in names)
    return replace(one.problem, axioms=kept)


def _checked(prover: str, problems: Sequence[Exported], answers: Sequence[ProverAnswer], reduced: int) -> Checked:
    counts = dict.fromkeys(("step", "lemma", "bound"), (0, 0))
    failed = []
    for one, answer in zip(problems, answers, strict=True):
        proved, total = counts[one.kind]
        counts[one.kind] = (proved + (answer.verdict == "proved"), total + 1)
        if answer.verdict != "proved":
            failed.append(
                f"{one.problem.name}: {answer.verdict}{f' ({answer.note})' if answer.note else ''}: {one.text}"
            )
    return Checked(prover, counts, reduced, tuple(failed))
