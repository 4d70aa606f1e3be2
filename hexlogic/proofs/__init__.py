"""Proofs: two rule sets equal on every position of a board, or on all boards; else a counter-example."""

from hexlogic.proofs.equality import Finding, Outcome, Proof, Refutation, Unfinished
from hexlogic.proofs.equivalence import prove_equivalent

__all__ = ["Finding", "Outcome", "Proof", "Refutation", "Unfinished", "prove_equivalent"]
