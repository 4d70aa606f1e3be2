"""The words of GDL, and a sheet as it is written: each atom that it mentions, with the place of every word.

Programs know the places of rules only, and no longer tell `TERMINAL` from `terminal`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hexlogic.ggp.language.expressions import Expression, Form, Word, words
from hexlogic.ggp.language.sheet import INPUTS, QUERIES
from hexlogic.language.dialects.gdl import FORMULA_WORDS

RELATIONS = frozenset(predicate.name for predicate in (*INPUTS, *QUERIES))
"""The relations that GDL itself gives a meaning."""
WORDS = RELATIONS | FORMULA_WORDS
"""All words of GDL."""
ASKABLE = WORDS - {"init", "next", "base", "input", "<="}
"""Those that may stand in a body."""


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
    matches = turned or difflib.get_close_matches(name, names, n=1, cutoff=similar)
    return matches[0] if matches else None


def did_you_mean(name: str | None) -> str | None:
    """A hint, where there is a name to hint at."""
    return None if name is None else f"did you mean `{name}`?"


@dataclass(frozen=True, slots=True)
class Mention:
    """An atom where it is written: its name, its arguments, whether it is the head of a rule (or a fact), and whether
    it stands in parentheses."""

    word: Word
    arguments: tuple[Expression, ...]
    is_head: bool
    in_list: bool

    @property
    def name(self) -> str:
        """The name as it is compared with the words of GDL: in lower case."""
        return self.word.text.lower()


def mentions(expression: Expression) -> Iterator[Mention]:
    """The atoms of a fact or a rule, `distinct` among them, in text order; what is no atom is passed over."""
    match expression:
        case Form((Word("<="), head, *body)):
            yield from _atom(head, True)
            for formula in body:
                yield from _formula(formula)
        case _:
            yield from _atom(expression, True)


def _formula(expression: Expression) -> Iterator[Mention]:
    match expression:
        case Form((Word() as word, *parts)) if word.text.lower() in FORMULA_WORDS - {"distinct"}:
            for part in parts:
                yield from _formula(part)
        case _:
            yield from _atom(expression, False)


def _atom(expression: Expression, is_head: bool) -> Iterator[Mention]:
    match expression:
        case Word() as word if not word.text.startswith("?"):
            yield Mention(word, (), is_head, False)
        case Form((Word() as word, *parts)) if not word.text.startswith("?"):
            yield Mention(word, tuple(parts), is_head, True)


def term_words(terms: Iterable[Expression]) -> Iterator[Word]:
    """The words of terms that are no variables: constants and the names of functions."""
    return (word for term in terms for word in words(term) if not word.text.startswith("?"))


def compounds(terms: Iterable[Expression]) -> Iterator[Form]:
    """The compound terms, outermost first; `(noop)` is a constant."""
    return (term for term in lists(terms) if len(term.items) > 1)


def lists(terms: Iterable[Expression]) -> Iterator[Form]:
    """The terms in parentheses, outermost first."""
    for term in terms:
        if isinstance(term, Form):
            yield term
            yield from lists(term.items)
