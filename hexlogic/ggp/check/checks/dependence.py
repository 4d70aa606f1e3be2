"""What may depend on what: the state is there before the moves, and some things do not change at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.finding import Finding, error
from hexlogic.ggp.check.registry import check
from hexlogic.ggp.check.vocabulary import RELATIONS
from hexlogic.ggp.language.sheet import INPUTS, QUERIES
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.dialects.gdl_words import word_of
from hexlogic.language.syntax import Predicate
from hexlogic.language.walk import predicates

_DOES = [predicate for predicate in INPUTS if predicate.name == "does"]
_CHANGES = [*INPUTS, *(query for query in QUERIES if query.name in ("next", "legal", "goal", "terminal"))]


@check("moves")
def moves(sheet: Examined) -> Iterator[Finding]:
    """`legal`, `goal` and `terminal` are asked before anyone moves: they never depend on `does`."""
    yield from _dependent(sheet, ("legal", "goal", "terminal"), _DOES, "they are asked before anyone moves")


@check("static")
def static(sheet: Examined) -> Iterator[Finding]:
    """`role`, `base`, `input` and `init` are the same in every state."""
    yield from _dependent(sheet, ("role", "base", "input", "init"), _CHANGES, "it is the same in every state")


def _dependent(sheet: Examined, names: Sequence[str], causes: Sequence[Predicate], hint: str) -> Iterator[Finding]:
    """The rules of these relations that lead to a cause, each with its shortest way there.

    No way leads on from a relation of GDL: what that depends on is found where its own rules are looked at.
    """
    rules = [rule for rule in sheet.program.rules if rule.head is not None and rule.head.name not in RELATIONS]
    edges = [
        (rule.head.predicate, literal.atom.predicate, False) for rule in rules if rule.head for literal in rule.literals
    ]
    graph = Digraph(edges, predicates(sheet.program))
    for name in names:
        for rule in sheet.defining(name):
            asked = dict.fromkeys(literal.atom.predicate for literal in rule.literals)
            ways = [
                [name, *(word_of(step.name) for step in graph.path(start, cause))]
                for start in asked
                for cause in causes
                if cause in graph.below([start])
            ]
            if ways:
                way = min(ways, key=len)
                by = f", by way of {' -> '.join(f'`{step}`' for step in way[1:-1])}" if len(way) > 2 else ""
                yield error(rule, f"`{name}` depends on `{way[-1]}`{by}", hint)
