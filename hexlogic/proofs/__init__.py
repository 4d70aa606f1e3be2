"""Proofs: two rule sets equal on every position of a board, or on all boards; else a counter-example."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexlogic.proofs.equality import Finding, Outcome, Proof, Refutation, Unfinished
    from hexlogic.proofs.equivalence import prove_equivalent

__all__ = ["Finding", "Outcome", "Proof", "Refutation", "Unfinished", "prove_equivalent"]


def __getattr__(name: str) -> object:  # loaded when first asked for: proofs of rewritings need no boards
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module 'hexlogic.proofs' has no attribute {name!r}")
    return getattr(
        import_module(f"hexlogic.proofs.{'equivalence' if name == 'prove_equivalent' else 'equality'}"), name
    )
