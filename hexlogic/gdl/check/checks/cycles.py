"""Recursion that goes round in circles once the rules are ground."""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.gdl.check.examined import Examined
from hexlogic.gdl.check.finding import Finding, warning
from hexlogic.gdl.check.registry import check
from hexlogic.gdl.language.static_facts import possible_inputs
from hexlogic.ground.program import GroundProgram, ground_program
from hexlogic.logic.analysis.dependence import recursive_predicates, sccs, static_predicates
from hexlogic.logic.analysis.graph import Digraph
from hexlogic.logic.dialects.gdl_words import word_of
from hexlogic.logic.syntax import Predicate, Program, Rule

__all__ = ["cycles"]


@check("cycles", "ground")
def cycles(sheet: Examined) -> Iterator[Finding]:
    """Ground rules that depend on the state have no cycle, which some propositional networks get wrong."""
    recursive = recursive_predicates(sheet.program) - static_predicates(sheet.program)
    inputs = possible_inputs(sheet.program) if recursive else None
    if inputs is None:
        return
    ground = ground_program(sheet.program, inputs)
    for circle in sccs(sheet.program):
        size = _largest_cycle(ground, circle) if circle <= recursive else 0
        if size:
            name = word_of(min(circle).name)
            what = f"`{name}` is recursive in the ground rules: {size} atoms of it depend on each other"
            hint = "some players with propositional networks are wrong on such sheets"
            yield warning(_recursive_rule(sheet.program, circle), what, hint)


def _largest_cycle(ground: GroundProgram, circle: frozenset[Predicate]) -> int:
    """The size of the largest strongly connected component among the ground atoms of these predicates; 0 for none."""
    inside = {number for number, atom in enumerate(ground.atoms) if atom.predicate in circle}
    edges = [(rule.head, part, False) for rule in ground.rules if rule.head in inside for part in rule.positive]
    graph = Digraph((edge for edge in edges if edge[1] in inside), ())
    return max((len(part) for part in graph.components() if len(part) > 1), default=0)


def _recursive_rule(sheet: Program, circle: frozenset[Predicate]) -> Rule | None:
    """A rule that takes one of these predicates from another of them."""
    rules = (rule for predicate in sorted(circle) for rule in sheet.defining(predicate))
    return next((rule for rule in rules if any(item.atom.predicate in circle for item in rule.literals)), None)
