"""Write what is given in place: a board's rules for neighbours where a rule asks for a neighbour.

    reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).

    reach(P,Y) :- reach(P,X), Y = X+1, not column(X,columns), owns(P,Y).        and so for each rule for `adjacent`

A neighbour is computed from the stone that is reached: no engine makes all pairs of neighbours first, and none looks
through all cells for the six. What stones promise (they lie on cells) takes tests away. Source: partial evaluation of
logic programs (Lloyd and Shepherdson 1991).
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from hexlogic.language import Atom, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.dependence import recursive_predicates, static_predicates
from hexlogic.language.homomorphism import unfold_calls
from hexlogic.language.passes import Pipeline
from hexlogic.language.walk import general_atom, predicates, rename_rule
from hexlogic.proofs.finding.facts import Claim, canonical, fact_of
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for, blocks
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World

_MOST: Final = 40
"""Rules of a program that is proposed."""
_TIDY: Final = Pipeline.parse("reorder:textual,prune")


def inlinings(program: Program, samples: Samples, world: World) -> Iterator[Proposal]:
    """The program with each given predicate that has rules written in place."""
    for predicate in sorted(predicates(program) & static_predicates(world.board) & world.board.heads):
        definitions = world.board.defining(predicate)
        called = [rule for rule in program.rules if _call(rule, predicate)]
        if predicate in recursive_predicates(world.board) or not all(rule.body for rule in definitions):
            continue
        rules = [new for rule in program.rules for new in unfold_calls(rule, world.board, [predicate], sys.maxsize)]
        if called and len(rules) <= _MOST:
            tidied = _TIDY.apply(world.board + program.with_rules(tuple(rules)))
            kept = [rule for rule in tidied.rules if rule.head and rule.head.predicate in program.heads]
            hints = _bridge(program, called, predicate, definitions, [*_promised(program, samples, world)])
            yield Proposal(asked_for(program.with_rules(tuple(kept))), f"{predicate} is written in place", hints)


def _call(rule: Rule, predicate: Predicate) -> Literal | None:
    return next((item for item in rule.literals if item.atom.predicate == predicate and item.positive), None)


def _promised(program: Program, samples: Samples, world: World) -> Iterator[Rule]:
    """What atoms of the rules and the inputs say of one of their arguments: `cell(X) :- owns(P,X).`"""
    for given in sorted(world.board.heads):
        for atom in map(general_atom, sorted({*world.board.inputs, *program.heads} - set(program.queries))):
            for term in atom.arguments if given.arity == 1 else ():
                said = Atom(given.name, (term,))
                if samples.support(canonical(Claim((fact_of(said),), (fact_of(atom),)))):
                    yield Rule(said, (Literal(atom),))


def _bridge(
    program: Program,
    called: Sequence[Rule],
    predicate: Predicate,
    definitions: Sequence[Rule],
    promised: Sequence[Rule],
) -> str:
    """What is given, as lemmas; what the rules promise; each rule again, by cases of what it calls; both directions."""
    names = [{head: f"{head.name}_{side}" for head in program.heads} for side in ("left", "right")]
    derived = [rule for rule in promised if any(item.atom.predicate in program.heads for item in rule.literals)]
    again = [
        rename_rule(rule.with_body(tuple(sorted(rule.body, key=lambda item: item != _call(rule, predicate)))), names[1])
        for rule in called
    ]
    atoms = [general_atom(head) for head in sorted(program.heads - set(program.queries))]
    sides = [[replace(atom, name=each[atom.predicate]) for atom in atoms] for each in names]
    same = [Rule(one, (Literal(other),)) for ends in (sides[::-1], sides) for one, other in zip(*ends, strict=True)]
    lemmas = [rule for rule in promised if rule not in derived]
    return "\n\n".join(
        [
            *blocks("lemma", [(f"{rule.conclusion.name} of {next(rule.literals).atom.name}", rule) for rule in lemmas]),
            *blocks("lemma", [(f"{predicate.name} case {n}", rule) for n, rule in enumerate(definitions, 1)]),
            *blocks("claim", [("", rename_rule(rule, each)) for rule in derived for each in names], "it lies there"),
            *blocks("claim", [("", rule) for rule in again], f"each rule again, by cases of {predicate.name}"),
            *blocks("claim", [("", rule) for rule in same], "the same"),
        ]
    )


MOVE: Final = Move("what the board defines is written in place", inlinings)
