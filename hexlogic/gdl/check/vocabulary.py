"""The words of GDL, and which of them a name may have been meant for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from hexlogic.gdl.check.examined import Examined
from hexlogic.gdl.check.mentions import Mention
from hexlogic.gdl.language.sheet import INPUTS, QUERIES
from hexlogic.gdl.language.tree import Word
from hexlogic.logic.dialects.gdl_items import FORMULA_WORDS

__all__ = ["ASKABLE", "RELATIONS", "WORDS", "closest", "did_you_mean", "slips"]

RELATIONS = frozenset(predicate.name for predicate in (*INPUTS, *QUERIES))
"""The relations that GDL itself gives a meaning."""
WORDS = RELATIONS | FORMULA_WORDS
"""All words of GDL."""
ASKABLE = WORDS - {"init", "next", "base", "input", "<="}
"""Those that may stand in a body."""
_DERIVED = frozenset(predicate.name for predicate in QUERIES)
_ARITIES = {predicate.name: predicate.arity for predicate in QUERIES}


def closest(name: str, known: Iterable[str], similar: float = 0.75) -> str | None:
    """The known name that is most like this one, if one is like it.

    It has the same letters in another order, or is the first by 2 * letters in common / letters of both.

    >>> closest("termnal", RELATIONS)
    'terminal'
    >>> closest("nto", WORDS)
    'not'
    """
    names = sorted(known)
    turned = [other for other in names if other != name and sorted(other) == sorted(name)]
    found = turned or difflib.get_close_matches(name, names, n=1, cutoff=similar)
    return found[0] if found else None


def did_you_mean(name: str | None) -> str | None:
    """A hint, where there is a name to hint at."""
    return None if name is None else f"did you mean `{name}`?"


def slips(sheet: Examined) -> dict[Mention, str]:
    """The names that look like slips, with the words of GDL that they look like.

    A head that no body uses is one when it is like a word of GDL with such arguments, and very much so where that word
    has rules too. So is a name in a body that no head has, when it is more like a word of GDL than like the head
    of any rule.
    """
    used = {mention.name for mention in sheet.mentions if not mention.is_head}
    meanings: dict[tuple[str, bool], str | None] = {}
    found: dict[Mention, str] = {}
    for mention in sheet.mentions:
        name, is_head = mention.name, mention.is_head
        if name in WORDS or name in (used if is_head else sheet.defined):
            continue
        if (name, is_head) not in meanings:
            meanings[name, is_head] = _meaning(name, is_head, sheet.defined)
        meant = meanings[name, is_head]
        if meant in WORDS and (not is_head or _fits(meant, mention)):
            found[mention] = meant
    return found


def _fits(meant: str | None, mention: Mention) -> bool:
    """Whether a relation of GDL may have such arguments: as many, and numbers for goals only (`(int 0)` is a relation
    of its own)."""
    numbers = any(isinstance(term, Word) and term.text.isdecimal() for term in mention.arguments)
    return _ARITIES.get(meant or "") == len(mention.arguments) and (meant == "goal" or not numbers)


def _meaning(name: str, is_head: bool, defined: frozenset[str]) -> str | None:
    """What a name that nothing uses, or that nothing defines, may have been meant for."""
    if is_head:
        return closest(name, _DERIVED - defined) or closest(name, _DERIVED, similar=0.8)
    return closest(name, ASKABLE | defined)
