"""The question of proofs for all boards, asked with keywords."""

from __future__ import annotations

from hexlogic.games.rulesets import RuleSet
from hexlogic.proofs.all_boards import AllBoards, Universal
from hexlogic.proofs.question import equal

__all__ = ["prove_for_all_boards"]


def prove_for_all_boards(left: RuleSet, right: RuleSet, **over: object) -> Universal:
    """Whether two rule sets mean the same on every board."""
    return equal(left, right, AllBoards(**over))  # type: ignore[arg-type]
