"""Say on stderr that numba compiles, where its cache is empty."""

from __future__ import annotations

import sys

__all__ = ["tell_compilation"]


def tell_compilation() -> None:
    """One line when the deduction has never been compiled on this machine: the next call takes a minute."""
    from hexlogic.players.connections import is_compiled

    if not is_compiled():
        print("compiling the deduction and the search for a minute, once on this machine", file=sys.stderr)
