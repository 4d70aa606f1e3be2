"""Whose work a sheet is optimised for, as `--for` says it: the reasoner whose work is counted in the player's place.

A prover without tables is `swipl:sld`; a propositional network costs what its ground rules are.
"""

from __future__ import annotations

from hexlogic.errors import UnknownNameError

__all__ = ["stand_in"]

_STAND_INS = {"compiled": "compiled", "propnet": "compiled", "prover": "swipl:sld", "swipl": "swipl"}


def stand_in(audience: str) -> str:
    """The reasoner that stands for a kind of player. Raises UnknownNameError.

    >>> stand_in("prover")
    'swipl:sld'
    """
    if audience not in _STAND_INS:
        raise UnknownNameError.among("kind of player", audience, list(_STAND_INS))
    return _STAND_INS[audience]
