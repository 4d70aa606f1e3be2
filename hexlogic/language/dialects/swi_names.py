"""Names that SWI-Prolog keeps for itself: its system predicates, its prefix operators and `end_of_file`.

Taken from `predicate_property(system:Head, defined)` of SWI-Prolog 9.0. A program may redefine library predicates
(`member`, `last`), so those are not here. A name that a later version adds makes the load fail with an error; it never
changes an answer.
"""

from __future__ import annotations

from pathlib import Path

SWI_NAMES: frozenset[str] = frozenset(Path(__file__).with_suffix(".txt").read_text(encoding="ascii").split())
"""Predicate names that a program cannot use in SWI-Prolog, whatever their arity."""
