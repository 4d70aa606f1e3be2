"""Whether two programs have the same answer sets over the predicates of the first, by clingo, on given instances.

Where both have few answer sets, all are compared, with their costs and with how often each occurs, so that an auxiliary
predicate cannot multiply them. Where there are more, some that a random search finds in each program are looked for in
the other one, and the optimal costs are compared.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from hexlogic.encodings.instances import given_instance, random_instance
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
_PATIENCE = 4
"""Instances that cannot be compared until no other one is tried."""
_PARTS = (2, 8, 32, 128)
"""Parts of which one stays in an instance, each after an instance that could not be compared."""


@dataclass(frozen=True, slots=True)
class AnswerSetCheck:
    """Instances on which the answer sets were compared, why others could not be, and the first that differs."""

    instances: int
    skipped: tuple[str, ...] = ()
    difference: str | None = None

    @property
    def equal(self) -> bool:
        """Whether no difference was found."""
        return self.difference is None

    def __str__(self) -> str:
        if self.difference is not None:
            return f"DIFFERENT ANSWER SETS on {self.difference}"
        left = f", {len(self.skipped)} could not be compared ({self.skipped[0]})" if self.skipped else ""
        if not self.instances:
            return f"no instance{left}"
        return f"the same answer sets on {self.instances} instance{'s' * (self.instances > 1)}{left}"


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
    predicates that nothing defines have random facts; on smaller ones after one that could not be compared.

    With `parts` the answer sets are compared after `base` and after each call of theirs.
    The facts of the encoding stay where a proof has looked at each of them.
    """
    parts = parts or Parts()
    rests = any(rewriting.proof == "guarantees" for rewriting in new.rewritings)
    compared, skipped = 0, list[str]()
    for seed in range(-1, instances + _PATIENCE):
        part = _PARTS[len(skipped)]
        instance = (
            given_instance(profile)
            if seed < 0
            else random_instance(new.encoding, profile, seed, part, keep=rests, defined=parts.defined)
        )
        if instance is None:
            break
        before = new.encoding.runnable(Rewritten(new.encoding).without(instance.gone) + instance.added + parts.added)
        after = new.encoding.runnable(new.without(instance.gone) + instance.added + parts.added)
        equal = same_answer_sets(before, after, predicates, limit_s, calls=parts.calls, scripts=scripts)
        if equal is False:
            return AnswerSetCheck(compared, tuple(skipped), instance.name)
        if isinstance(equal, Unmeasured):
            skipped.append(equal.reason)
        else:
            compared += 1
        if compared == instances + 1 or len(skipped) == _PATIENCE:
            break
    return AnswerSetCheck(compared, tuple(skipped))
