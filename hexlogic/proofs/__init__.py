"""Proofs: two rule sets equal on every position of a board, or on all boards; else a counter-example."""

from hexlogic.proofs.equivalence import prove_equivalent
from hexlogic.proofs.outcome import Finding, Outcome, Proof, Refutation, Unfinished

__all__ = ["Finding", "Outcome", "Proof", "Refutation", "Unfinished", "prove_equivalent"]
