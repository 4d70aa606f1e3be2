"""Fuse a query into a recursion: a view over a recursive predicate gets rules of its own, without that predicate.

    view(P,Y) :- starts(P,X), same_cluster(P,X,Y).          what a rule for wins reads of all pairs

    view(P,Y) :- owns(P,Y), first(P,Y).                     found: sound on all samples, and enough for them
    view(P,Y) :- view(P,X), adjacent(X,Y), owns(P,Y).

A rule is sound where the view is closed under it; the rules that are kept derive all of the view. Source: the FGH rule
of Wang, Abo Khamis, Ngo, Pichler and Suciu 2022, "Optimizing recursive queries with program synthesis", with samples
and a search for a proof in the place of program synthesis.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hexlogic.language import Literal, Predicate, Program, Rule
from hexlogic.language.analysis.dependence import reachable, recursive_predicates
from hexlogic.language.names import fresh_names
from hexlogic.language.walk import predicates, rename_rule
from hexlogic.proofs.finding.facts import (
    NOT,
    Claim,
    Fact,
    Value,
    atom_of,
    canonical,
    fact_of,
    is_test,
    is_variable,
    literal_of,
    variables_of,
)
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World

_LONGEST: Final = 3
"""Atoms in the body of a rule that is proposed."""
_VIEW: Final = 3
"""Atoms in the body of a view."""


def fusions(program: Program, samples: Samples, world: World) -> Iterator[Proposal]:
    """The programs in which one rule reads a fused view."""
    for rule in program.rules:
        for view, rest in _views(rule, program, samples):
            names = {predicate.name for predicate in predicates(program)}
            name = next(iter(fresh_names(f"{view.body[0][0]}_seen", names)))
            head = (name, *view.head[0][1:])
            if not samples.define(head, [view.body]):
                continue
            rules = rules_for(head, view, program, samples, world.names)
            samples.forget(name)
            if rules is not None:
                changed = rule.with_body((Literal(atom_of(head)), *rest))
                others = tuple(changed if other is rule else other for other in program.rules)
                new = asked_for(program.with_rules((*rules, *others)))
                if not rest and rule.head is not None and len(program.defining(rule.head.predicate)) == 1:
                    renamed = {Predicate(name, len(head) - 1): rule.head.name}
                    new = new.with_rules(tuple(rename_rule(other, renamed) for other in new.rules if other != changed))
                meaning = Rule(atom_of(head), tuple(map(literal_of, view.body)))
                yield Proposal(new, f"the view {meaning} is fused into the recursion")


def _views(rule: Rule, program: Program, samples: Samples) -> Iterator[tuple[Claim, tuple[Literal, ...]]]:
    """Parts of a body with a recursive predicate, of which the rest reads less than it has, and the rest."""
    literals = list(rule.literals)
    if rule.head is None or len(literals) != len(rule.body) or not rule.head.arguments:
        return
    recursive = recursive_predicates(program)
    for count in range(1, min(_VIEW, len(literals)) + 1):
        for places in itertools.combinations(range(len(literals)), count):
            part = [literals[place] for place in places]
            rest = tuple(literal for place, literal in enumerate(literals) if place not in places)
            sources = [literal for literal in part if literal.atom.predicate in recursive]
            if len(sources) != 1 or not all(literal.positive for literal in part) or rule.head.predicate in recursive:
                continue
            body = [fact_of(literal.atom) for literal in (*sources, *(other for other in part if other not in sources))]
            read = [fact_of(atom) for atom in (rule.head, *(literal.atom for literal in rest))]
            outside = set(itertools.chain.from_iterable(map(variables_of, read)))
            inside = dict.fromkeys(itertools.chain.from_iterable(map(variables_of, body)))
            view = Claim((("view", *(variable for variable in inside if variable in outside)),), tuple(body))
            columns = {part: (str(atom[0]), place) for atom in body for place, part in enumerate(atom[1:])}
            read_size = samples.size([columns[part] for part in view.head[0][1:]])
            name = str(body[0][0])
            if len(view.head[0]) > 1 and read_size < samples.size((name, place) for place in range(len(body[0]) - 1)):
                yield view, rest


def rules_for(
    head: Fact, view: Claim, program: Program, samples: Samples, vocabulary: frozenset[str]
) -> tuple[Rule, ...] | None:
    """The fewest rules that derive the view on all samples; None where those that are sound do not."""
    target = Predicate(str(view.body[0][0]), len(view.body[0]) - 1)
    below = {predicate.name for predicate in program.heads if target not in reachable(program, [predicate])}
    names = [name for name in samples.arities if name in vocabulary | below | {head[0]}]
    denied = {item.atom.name for rule in program.rules for item in rule.literals if not item.positive}
    names += [NOT + name for name in names if name in denied]
    sound: list[Claim] = []
    constants = {
        part: samples.kind(str(atom[0]), place)
        for atom in view.body
        for place, part in enumerate(atom[1:])
        if not is_variable(part)
    }
    for body in _bodies_over(head, names, samples, constants):
        if any(set(other.body) <= set(body) for other in sound):
            continue
        claim = Claim((head,), body)
        if samples.support(canonical(claim)):
            sound.append(claim)
    if not samples.derives(head, [claim.body for claim in sound]):
        return None
    for claim in sorted(sound, key=_weight, reverse=True):
        fewer = [other for other in sound if other is not claim]
        if samples.derives(head, [other.body for other in fewer]):
            sound = fewer
    return tuple(Rule(atom_of(head), tuple(map(literal_of, claim.body))) for claim in sound)


def _weight(claim: Claim) -> tuple[int, int, int, str]:
    """Long bodies weigh more, and of as long ones those that ask for what is new before what is reached."""
    given = {part for atom in claim.head for part in atom}
    late = sum(atom[1] in given and not given.issuperset(atom[2:]) for atom in claim.body if len(atom) == 3)
    return len(claim.body), sum(len(atom) for atom in claim.body), late, str(claim)


def _bodies_over(
    head: Fact, names: Sequence[str], samples: Samples, constants: Mapping[Value, int]
) -> Iterator[tuple[Fact, ...]]:
    """Bodies of growing length over the variables of the head, which all have, constants (with their kinds), and at
    most one more variable, used twice."""
    own = [str(part) for part in head[1:]]
    kinds: dict[Value, int] = {variable: samples.kind(str(head[0]), place) for place, variable in enumerate(own)}
    fresh = (letter for letter in "XYZUVWPQ" if letter not in kinds)
    kinds |= {next(fresh): kind for kind in dict.fromkeys(kinds.values())}
    kinds |= constants
    atoms = [
        (name, *arguments)
        for name in names
        for arguments in itertools.product(kinds, repeat=samples.arities[name.removeprefix(NOT)])
        if all(
            samples.kind(name.removeprefix(NOT), place) == kinds[argument] for place, argument in enumerate(arguments)
        )
        and len(set(arguments)) == len(arguments)
        and (name, *arguments) != head
    ]
    atoms.sort(key=lambda atom: (atom[0] == head[0], str(atom)))
    for count in range(1, _LONGEST + 1):
        for body in itertools.combinations(atoms, count):
            used = [variable for atom in body if not is_test(atom) for variable in atom[1:]]
            news = {part for part in used if part not in own and part not in constants}
            if (
                set(own).union(*(atom[1:] for atom in body if is_test(atom))) <= {*used, *constants}
                and len(news) <= 1
                and all(used.count(new) > 1 for new in news)
            ):
                yield _readable(body, head)


def _readable(body: Sequence[Fact], head: Fact) -> tuple[Fact, ...]:
    """The recursive atom first, then what binds, then what tests."""
    first = [atom for atom in body if atom[0] == head[0]]
    return (
        *first,
        *sorted((atom for atom in body if atom not in first), key=lambda atom: (-len(set(atom[1:])), str(atom))),
    )


MOVE: Final = Move("what a rule reads of a recursive relation gets rules of its own", fusions)
