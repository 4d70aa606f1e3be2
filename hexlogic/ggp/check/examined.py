"""A sheet under examination: what it says, what could be read of it, and the games that were played with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from hexlogic.errors import HexlogicError
from hexlogic.ggp.check.games import Plays, SeenGames, play
from hexlogic.ggp.check.words import ASKABLE, WORDS, Mention, closest, mentions
from hexlogic.ggp.language.expressions import Expression, Word
from hexlogic.ggp.language.reading import expressions_of
from hexlogic.ggp.language.sheet import QUERIES, read_rules, sheet_of
from hexlogic.language.syntax import Program, Rule

_ARITIES = {predicate.name: predicate.arity for predicate in QUERIES}
"""The relations that rules derive, and how many arguments they have."""


@dataclass(frozen=True)
class Examined:
    """A sheet as expressions, and for each of them its rules or the error that it is."""

    file: str
    expressions: tuple[Expression, ...]
    found: tuple[tuple[Rule, ...] | HexlogicError, ...]
    plays: Plays = field(default_factory=Plays)

    @cached_property
    def refused(self) -> tuple[HexlogicError, ...]:
        """The errors of the expressions that are no rules."""
        return tuple(error for error in self.found if isinstance(error, HexlogicError))

    @cached_property
    def program(self) -> Program:
        """The rules that could be read."""
        return sheet_of(
            itertools.chain.from_iterable(part for part in self.found if not isinstance(part, HexlogicError))
        )

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Every atom as it is written, those of refused expressions included."""
        return tuple(mention for expression in self.expressions for mention in mentions(expression))

    @cached_property
    def read(self) -> tuple[Mention, ...]:
        """The atoms of the expressions that are rules."""
        pairs = zip(self.expressions, self.found, strict=True)
        readable = [expression for expression, rules in pairs if not isinstance(rules, HexlogicError)]
        return tuple(mention for expression in readable for mention in mentions(expression))

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names of all heads, in lower case."""
        return frozenset(mention.name for mention in self.mentions if mention.is_head)

    def defining(self, name: str) -> Iterator[Rule]:
        """The rules that could be read whose head has this name."""
        return (rule for rule in self.program.rules if rule.head is not None and rule.head.name == name)

    @cached_property
    def games(self) -> SeenGames:
        """Random games. Raises HexlogicError when the reasoner cannot take the sheet."""
        return play(self.program, self.plays)

    @cached_property
    def misspelt(self) -> dict[Mention, str]:
        """The names that look misspelt, with the words of GDL that they look like.

        A head that no body uses is one when it is like a word of GDL with such arguments, and very much so where that
        word has rules too. So is a name in a body that no head has, when it is more like a word of GDL than like the
        head of any rule.
        """
        used = {mention.name for mention in self.mentions if not mention.is_head}
        meanings: dict[tuple[str, frozenset[str] | None], str | None] = {}
        misspelt: dict[Mention, str] = {}
        for mention in self.mentions:
            name, is_head = mention.name, mention.is_head
            if name in WORDS or name in (used if is_head else self.defined):
                continue
            fitting = frozenset(word for word in _ARITIES if _fits(word, mention)) if is_head else None
            if (name, fitting) not in meanings:
                meanings[name, fitting] = self._meaning(name, fitting)
            meant = meanings[name, fitting]
            if meant in WORDS:
                misspelt[mention] = meant
        return misspelt

    def _meaning(self, name: str, fitting: frozenset[str] | None) -> str | None:
        """What a name that nothing uses, or that nothing defines, may have been meant for: a head for one of the words
        that may have its arguments."""
        if fitting is not None:
            return closest(name, fitting - self.defined) or closest(name, fitting, similar=0.8)
        return closest(name, ASKABLE | self.defined)


def _fits(word: str, mention: Mention) -> bool:
    """Whether a relation of GDL may have such arguments: as many, and numbers for goals only (`(int 0)` is a relation
    of its own)."""
    numbers = any(isinstance(term, Word) and term.text.isdecimal() for term in mention.arguments)
    return _ARITIES[word] == len(mention.arguments) and (word == "goal" or not numbers)


def examine(text: str, file: str = "<text>", plays: Plays | None = None) -> Examined:
    """The sheet in a text. Raises RuleSyntaxError when its parentheses do not match."""
    expressions = expressions_of(text, file)
    return Examined(file, expressions, tuple(read_rules(expressions, file)), plays or Plays())
