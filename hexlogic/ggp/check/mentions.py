"""A sheet as it is written: each atom that it mentions, with the place of every word.

Programs know the places of rules only, and no longer tell `TERMINAL` from `terminal`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hexlogic.ggp.language.tree import Expression, Form, Word, words
from hexlogic.language.dialects.gdl_items import FORMULA_WORDS


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
