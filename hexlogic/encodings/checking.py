"""Whether two programs have the same answer sets over the predicates of the first, by clingo, on given instances.

Where both have few answer sets, all are compared, with their costs and with how often each occurs, so that an auxiliary
predicate cannot multiply them. Where there are more, some that a random search finds in each program are looked for in
the other one, and the optimal costs are compared.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from hexlogic.encodings.instances import instances_of
from hexlogic.encodings.measuring import Unmeasured, run_child
from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.rewriting import Rewritten
from hexlogic.encodings.steps import Calls, Parts
from hexlogic.logic import Predicate

__all__ = ["AnswerSetCheck", "check_rewritten", "same_answer_sets"]

_MODELS = 200
_LOOKED_FOR = 25
_FEW = 10
"""Answer sets of each program where a random search does not find 200."""
_PATIENCE = 2
"""Instances that take too long until no other one is tried."""


@dataclass(frozen=True, slots=True)
class AnswerSetCheck:
    """Instances on which the answer sets were compared, how many could not be, and the first that differs."""

    instances: int
    skipped: int
    difference: str | None = None

    @property
    def equal(self) -> bool:
        """Whether no difference was found."""
        return self.difference is None

    def __str__(self) -> str:
        if self.difference is not None:
            return f"DIFFERENT ANSWER SETS on {self.difference}"
        left = f", {self.skipped} could not be compared" if self.skipped else ""
        if not self.instances:
            return f"no instance{left}"
        return f"the same answer sets on {self.instances} instances{left}"


def same_answer_sets(
    left: str,
    right: str,
    predicates: Collection[Predicate],
    limit_s: float,
    *,
    calls: Calls = (),
    scripts: bool = False,
) -> bool | Unmeasured:
    """Whether two programs have the same answer sets over some predicates; why not known when it is not."""
    task = {
        "left": left,
        "right": right,
        "calls": calls,
        "predicates": [(one.name.lstrip("-"), one.arity, not one.name.startswith("-")) for one in sorted(predicates)],
        "most": _MODELS,
        "some": _LOOKED_FOR,
        "scripts": scripts,
    }
    found: bool | Unmeasured = run_child("compare", task, limit_s)
    if isinstance(found, Unmeasured) and found.is_slow:
        found = run_child("compare", task | {"random": False, "most": _FEW, "some": _FEW}, limit_s)
    return found


def check_rewritten(
    new: Rewritten,
    predicates: Collection[Predicate],
    profile: Encoding | None,
    limit_s: float,
    *,
    instances: int = 3,
    parts: Parts | None = None,
    scripts: bool = False,
) -> AnswerSetCheck:
    """Compare on the instance as it is and on others, in each of which a random half of the facts is missing and
    predicates that nothing defines have random facts.

    With `parts` the answer sets are compared after `base` and after each call of theirs.
    The facts of the encoding stay where a proof has looked at each of them.
    """
    compared = skipped = 0
    parts = parts or Parts()
    rests = any(rewriting.proof == "guarantees" for rewriting in new.rewritings)
    for name, gone, added in instances_of(new.encoding, profile, instances, keep=rests, defined=parts.defined):
        before = new.encoding.runnable(Rewritten(new.encoding).without(gone) + added + parts.added)
        after = new.encoding.runnable(new.without(gone) + added + parts.added)
        equal = same_answer_sets(before, after, predicates, limit_s, calls=parts.calls, scripts=scripts)
        if isinstance(equal, Unmeasured):
            skipped += 1
            if skipped == _PATIENCE:
                break
        elif equal:
            compared += 1
        else:
            return AnswerSetCheck(compared, skipped, name)
    return AnswerSetCheck(compared, skipped)
