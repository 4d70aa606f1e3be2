"""Whether the rules of two sheets say the same step by step, by one question to clingo without any recursion.

    reach(P,Y) :- reach(P,X), cell(X), adjacent(X,Y).      reach(P,Y) :- reach(P,X), adjacent(X,Y).

Whatever `reach` is so far, both rules add the same to it: then it becomes the same in the end. So every relation that
both sheets derive is assumed to be anything at all (within what clingo's grounder finds possible), and each sheet says
what follows from that in one step; relations that only one of them has are worked out. What follows is compared.

Two stratified programs whose steps agree on all interpretations have the same model: it is the well-founded one, and
that of the best approximation depends on the step alone. What depends on `does` is compared for legal moves only, which
is sound since nothing that `legal` needs depends on them. Where steps differ the sheets may still be the same game.
Source: Denecker, Marek and Truszczynski 2004, "Ultimate approximation and its application in nonmonotonic knowledge
representation systems".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from hexlogic.ground.program import ground_program
from hexlogic.logic import Atom, Literal, Predicate, Program, Rule
from hexlogic.logic.analysis.dependence import dependency_graph, static_predicates
from hexlogic.logic.apart import general_atom
from hexlogic.logic.names import FreshNames
from hexlogic.logic.walk import predicates, rename_rule

__all__ = ["step_difference"]

_DOES, _LEGAL = Predicate("does", 2), Predicate("legal", 2)


def step_difference(left: Program, right: Program, possible: Sequence[Atom]) -> str | None:
    """The text for clingo: some step of the sheets differs; None when `legal` depends on `does`, or when a rule derives
    `true` or `does`, so that there is more of them than what is assumed.

    `possible` are all facts and moves that can come up. What is assumed keeps its name; what a step derives, and what
    only one sheet has, gets a name that occurs in no sheet. Raises EngineError when the left sheet cannot be ground.
    """
    sheets = (left, right)
    by_moves = frozenset[Predicate]().union(*(dependency_graph(sheet).above([_DOES]) for sheet in sheets))
    heads = [{rule.head.predicate for rule in sheet.rules if rule.head is not None} for sheet in sheets]
    inputs = {*left.inputs, *right.inputs}
    if _LEGAL in by_moves or (heads[0] | heads[1]) & inputs:
        return None
    shared = sorted((heads[0] & heads[1]) - static_predicates(left))
    asked = sorted({*shared, *left.queries, *right.queries})
    ground = ground_program(left, possible, wanted=shared)
    assumed = [atom for atom in (*ground.atoms, *ground.facts) if atom.predicate in shared]
    fresh = FreshNames(sheets, possible)
    before, after = (
        {one: fresh.make(f"{side}_{one.name}") for one in sorted({*predicates(sheet), *asked, _LEGAL})}
        for sheet, side in ((left, "before"), (right, "after"))
    )
    kept = {*shared, *inputs}
    differ, illegal = (Literal(Atom(fresh.make(name))) for name in ("differ", "illegal"))
    rules = [_step(rule, before, kept) for rule in left.rules] + [_step(rule, after, kept) for rule in right.rules]
    for predicate in asked:
        one, other = _named(predicate, before), _named(predicate, after)
        legal = (Literal(illegal.atom, False),) if predicate in by_moves else ()
        rules += [Rule(differ.atom, (Literal(one), Literal(other, False), *legal))]
        rules += [Rule(differ.atom, (Literal(other), Literal(one, False), *legal))]
    done = (Literal(general_atom(_DOES)), Literal(_named(_LEGAL, before), False))
    rules += [Rule(illegal.atom, done), Rule(None, (Literal(differ.atom, False),))]
    choices = (f"{{ {atom} }}." for atom in dict.fromkeys((*possible, *assumed)))
    return "\n".join([*choices, *map(str, rules)])


def _named(predicate: Predicate, names: Mapping[Predicate, str]) -> Atom:
    return general_atom(Predicate(names[predicate], predicate.arity))


def _step(rule: Rule, names: Mapping[Predicate, str], kept: Collection[Predicate]) -> Rule:
    """The rule with the new name of its head, and with those of the body literals that are not assumed."""
    others = {predicate: name for predicate, name in names.items() if predicate not in kept}
    return Rule(rename_rule(rule, names).head, rename_rule(rule, others).body)
