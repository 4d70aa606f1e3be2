"""The words of GDL, and which of them a name may have been meant for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.mentions import Mention
from hexlogic.ggp.language.sheet import INPUTS, QUERIES
from hexlogic.ggp.language.tree import Word
from hexlogic.language.dialects.gdl_items import FORMULA_WORDS

RELATIONS = frozenset(predicate.name for predicate in (*INPUTS, *QUERIES))
"""The relations that GDL itself gives a meaning."""
WORDS = RELATIONS | FORMULA_WORDS
"""All words of GDL."""
ASKABLE = WORDS - {"init", "next", "base", "input", "<="}
"""Those that may stand in a body."""
_ARITIES = {predicate.name: predicate.arity for predicate in QUERIES}
"""The relations that rules derive, and how many arguments they have."""


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
    meanings: dict[tuple[str, frozenset[str] | None], str | None] = {}
    found: dict[Mention, str] = {}
    for mention in sheet.mentions:
        name, is_head = mention.name, mention.is_head
        if name in WORDS or name in (used if is_head else sheet.defined):
            continue
        fitting = frozenset(word for word in _ARITIES if _fits(word, mention)) if is_head else None
        if (name, fitting) not in meanings:
            meanings[name, fitting] = _meaning(name, fitting, sheet.defined)
        meant = meanings[name, fitting]
        if meant in WORDS:
            found[mention] = meant
    return found


def _fits(word: str, mention: Mention) -> bool:
    """Whether a relation of GDL may have such arguments: as many, and numbers for goals only (`(int 0)` is a relation
    of its own)."""
    numbers = any(isinstance(term, Word) and term.text.isdecimal() for term in mention.arguments)
    return _ARITIES[word] == len(mention.arguments) and (word == "goal" or not numbers)


def _meaning(name: str, fitting: frozenset[str] | None, defined: frozenset[str]) -> str | None:
    """What a name that nothing uses, or that nothing defines, may have been meant for: a head for one of the words that
    may have its arguments."""
    if fitting is not None:
        return closest(name, fitting - defined) or closest(name, fitting, similar=0.8)
    return closest(name, ASKABLE | defined)
