"""The kinds of random texts, and the case of a kind with a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.proofs.odd_texts import with_operators, with_syntax, with_tangle
from tests.proofs.random_texts import (
    Case,
    equal_pair,
    limit_guard,
    number_guard,
    renamed,
    shuffled,
    with_comment,
    with_constant,
    with_growth,
    with_guard,
    with_prover_names,
    with_small_lemma,
)

__all__ = ["KINDS", "case_of"]


def _guarded(case: Case) -> None:
    with_guard(case, number_guard(case), both=case.chance.random() < 0.5, lemma=case.chance.random() < 0.3)


def _limits(case: Case) -> None:
    with_guard(case, limit_guard(case), both=case.chance.random() < 0.3, lemma=case.chance.random() < 0.7)


def _mixed(case: Case) -> None:
    for edit in case.chance.sample((_guarded, with_constant, with_comment, renamed, with_small_lemma), 2):
        edit(case)


KINDS: Final[dict[str, Callable[[Case], None]]] = {
    "renamed": renamed,
    "guarded": _guarded,
    "constants": with_constant,
    "comments": with_comment,
    "limits": _limits,
    "growing": with_growth,
    "names": with_prover_names,
    "small lemmas": with_small_lemma,
    "syntax": with_syntax,
    "operators": with_operators,
    "tangled": with_tangle,
    "mixed": _mixed,
}


def case_of(kind: str, seed: int) -> Case:
    """The case of that kind and number, always the same."""
    case = equal_pair(kind, seed)
    KINDS[kind](case)
    shuffled(case)
    return case
