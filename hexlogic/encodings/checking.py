"""Whether two programs have the same answer sets over the predicates of the first, by clingo, on given instances.

Where both have few answer sets, all are compared, with their costs and with how often each occurs, so that an auxiliary
predicate cannot multiply them. Where there are more, some that a random search finds in each program are looked for in
the other one, and the optimal costs are compared.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from hexlogic.encodings.clingo_jobs import Run
from hexlogic.encodings.instances import given_instance, random_instance
from hexlogic.encodings.measuring import Unmeasured, same_answer_sets
from hexlogic.encodings.parts import Parts
from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.rewriting import Rewritten
from hexlogic.language import Predicate
from hexlogic.proofs.equality import InputSpace

_PATIENCE = 4
"""How many instances may be too slow to compare before the check ends."""
_PARTS = (2, 8, 32, 128)
"""One fact in so many stays in an instance; the next number follows after an instance that was too slow."""


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

    @property
    def proved(self) -> bool:
        """False: these are samples."""
        return False

    def __str__(self) -> str:
        if self.difference is not None:
            return f"DIFFERENT ANSWER SETS on {self.difference}"
        left = f", {len(self.skipped)} could not be compared ({self.skipped[0]})" if self.skipped else ""
        if not self.instances:
            return f"no instance{left}"
        return f"the same answer sets on {self.instances} instance{'s' * (self.instances > 1)}{left}"


@dataclass(frozen=True)
class EncodingInstances(InputSpace[Encoding, Rewritten, AnswerSetCheck]):
    """The given instance, and others, in each of which a random half of the facts is missing and predicates that
    nothing defines have random facts; smaller ones after one that could not be compared."""

    predicates: Collection[Predicate]
    """The predicates over which answer sets are compared."""
    profile: Encoding | None
    """The given instance."""
    limit_s: float
    instances: int = 3
    parts: Parts = field(default_factory=Parts)
    """The answer sets are compared after `base` and after each call of these."""
    scripts: bool = False
    shown: bool = False
    """Whether the two must also show the same."""

    def compare(self, left: Encoding, right: Rewritten) -> AnswerSetCheck:
        """Compare an encoding with what steps made of it. Its facts stay where a proof has looked at each of them."""
        rests = any(rewriting.proof == "guarantees" for rewriting in right.rewritings)
        compared, skipped = 0, list[str]()
        for seed in range(-1, self.instances + _PATIENCE):
            instance = (
                given_instance(self.profile)
                if seed < 0
                else random_instance(
                    left, self.profile, seed, _PARTS[len(skipped)], keep=rests, defined=self.parts.defined
                )
            )
            if instance is None:
                break
            before, after = (
                left.runnable(new.without(instance.gone) + instance.added + self.parts.added)
                for new in (Rewritten(left), right)
            )
            run = Run(self.parts.calls, scripts=self.scripts)
            same = same_answer_sets(before, after, self.predicates, self.limit_s, run, shown=self.shown)
            if same is False:
                return AnswerSetCheck(compared, tuple(skipped), instance.name)
            if isinstance(same, Unmeasured):
                skipped.append(same.reason)
            else:
                compared += 1
            if compared == self.instances + 1 or len(skipped) == _PATIENCE:
                break
        return AnswerSetCheck(compared, tuple(skipped))
