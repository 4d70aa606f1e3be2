"""Instances on which the texts of an encoding are compared: the given one, parts of its facts, random facts.

Predicates that nothing defines get random facts beside the given ones, so that a comparison without an instance is not
one of empty programs.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from clingo.ast import ASTType

from hexlogic.encodings.convert import constants_in, heads_and_bodies, predicates_in
from hexlogic.encodings.reading import Encoding, Statement
from hexlogic.logic import Predicate

__all__ = ["instances_of", "undefined_predicates"]

_NUMBERS: Final = ("1", "2", "3")
_MOST_NAMES: Final = 2
"""Names of the program among the arguments of random facts."""
_MOST_FACTS: Final = 6
"""Random facts of a predicate."""


def undefined_predicates(statements: Iterable[Statement]) -> frozenset[Predicate]:
    """The predicates that bodies ask about and of which nothing derives an atom.

    >>> from hexlogic.encodings.reading import read_encoding_text
    >>> encoding = read_encoding_text("{ a(X) } :- n(X). :~ a(X), c(X,Y). [Y]")
    >>> sorted(map(str, undefined_predicates(encoding.statements)))
    ['c/2', 'n/1']
    """
    asked, derived = set[Predicate](), set[Predicate]()
    for statement in statements:
        node = statement.node
        if node.ast_type == ASTType.Rule:
            heads, bodies = heads_and_bodies(node)
            derived |= heads
            asked |= bodies
        elif node.ast_type == ASTType.External:
            derived |= predicates_in(node.atom)
        elif node.ast_type in (ASTType.Minimize, ASTType.ShowTerm):
            asked |= predicates_in(node)
    return frozenset(asked - derived)


def instances_of(
    encoding: Encoding,
    profile: Encoding | None,
    number: int,
    *,
    keep: bool = False,
    defined: Collection[Predicate] = (),
) -> Iterator[tuple[str, list[int], str]]:
    """The name of an instance, the facts of the encoding that it leaves out, and the text that it adds.

    The first is the one that was given, then come `number` with a random half of the facts and with random facts of
    undefined predicates. `keep` leaves out none of the encoding, and `defined` are predicates that something
    outside of the texts defines.
    """
    facts = [
        place
        for place, statement in enumerate(encoding.statements)
        if statement.is_fact and statement.source is not None and not keep
    ]
    yield "the instance that was given", [], "" if profile is None else "\n#program base.\n" + profile.text
    given = [] if profile is None else list(profile.statements)
    undefined = sorted(undefined_predicates([*encoding.statements, *given]) - {*defined})
    values = _values(encoding)
    for seed in range(number if facts or given or undefined else 0):
        generator = random.Random(seed)
        gone = [place for place in facts if generator.random() < 0.5]
        kept = [
            str(statement.node)
            for statement in given
            if not statement.is_fact or generator.random() < 0.5
            if statement.node.ast_type not in (ASTType.Comment, ASTType.Script)
        ]
        added = [fact for predicate in undefined for fact in _facts(predicate, values, generator)]
        name = "the instance with a random half of its facts" if facts or given else "random facts"
        yield f"{name}, seed {seed}", gone, "\n".join(["", *kept, "#program base.", *added, ""])


def _values(encoding: Encoding) -> list[str]:
    """Numbers and a few names of the program."""
    names = sorted(frozenset[str]().union(*(constants_in(statement.node) for statement in encoding.statements)))
    return [*_NUMBERS, *names[:_MOST_NAMES]]


def _facts(predicate: Predicate, values: list[str], generator: random.Random) -> list[str]:
    """Random facts of a predicate; of one without arguments the atom or nothing."""
    if not predicate.arity:
        return [f"{predicate.name}."] * generator.randint(0, 1)
    drawn = itertools.repeat(predicate.arity, generator.randint(1, _MOST_FACTS))
    return [f"{predicate.name}({','.join(generator.choices(values, k=arity))})." for arity in drawn]
