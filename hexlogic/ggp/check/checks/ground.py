"""What only ground rules show: what `base` and `input` leave out, and recursion that goes round in circles."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.finding import Finding, error, warning
from hexlogic.ggp.check.registry import check
from hexlogic.ggp.language.static_facts import possible_inputs
from hexlogic.language.analysis.dependence import recursive_predicates, sccs, static_predicates
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.dialects.gdl_words import word_of
from hexlogic.language.ground.program import GroundProgram, ground_program
from hexlogic.language.syntax import Predicate, Program, Rule, Term


@check("base", "ground")
def base(sheet: Examined) -> Iterator[Finding]:
    """`base` names every fact that a state may have."""
    yield from _uncovered(sheet, "base", {(fact,) for fact in sheet.games.facts})


@check("inputs", "ground")
def inputs(sheet: Examined) -> Iterator[Finding]:
    """`input` names every move that may be legal."""
    yield from _uncovered(sheet, "input", sheet.games.legal)


def _uncovered(sheet: Examined, declaration: str, seen: Collection[tuple[Term, ...]]) -> Iterator[Finding]:
    """One finding for each rule that leads out of what is declared: an error when a game went there, otherwise a
    warning, since the rules alone do not tell which facts come together."""
    if not {"base", "input"} <= sheet.defined:
        return
    for found in sheet.undeclared:
        if found.declaration != declaration:
            continue
        played = [terms for terms in found.beyond if terms in seen]
        shown = " ".join(map(write_term, (played or found.beyond)[0]))
        more = f" and {len(found.beyond) - 1} more" if len(found.beyond) > 1 else ""
        if played:
            yield error(found.rule, f"`{declaration}` does not name {shown}{more}", "it came up in a random game")
        else:
            hint = "no random game came there, and perhaps none can"
            yield warning(found.rule, f"`{declaration}` does not name {shown}{more}, which this rule may bring", hint)


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
