"""The words of GDL, and which of them a name may have been meant for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from hexlogic.gdl.checking.examined import Examined
from hexlogic.gdl.checking.mentions import Mention
from hexlogic.gdl.sheet import INPUTS, QUERIES
from hexlogic.logic.printers.gdl_items import FORMULA_WORDS

__all__ = ["ASKABLE", "RELATIONS", "WORDS", "closest", "did_you_mean", "slips"]

RELATIONS = frozenset(predicate.name for predicate in (*INPUTS, *QUERIES))
"""The relations that GDL itself gives a meaning."""
WORDS = RELATIONS | FORMULA_WORDS
"""All words of GDL."""
ASKABLE = WORDS - {"init", "next", "base", "input", "<="}
"""Those that may stand in a body."""

_SIMILAR = 0.75  # 2 * letters in common / letters of both: legel and legal have 0.8


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like this one, if one is like it.

    >>> closest("termnal", RELATIONS)
    'terminal'
    """
    found = difflib.get_close_matches(name, sorted(known), n=1, cutoff=_SIMILAR)
    return found[0] if found else None


def did_you_mean(name: str | None) -> str | None:
    """A hint, where there is a name to hint at."""
    return None if name is None else f"did you mean `{name}`?"


def slips(sheet: Examined) -> dict[Mention, str]:
    """The names that look like slips, with the words of GDL that they look like.

    A head that no body uses is one when it is like a word of GDL; so is a name in a body that no head has, when it is
    more like a word of GDL than like the head of any rule.
    """
    used = {mention.name for mention in sheet.mentions if not mention.is_head}
    found: dict[Mention, str] = {}
    for mention in sheet.mentions:
        if mention.name in WORDS or (mention.name in (used if mention.is_head else sheet.defined)):
            continue
        meant = closest(mention.name, RELATIONS if mention.is_head else ASKABLE | sheet.defined)
        if meant in WORDS:
            found[mention] = meant
    return found
