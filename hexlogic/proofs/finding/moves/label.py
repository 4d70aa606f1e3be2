"""Labels in the place of pairs: each class of an equivalence relation is named by its least element.

    same(X,Y)                        all pairs of a class
    cluster(X,L)                     each element with the least one of its class

Only an element without a smaller neighbour can be the least of its class. Such candidates are carried through the
class, and the smallest of those that meet names it. Source: the labels of connected components
(Shiloach and Vishkin 1982), in rules without aggregates.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.games.rulesets.templates import expanded
from hexlogic.language import Atom, BodyLiteral, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.names import fresh_names, fresh_predicate, fresh_variables
from hexlogic.language.parser import parse, parse_rule
from hexlogic.language.walk import has_distinct_variables, numbered, predicates, substitute, variables
from hexlogic.process.files import read_text, rules_folder
from hexlogic.proofs.finding.facts import canonical
from hexlogic.proofs.finding.known import claim_of
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for, calls
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World

_X, _Y = Variable("X"), Variable("Y")
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

    def spelling(self, name: str) -> Callable[[str, str], str]:
        """The text of the atom under a name, given the names of two variables."""
        return lambda *ends: str(replace(self.atom(*map(Variable, ends)), name=name))

    def labels(self, name: str) -> Callable[..., str]:
        """The text of an atom of the other arguments and of these variables."""
        return lambda *terms: str(Atom(name, (*self.others.values(), *map(Variable, terms))))


def labellings(program: Program, samples: Samples, _world: World) -> Iterator[Proposal]:
    """The program with labels in the place of each equivalence relation."""
    for relation, domains, steps in equivalences(program, samples):
        fields = [] if domains else _fields(relation, program)
        member = Atom(fresh_predicate(program, "member", 0).name, (*relation.others.values(), _X))
        defined = tuple(Rule(member, body) for body in fields)
        for domain in [(Literal(member),)] if fields else domains:
            yield from _labelled(program.with_rules((*defined, *program.rules)), relation, domain, steps)


def equivalences(
    program: Program, samples: Samples
) -> Iterator[tuple[Equivalence, list[tuple[BodyLiteral, ...]], list[tuple[BodyLiteral, ...]]]]:
    """The equivalence relations that grow step by step, each with its `growth`."""
    for predicate in sorted(recursive_predicates(program)):
        for places in itertools.combinations(range(predicate.arity), 2):
            relation = Equivalence(predicate, places)
            if _is_equivalence(relation, samples):
                domains, steps = _growth(relation, program)
                if steps:
                    yield relation, domains, steps


def _is_equivalence(relation: Equivalence, samples: Samples) -> bool:
    pair = relation.spelling(relation.predicate.name)
    said = (f"{pair('Y', 'X')} :- {pair('X', 'Y')}.", f"{pair('X', 'X')} :- {pair('X', 'Y')}.",
            f"{pair('X', 'Z')} :- {pair('X', 'Y')}, {pair('Y', 'Z')}.")  # fmt: skip
    return all(samples.support(canonical(claim_of(parse_rule(rule)))) for rule in said)


def _growth(
    relation: Equivalence, program: Program
) -> tuple[list[tuple[BodyLiteral, ...]], list[tuple[BodyLiteral, ...]]]:
    """What an element X fulfils, by each rule that says so, and all that leads from X to the next element Y."""
    domains, steps = list[tuple[BodyLiteral, ...]](), list[tuple[BodyLiteral, ...]]()
    for rule in map(numbered, program.defining(relation.predicate)):
        first, second = (rule.conclusion.arguments[place] for place in relation.places)
        called = calls(rule, relation.predicate)
        rest = tuple(item for item in rule.body if item not in called)
        if not called and first == second:
            domains.append(_named(relation, rule, rest, {first: _X}))
        elif not called and has_distinct_variables(rule.conclusion):
            steps += (
                _named(relation, rule, rest, {first: here, second: there}) for here, there in ((_X, _Y), (_Y, _X))
            )
        elif len(called) == 1 and has_distinct_variables(rule.conclusion):
            begin, middle = (called[0].atom.arguments[place] for place in relation.places)
            if begin == first and isinstance(middle, Variable) and first not in variables(*rest):
                steps.append(_named(relation, rule, rest, {middle: _X, second: _Y}))
    return domains, list(dict.fromkeys(steps))


def _named(
    relation: Equivalence, rule: Rule, body: tuple[BodyLiteral, ...], ends: Mapping[Term, Term]
) -> tuple[BodyLiteral, ...]:
    """A part of a rule's body in the variables of the relation, and those of its ends."""
    others = {rule.conclusion.arguments[place]: name for place, name in relation.others.items()}
    names = {term: name for term, name in (*others.items(), *ends.items()) if isinstance(term, Variable)}
    return substitute(Rule(None, body), names).body


def _fields(relation: Equivalence, program: Program) -> list[tuple[BodyLiteral, ...]]:
    """What an element X fulfils, on either side of what rules without the relation say of it."""
    return [
        _named(relation, rule, rule.body, {rule.conclusion.arguments[place]: _X})
        for rule in map(numbered, program.defining(relation.predicate))
        if not calls(rule, relation.predicate) and has_distinct_variables(rule.conclusion)
        for place in relation.places
    ]


def written(template: str, relation: Equivalence, words: Mapping[str, object]) -> str:
    """A template of `rules/kept/`, in which `pair` is the relation."""
    path = rules_folder() / "kept" / f"{template}.lp.j2"
    return expanded(read_text(path), {"pair": relation.spelling(relation.predicate.name), **words}, (), path.name)


def spelled_body(items: Sequence[BodyLiteral], *places: Variable) -> Callable[..., str]:
    """The text of a body, given the names of the variables at its places."""
    rule = Rule(None, tuple(items))
    return lambda *names: ", ".join(
        map(str, substitute(rule, dict(zip(places, map(Variable, names), strict=True))).body)
    )


def _labelled(
    program: Program, relation: Equivalence, domain: tuple[BodyLiteral, ...], steps: Sequence[tuple[BodyLiteral, ...]]
) -> Iterator[Proposal]:
    taken = {predicate.name for predicate in predicates(program)}
    names = {name: next(iter(fresh_names(name, taken))) for name in _NAMES}
    words: dict[str, object] = {name: relation.labels(spelled) for name, spelled in names.items()}
    links = [spelled_body(step, _X, _Y) for step in steps]
    text = written(
        "labels", relation, {**words, "domain": spelled_body(domain, _X), "links": links, "is_atom": len(domain) == 1}
    )
    begin = text.index("%%")
    rules = [rule.with_body(tuple(dict.fromkeys(rule.body))) for rule in parse(text[:begin]).rules]
    said = f"the least element of a class of {relation.predicate} in the place of all pairs"
    used = [rule for rule in program.rules if rule.head is not None and rule.head.predicate != relation.predicate]
    changed = [with_labels(rule, relation, names["cluster"]) for rule in used]
    yield Proposal(asked_for(program.with_rules((*rules, *changed))), said, text[begin:])
    cluster = Atom(names["cluster"], (*relation.others.values(), _X, Variable("L")))
    for predicate in sorted({rule.conclusion.predicate for rule in used}):
        if predicate.arity == relation.predicate.arity:
            # A predicate that is the least element: what does not agree on samples is dropped by the search.
            others = [rule for rule in changed if rule.conclusion.predicate != predicate]
            named = Rule(Atom(predicate.name, cluster.arguments), (Literal(cluster),))
            yield Proposal(asked_for(program.with_rules((*rules, named, *others))), said, text[begin:])


def with_labels(rule: Rule, relation: Equivalence, cluster: str) -> Rule:
    """The rule with two atoms that name the same label in the place of each pair."""
    body, labels = list[BodyLiteral](), iter(fresh_variables("L", variables(*rule.items)))
    for item in rule.body:
        if isinstance(item, Literal) and item.atom.predicate == relation.predicate and item.positive:
            terms, label = item.atom.arguments, next(labels)
            others = [term for place, term in enumerate(terms) if place not in relation.places]
            body += (Literal(Atom(cluster, (*others, terms[place], label))) for place in relation.places)
        else:
            body.append(item)
    return rule.with_body(tuple(body))


MOVE: Final = Move("the least element of each class in the place of all pairs", labellings)
