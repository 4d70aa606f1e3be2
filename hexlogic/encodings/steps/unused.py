"""Rules of predicates that nothing asks about are dropped where a query says which predicates matter.

Before:  put(T,M,N) :- move(T,N), where(T,M), step(T).     with --query move/2,where/2
After:   nothing.

Each answer set of the rest extends to exactly one of the whole, since such a predicate gets its atoms from rules with a
plain head alone: the program is split in two (Lifschitz and Turner 1994). *Leaves alone* predicates that an aggregate
or a disjunction derives, that another part, a directive, a statement of asprin or the instance mentions, and those with
a classical negation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.statements import BASE, Statement
from hexlogic.encodings.steps.base import Dropped, Step
from hexlogic.language import Literal, Predicate


def unused_rules(encoding: Encoding, blocks: Iterable[Block], wanted: Collection[Predicate]) -> dict[int, Block]:
    """The rules to drop, by the number of the statement. `wanted` are the predicates that matter; none for all.

    >>> from hexlogic.encodings.blocks import blocks_of
    >>> from hexlogic.encodings.reading import read_encoding_text
    >>> encoding = read_encoding_text("{ a(1..2) }. b(X) :- a(X). c(X) :- b(X).")
    >>> [str(block.rule) for block in unused_rules(encoding, blocks_of(encoding), [Predicate("a", 1)]).values()]
    ['b(X) :- a(X).', 'c(X) :- b(X).']
    """
    if not wanted or encoding.has_scripts:
        return {}
    plain = {block.statement: block for block in blocks if block.kind in ("rule", "head") and block.part == BASE}
    kept = dict(enumerate(encoding.statements))
    heads = {place: kept[place].heads for place in plain if kept[place].is_plain}
    known = frozenset[Predicate]().union(*(statement.names.predicates for statement in kept.values()))
    always = {*wanted, *(predicate for predicate in known if predicate.name.lstrip("-") in encoding.asprin_names)}
    always |= {
        predicate for predicate in known if Predicate(f"-{predicate.name}".removeprefix("--"), predicate.arity) in known
    }
    while True:
        asked = always.union(*(_asked(statement, plain.get(place)) for place, statement in kept.items()))
        gone = [place for place in kept if place in heads and not heads[place] & asked]
        if not gone:
            return {place: block for place, block in plain.items() if place not in kept}
        for place in gone:
            del kept[place]


def _asked(statement: Statement, block: Block | None) -> frozenset[Predicate]:
    """The predicates about which a statement asks, or that it derives in a way that is more than a rule."""
    if statement.kind in ("ShowSignature", "ProjectSignature"):
        return frozenset([statement.signature])
    if not statement.is_plain or statement.part != BASE:
        return statement.names.predicates
    bodies = statement.asked
    if block is None or block.rule.head is None or not block.is_definition:
        return bodies
    predicate = block.rule.head.predicate
    negative = {
        literal.atom.predicate for literal in block.rule.body if isinstance(literal, Literal) and not literal.positive
    }
    return bodies if predicate in negative else bodies - {predicate}


class Unused(Step):
    """Drop rules of predicates that do not matter."""

    def dropped(self, analysis: Analysis) -> Mapping[int, Dropped]:
        """The rules that nothing asks about."""
        rules = unused_rules(analysis.encoding, analysis.blocks, analysis.wanted)
        return {number: Dropped(block, "splitting", "nothing asks") for number, block in rules.items()}


STEP = Unused("unused")
