"""A sheet under examination: what it says, what could be read of it, and the games that were played with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from hexlogic.errors import HexlogicError
from hexlogic.ggp.check.games import Plays, SeenGames, play
from hexlogic.ggp.check.mentions import Mention, mentions
from hexlogic.ggp.check.undeclared import Undeclared, undeclared
from hexlogic.ggp.language.reading import expressions_of
from hexlogic.ggp.language.sheet import read_rules, sheet_of
from hexlogic.ggp.language.tree import Expression
from hexlogic.language.analysis.dependence import recursive_predicates, sccs
from hexlogic.language.syntax import Predicate, Program, Rule


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

    @cached_property
    def circles(self) -> dict[Predicate, frozenset[Predicate]]:
        """For each recursive relation those that are recursive with it, itself among them."""
        recursive = recursive_predicates(self.program)
        return {predicate: circle for circle in sccs(self.program) for predicate in circle & recursive}

    def defining(self, name: str) -> Iterator[Rule]:
        """The rules that could be read whose head has this name."""
        return (rule for rule in self.program.rules if rule.head is not None and rule.head.name == name)

    @cached_property
    def games(self) -> SeenGames:
        """Random games. Raises HexlogicError when the reasoner cannot take the sheet."""
        return play(self.program, self.plays)

    @cached_property
    def undeclared(self) -> tuple[Undeclared, ...]:
        """The rules that lead beyond `base` and `input`. Raises EngineError when the sheet cannot be ground."""
        return undeclared(self.program)


def examine(text: str, file: str = "<text>", plays: Plays | None = None) -> Examined:
    """The sheet in a text. Raises RuleSyntaxError when its parentheses do not match."""
    expressions = expressions_of(text, file)
    return Examined(file, expressions, tuple(read_rules(expressions, file)), plays or Plays())
