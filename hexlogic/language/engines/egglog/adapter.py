"""The adapter of egglog: what it takes, and how it is opened (`session`) and follows a game.

An e-graph cannot take anything back, so there is a `push` before each fact of a game and a `pop` to undo it; that
stores a copy of the e-graph for each move. Where a stone can make something false (negation of what depends on the
inputs) what followed before is no longer right: such a program is asked anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hexlogic.errors import EngineError, HexlogicError
from hexlogic.language import Atom, Program
from hexlogic.language.analysis.dependence import dependency_graph, growing_predicates
from hexlogic.language.dialects.egglog import load_text
from hexlogic.language.engines.base import Follower, leaves_32_bits
from hexlogic.language.engines.egglog.session import EgglogSession
from hexlogic.language.engines.engine import Engine
from hexlogic.language.engines.incremental import FactFollower


class EgglogEngine(Engine):
    """The adapter of the egglog package."""

    name = package = "egglog"
    dialect = "egglog"
    order_sensitive = False

    def supports(self, program: Program) -> str | None:
        """Refuses unstratified programs, terms that grow under recursion and what the printer cannot say.

        Like clingo's, the test for growing terms is syntactic and sufficient for the endless run that it names.
        """
        try:
            load_text(program)
        except HexlogicError as error:
            return str(error)
        growing = min(growing_predicates(program), default=None)
        if growing is not None:
            return f"function terms grow under recursion in {growing}, so saturation does not end"
        return leaves_32_bits(program)

    def open(self, program: Program) -> EgglogSession:
        """Load the program. Raises EngineError when it is refused."""
        if reason := self.missing() or self.supports(program):
            raise EngineError(f"egglog: {reason}")
        return EgglogSession(program)

    def follow(self, program: Program, inputs: Sequence[Atom], queries: Sequence[Atom]) -> Follower:
        """Facts are added to one e-graph where the program only grows; otherwise it is asked anew."""
        if not _only_grows(program, inputs):
            return super().follow(program, inputs, queries)
        return FactFollower(lambda: self.open(program), inputs, queries)


def _only_grows(program: Program, inputs: Iterable[Atom]) -> bool:
    """Whether more inputs never mean fewer facts: no negated predicate depends on them."""
    changing = dependency_graph(program).above({atom.predicate for atom in inputs})
    negated = {literal.atom.predicate for rule in program.rules for literal in rule.literals if not literal.positive}
    return not negated & changing


ENGINE = EgglogEngine()
