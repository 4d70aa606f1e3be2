"""Rules of predicates that nothing asks about are dropped where `#show` lines or a query say which predicates matter.

Before:  put(T,M,N) :- move(T,N), where(T,M), step(T).     #show move/2.
After:   nothing.

Each answer set of the rest extends to exactly one of the whole, since such a predicate gets its atoms from rules with a
plain head alone: the program is split in two (Lifschitz and Turner 1994). *Leaves alone* predicates that an aggregate
or a disjunction derives, that another part, a directive, a statement of asprin or the instance mentions, and those with
a classical negation.
"""

from collections.abc import Mapping

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.statements import BASE, Statement
from hexlogic.encodings.steps.base import Dropped, Step
from hexlogic.language import Predicate


def _asked(statement: Statement, block: Block | None) -> frozenset[Predicate]:
    """The predicates about which a statement asks, or that it derives in a way that is more than a rule."""
    if statement.kind in ("ShowSignature", "ProjectSignature"):
        return frozenset([statement.signature])
    if not statement.is_plain or statement.part != BASE:
        return statement.names.predicates
    if block is None or block.rule.head is None or block.kind != "rule":
        return statement.asked
    negative = {literal.atom.predicate for literal in block.rule.literals if not literal.positive}
    return statement.asked - ({block.rule.head.predicate} - negative)


def dropped(analysis: Analysis) -> Mapping[int, Dropped]:
    """The rules that nothing asks about; none where all predicates are wanted.

    >>> from hexlogic.encodings.reading import read_encoding_text
    >>> encoding = read_encoding_text("{ a(1..2) }. b(X) :- a(X). c(X) :- b(X).")
    >>> dropped = STEP.dropped(Analysis(encoding, wanted=frozenset([Predicate("a", 1)])))
    >>> [str(body.block.rule) for body in dropped.values()]
    ['b(X) :- a(X).', 'c(X) :- b(X).']
    """
    encoding = analysis.encoding
    wanted = analysis.wanted or (analysis.predicates - analysis.hidden if analysis.hidden else frozenset())
    if not wanted or encoding.has_scripts:
        return {}
    blocks = (block for block in analysis.blocks if block.kind in ("rule", "head") and block.part == BASE)
    plain = {block.statement: block for block in blocks}
    kept = dict(enumerate(encoding.statements))
    heads = {place: kept[place].heads for place in plain if kept[place].is_plain}
    known = frozenset[Predicate]().union(*(statement.names.predicates for statement in kept.values()))
    always = {*wanted}
    for predicate in known:
        negation = Predicate(f"-{predicate.name}".removeprefix("--"), predicate.arity)
        if negation in known or predicate.name.lstrip("-") in encoding.asprin_names:
            always.add(predicate)
    while True:
        asked = always.union(*(_asked(statement, plain.get(place)) for place, statement in kept.items()))
        gone = [place for place in kept if place in heads and not heads[place] & asked]
        if not gone:
            rest = ((place, block) for place, block in plain.items() if place not in kept)
            return {place: Dropped(block, "splitting", "nothing asks") for place, block in rest}
        for place in gone:
            del kept[place]


STEP = Step("unused", dropped=dropped)
