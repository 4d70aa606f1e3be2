"""Lemmas of bridges, proved for all boards instead of assumed: what `justify_lemma` is given."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.logic import Program, Rule
from hexlogic.proofs.bridges import Statement
from hexlogic.proofs.smt.board import about_the_board, lemma_problems
from hexlogic.proofs.smt.formulas import Problem
from hexlogic.proofs.smt.provers import PROVERS, ask, available
from hexlogic.proofs.smt.smtlib import smtlib
from hexlogic.proofs.smt.steps import LEAST_ELEMENT, stone_lemma_problem

__all__ = ["LemmaProver"]

_EACH_S = 8.0


class LemmaProver:
    """Proves lemmas by SMT solvers, and keeps the problems by which each was proved.

    A lemma about the board alone is arithmetic with unknown sizes (`board.py`); any other follows from the rules and
    the least elements of what they define (`steps.py`).
    """

    def __init__(self, provers: Sequence[str] = PROVERS, each_s: float = _EACH_S) -> None:
        """Provers that are not installed are left out; without any nothing is proved."""
        self._provers = tuple(prover for prover in provers if available(prover))
        self._each_s = each_s
        self._known: dict[tuple[Rule, Program], tuple[str | None, tuple[Problem, ...]]] = {}
        self.problems: dict[str, tuple[Problem, ...]] = {}
        """The problems that prove a lemma, by the text of the lemma."""

    def __call__(self, statement: Statement, rules: Program, board: Program) -> str | None:
        """How the lemma was proved, or None."""
        lemma = statement.rule
        about_board = about_the_board(lemma, board)
        key = (lemma, board if about_board else rules)
        if key not in self._known:
            self._known[key] = self._prove(statement, rules, board, about_board)
        why, problems = self._known[key]
        if why is not None:
            self.problems[str(lemma)] = problems
        return why

    def _prove(
        self, statement: Statement, rules: Program, board: Program, about_board: bool
    ) -> tuple[str | None, tuple[Problem, ...]]:
        lemma, comment = statement.rule, (f"lemma {statement.name}: {statement.rule}", statement.words)
        if about_board:
            tried = lemma_problems(lemma, board, comment)
            ways = [tuple(one for one, opaque in tried if opaque == wanted) for wanted in (False, True)]
        else:
            ways = [(stone_lemma_problem(lemma, rules, board, "lemma", comment),)]
        for problems in filter(None, ways):
            for prover in self._provers:
                scripts = [smtlib(problem) for problem in problems]
                if all(answer.verdict == "proved" for answer in ask(prover, scripts, each_s=self._each_s)):
                    schema = any(axiom.name.startswith(LEAST_ELEMENT) for one in problems for axiom in one.axioms)
                    words = f", with the schema of {LEAST_ELEMENT}s" if schema else ""
                    return f"proved by {prover}{words}", problems
        return None, ()
