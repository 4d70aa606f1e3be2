"""Labels in the place of pairs: each class of an equivalence relation is named by its least element.

    same(X,Y)                        all pairs of a class
    cluster(X,L)                     each element with the least one of its class

Only an element without a smaller neighbour can be the least of its class. Such candidates are carried through the
class, and the smallest of those that meet names it. Source: the labels of connected components
(Shiloach and Vishkin 1982), in rules without aggregates.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.names import fresh_names
from hexlogic.language.walk import has_distinct_variables, predicates, rule_variables, substitute
from hexlogic.proofs.finding.facts import Claim, Fact, canonical, fact_of
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World

_X, _Y, _LABEL = Variable("X"), Variable("Y"), Variable("L")
_NO: Final = Atom("contradiction")
_NAMES: Final = ("has_smaller", "candidate", "labelled", "outranked", "cluster", "least", "smaller")


@dataclass(frozen=True, slots=True)
class Equivalence:
    """A predicate that is an equivalence relation of two of its arguments, for each value of the others."""

    predicate: Predicate
    places: tuple[int, int]

    @property
    def others(self) -> dict[int, Variable]:
        """Variables for the other arguments, by place."""
        places = [place for place in range(self.predicate.arity) if place not in self.places]
        return {place: Variable(f"P{number or ''}") for number, place in enumerate(places)}

    def atom(self, first: Term, second: Term) -> Atom:
        """The atom with these two arguments."""
        arguments: dict[int, Term] = {**self.others, self.places[0]: first, self.places[1]: second}
        return Atom(self.predicate.name, tuple(arguments[place] for place in range(self.predicate.arity)))

    def fact(self, first: str, second: str) -> Fact:
        """The atom as a tuple."""
        return fact_of(self.atom(Variable(first), Variable(second)))


def labellings(program: Program, samples: Samples, _world: World) -> Iterator[Proposal]:
    """The program with labels in the place of each equivalence relation."""
    for predicate in sorted(recursive_predicates(program)):
        for places in itertools.combinations(range(predicate.arity), 2):
            relation = Equivalence(predicate, places)
            if is_equivalence(relation, samples):
                domains, steps = growth(relation, program)
                for domain in domains if steps else ():
                    yield from _labelled(program, relation, domain, steps)


def is_equivalence(relation: Equivalence, samples: Samples) -> bool:
    """Whether it is one in all models."""
    claims = [
        Claim((relation.fact("Y", "X"),), (relation.fact("X", "Y"),)),
        Claim((relation.fact("X", "X"),), (relation.fact("X", "Y"),)),
        Claim((relation.fact("X", "Z"),), (relation.fact("X", "Y"), relation.fact("Y", "Z"))),
    ]
    return all(samples.support(canonical(claim)) for claim in claims)


def growth(
    relation: Equivalence, program: Program
) -> tuple[list[tuple[BodyLiteral, ...]], list[tuple[BodyLiteral, ...]]]:
    """What an element X fulfils, by each rule that says so, and all that leads from X to the next element Y."""
    domains, steps = list[tuple[BodyLiteral, ...]](), list[tuple[BodyLiteral, ...]]()
    for rule in program.defining(relation.predicate):
        assert rule.head is not None
        first, second = (rule.head.arguments[place] for place in relation.places)
        if not has_distinct_variables(rule.head) and first != second:
            continue
        names: dict[Variable, Term] = {
            term: relation.others[place]
            for place, term in enumerate(rule.head.arguments)
            if place in relation.others and isinstance(term, Variable)
        }
        recursive = [literal for literal in rule.literals if literal.atom.predicate == relation.predicate]
        rest = Rule(None, tuple(item for item in rule.body if item not in recursive))
        assert isinstance(first, Variable)
        assert isinstance(second, Variable)
        if not recursive:
            named = substitute(rest, {**names, second: _Y, first: _X})
            (domains if first == second else steps).append(named.body)
        elif len(recursive) == 1:
            begin, middle = (recursive[0].atom.arguments[place] for place in relation.places)
            if begin == first and isinstance(middle, Variable) and first not in rule_variables(rest):
                steps.append(substitute(rest, {**names, middle: _X, second: _Y}).body)
    return domains, steps


def _labelled(
    program: Program, relation: Equivalence, domain: tuple[BodyLiteral, ...], steps: Sequence[tuple[BodyLiteral, ...]]
) -> Iterator[Proposal]:
    names = dict[str, str]()
    for name in _NAMES:
        names[name] = next(iter(fresh_names(name, {predicate.name for predicate in predicates(program)})))
    rival = Variable("K")

    def atom(name: str, *arguments: Term) -> Atom:
        return Atom(names[name], (*relation.others.values(), *arguments))

    def literal(name: str, *arguments: Term) -> Literal:
        return Literal(atom(name, *arguments))

    ends = substitute(Rule(None, domain), {_X: _Y}).body
    bodies = [tuple(dict.fromkeys((*domain, *step, *ends, Comparison("<", _Y, _X)))) for step in steps]
    rules = [
        *(Rule(atom("has_smaller", _X), body) for body in bodies),
        Rule(atom("candidate", _X), (*domain, Literal(atom("has_smaller", _X), False))),
        Rule(atom("labelled", _X, _X), (literal("candidate", _X),)),
        *(Rule(atom("labelled", _Y, _LABEL), (literal("labelled", _X, _LABEL), *step)) for step in steps),
        Rule(
            atom("outranked", _LABEL),
            (literal("candidate", _LABEL), literal("labelled", _LABEL, rival), Comparison("<", rival, _LABEL)),
        ),
        Rule(atom("cluster", _X, _LABEL), (literal("labelled", _X, _LABEL), Literal(atom("outranked", _LABEL), False))),
    ]
    least, smaller, pair = literal("least", _X, _LABEL), atom("smaller", _X, _LABEL), relation.atom
    within, between = Literal(pair(_X, _LABEL)), Literal(pair(_X, rival))
    onward = Rule(atom("labelled", _Y, _LABEL), (Literal(pair(_X, _Y)), literal("labelled", _X, _LABEL)))
    back = Rule(atom("labelled", _X, _LABEL), (Literal(pair(_X, _Y)), literal("labelled", _Y, _LABEL)))
    blocks: list[tuple[object, ...]] = [
        ("means: what is not the least", Rule(smaller, (within, between, Comparison("<", rival, _LABEL)))),
        ("means: the least element of a class", Rule(least.atom, (within, Literal(smaller, False)))),
        ("lemma least element: a class is finite and not empty, so one is the least", Rule(least.atom, domain)),
        ("claim: transitive", Rule(pair(_X, rival), (Literal(pair(_Y, rival)), Literal(pair(_X, _Y))))),
        ("claim: symmetric", Rule(pair(_Y, _X), (Literal(pair(_X, _Y)),))),
        ("claim: its labels are of the class", Rule(pair(_LABEL, _X), (literal("labelled", _X, _LABEL),))),
        ("claim: the least has no smaller neighbour", Rule(_NO, (literal("has_smaller", _LABEL), least))),
        ("claim: so it is a candidate", Rule(atom("candidate", _LABEL), (least,))),
        ("claim: labels go through the class", onward, back),
        (
            "claim: a candidate labels its class",
            Rule(atom("labelled", _Y, _LABEL), (Literal(pair(_LABEL, _Y)), literal("candidate", _LABEL))),
        ),
        ("claim: no candidate outranks the least", Rule(_NO, (literal("outranked", _LABEL), least))),
        (
            "claim: so it names the class",
            Rule(atom("cluster", _Y, _LABEL), (least, Literal(pair(_X, _Y)))),
        ),
    ]
    blocks += [
        ("claim: nothing of a class is below its least", Rule(_NO, (least, between, Comparison("<", rival, _LABEL)))),
        ("claim: what names a class is its least", Rule(_NO, (Literal(smaller), literal("cluster", _X, _LABEL)))),
    ]
    hints = "\n".join(f"%% {chr(10).join(map(str, block))}\n" for block in blocks)
    words = f"the least element of a class of {relation.predicate} in the place of all pairs"
    used = [rule for rule in program.rules if rule.head is not None and rule.head.predicate != relation.predicate]
    changed = [with_labels(rule, relation, names["cluster"]) for rule in used]
    yield Proposal(asked_for(program.with_rules((*rules, *changed))), words, hints)
    for predicate in sorted({rule.head.predicate for rule in used if rule.head is not None}):
        if predicate.arity == relation.predicate.arity:
            # A predicate that is the least element: what does not agree on samples is dropped by the search.
            others = [rule for rule in changed if rule.head is not None and rule.head.predicate != predicate]
            named = Rule(Atom(predicate.name, atom("cluster", _X, _LABEL).arguments), (literal("cluster", _X, _LABEL),))
            yield Proposal(asked_for(program.with_rules((*rules, named, *others))), words, hints)


def with_labels(rule: Rule, relation: Equivalence, cluster: str) -> Rule:
    """The rule with two atoms that name the same label in the place of each pair."""
    body = list[BodyLiteral]()
    used = {variable.name for variable in rule_variables(rule)}
    labels = (Variable(name) for name in fresh_names("L", used))
    for item in rule.body:
        if isinstance(item, Literal) and item.atom.predicate == relation.predicate and item.positive:
            label = next(labels)
            others = [term for place, term in enumerate(item.atom.arguments) if place not in relation.places]
            for place in relation.places:
                body.append(Literal(Atom(cluster, (*others, item.atom.arguments[place], label))))
        else:
            body.append(item)
    return rule.with_body(tuple(body))


MOVE: Final = Move("the least element of each class in the place of all pairs", labellings)
