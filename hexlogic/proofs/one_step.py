"""Whether the rules of two programs have the same immediate consequences: a miter without any recursion.

    reach(P,Y) :- reach(P,X), cell(X), adjacent(X,Y).      reach(P,Y) :- reach(P,X), adjacent(X,Y).

Whatever `reach` is so far, both rules add the same to it: then it becomes the same in the end. So every relation that
both programs derive is assumed to be anything at all (within what clingo's grounder finds possible), and each program
says what follows from that in one step; relations that only one of them has are worked out. What follows is compared.

Two stratified programs whose steps agree on all interpretations have the same model: it is the well-founded one, and
that of the best approximation depends on the step alone. Where steps differ the programs may still be equal.
Source: Denecker, Marek and Truszczynski 2004, "Ultimate approximation and its application in nonmonotonic knowledge
representation systems".
"""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.language import Atom, Literal, Program, Rule
from hexlogic.language.analysis.dependence import dependency_graph, static_predicates
from hexlogic.language.ground.program import ground_program
from hexlogic.language.names import internal_name
from hexlogic.language.walk import general_atom, predicates, rename_rule
from hexlogic.proofs.miter import MUST_DIFFER, differences

_FORBIDDEN = Atom(internal_name("forbidden"))


def one_step_miter(left: Program, right: Program, tuples: Sequence[Atom], guard: Rule) -> str | None:
    """The text for clingo that has a stable model exactly when some step of the programs differs.

    `tuples` are all input facts that there can be. The `guard` is a constraint such as `:- does(R,M), not legal(R,M).`:
    what depends on its positive literals is compared only where the left program keeps it. That is sound since nothing
    that its negative literals need depends on them; None where something does, and where a rule derives an input, so
    that there is more of it than what is assumed.

    What is assumed keeps its name; what a step derives, and what only one program has, gets an internal name. Raises
    EngineError when the left program cannot be ground.
    """
    programs = (left, right)
    guarded = [literal.atom.predicate for literal in guard.literals if literal.positive]
    needed = [literal.atom.predicate for literal in guard.literals if not literal.positive]
    above = frozenset().union(*(dependency_graph(program).above(guarded) for program in programs))
    heads = [program.heads for program in programs]
    inputs = {*left.inputs, *right.inputs}
    if above.intersection(needed) or (heads[0] | heads[1]) & inputs:
        return None
    shared = sorted((heads[0] & heads[1]) - static_predicates(left))
    asked = sorted({*shared, *left.queries, *right.queries})
    ground = ground_program(left, tuples, wanted=shared)
    assumed = [atom for atom in (*ground.atoms, *ground.facts) if atom.predicate in shared]
    derived, body_names = [], []
    for program, side in zip(programs, ("left", "right"), strict=True):
        known = {*predicates(program), *asked, *needed}
        derived.append({predicate: internal_name(side, predicate.name) for predicate in known})
        body_names.append({predicate: derived[-1][predicate] for predicate in known - {*shared, *inputs}})
    rules = [
        Rule(rename_rule(rule, heads_of).head, rename_rule(rule, bodies_of).body)
        for program, heads_of, bodies_of in zip(programs, derived, body_names, strict=True)
        for rule in program.rules
    ]
    for predicate in asked:
        arguments = general_atom(predicate).arguments
        pair = Atom(derived[0][predicate], arguments), Atom(derived[1][predicate], arguments)
        rules += differences([pair], *([Literal(_FORBIDDEN, False)] if predicate in above else []))
    forbidden = rename_rule(guard, {predicate: derived[0][predicate] for predicate in needed})
    rules += [Rule(_FORBIDDEN, forbidden.body), MUST_DIFFER]
    choices = (f"{{ {atom} }}." for atom in dict.fromkeys((*tuples, *assumed)))
    return "\n".join([*choices, *map(str, rules)])
