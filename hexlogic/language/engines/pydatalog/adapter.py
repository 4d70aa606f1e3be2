"""The adapter of pydatalog: what it takes, and how it is opened (`session`)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hexlogic.errors import EngineError, StratificationError
from hexlogic.language import Atom, Literal, Program, Rule, Variable
from hexlogic.language.analysis.dependence import recursive_through, strata
from hexlogic.language.analysis.equivalence import needs_union_find
from hexlogic.language.engines.base import Follower, leaves_32_bits, reached_unbound
from hexlogic.language.engines.engine import Engine
from hexlogic.language.engines.incremental import FactFollower
from hexlogic.language.engines.pydatalog.session import PydatalogSession
from hexlogic.language.walk import subterms, variables


class PydatalogEngine(Engine):
    """The adapter of the pyDatalog package."""

    name = "pydatalog"
    package = "pyDatalog"
    dialect = "pydatalog"
    order_sensitive = True

    def supports(self, program: Program) -> str | None:
        """Refuses equivalences, unstratified programs, bodies in an illegal order and recursion that may not end.

        A body that reaches an unbound negation, comparison or sum would be answered None without an error, and look
        very fast. Recursion is safe with the recursive call first (`reach(Y) :- reach(X), edge(X,Y).`).
        """
        if reason := needs_union_find(program):
            return reason
        try:
            strata(program)
        except StratificationError as error:
            return str(error)
        if reason := reached_unbound(program):
            return reason
        for rule in program.rules:
            if (literal := _entangled(program, rule)) is not None:
                return f"it may search forever: `{literal}` is called with new arguments in the recursive `{rule}`"
        return leaves_32_bits(program)

    def open(self, program: Program) -> PydatalogSession:
        """Load the program. Raises EngineError."""
        if reason := self.missing() or self.supports(program):
            raise EngineError(f"pydatalog: {reason}")
        return PydatalogSession(program)

    def follow(self, program: Program, inputs: Sequence[Atom], queries: Sequence[Atom]) -> Follower:
        """Facts are asserted and retracted in one session."""
        return FactFollower(lambda: self.open(program), inputs, queries)


def _entangled(program: Program, rule: Rule) -> Literal | None:
    """A recursive call with arguments that the body has just bound, so that tables of one predicate wait in circles.

    reach(X,Y) :- edge(X,Z), reach(Z,Y).      reach(1,_) waits for reach(2,_), which waits for reach(1,_)

    An argument that stays what the head has is no new one, and a call that takes a compound argument of the head apart
    cannot come back.
    """
    if rule.head is None or not rule.body:
        return None
    component = recursive_through(program, rule.head.predicate)
    bound: frozenset[Variable] = frozenset()
    for item in rule.body:
        if isinstance(item, Literal) and item.positive and item.atom.predicate in component:
            own = rule.head.arguments if item.atom.predicate == rule.head.predicate else ()
            pairs = list(itertools.zip_longest(item.atom.arguments, own))
            descends = any(mine is not None and call in list(subterms(mine))[1:] for call, mine in pairs)
            if not descends and any(variables(call) & bound for call, mine in pairs if call != mine):
                return item
        bound |= variables(item)
    return None


ENGINE = PydatalogEngine()
