"""Texts with short names in place of the reserved ones, for tests that say what a pass writes."""

from __future__ import annotations

import re

from hexlogic.language.names import RESERVED

__all__ = ["readable"]

_NAME = re.compile(rf"{RESERVED}(\w*?)_[0-9a-f]{{8}}(?:_\d+)?\b")

_ENDS = ("", *(f"_{number}" for number in range(2, 100)))


def readable(text: str) -> str:
    """The text with `p_stage`, `p_stage_2` ... for the reserved names, in the order of the text.

    >>> readable("_hexlogic_p_stage_0a1b2c3d(X) :- q(X). r :- _hexlogic_p_stage_ffffffff(X).")
    'p_stage(X) :- q(X). r :- p_stage_2(X).'
    """
    short: dict[str, str] = {}
    for name in _NAME.finditer(text):
        short.setdefault(name[0], next(one for end in _ENDS if (one := name[1] + end) not in short.values()))
    return _NAME.sub(lambda name: short[name[0]], text)
