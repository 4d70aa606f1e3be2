"""Fuse a query into a recursion: a view over a recursive predicate gets rules of its own, without that predicate.

    view(P,Y) :- starts(P,X), same_cluster(P,X,Y).          what a rule for wins reads of all pairs

    view(P,Y) :- owns(P,Y), first(P,Y).                     found (`synthesis.py`)
    view(P,Y) :- view(P,X), adjacent(X,Y), owns(P,Y).

A view may leave constants and equal arguments to the rule that reads it: for `path(1,2)` what 1 reaches. The whole of a
recursion is a view as well: it gets rules that call it less. Source: the
FGH rule of Wang, Abo Khamis, Ngo, Pichler and Suciu 2022, "Optimizing recursive queries with program synthesis".
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.language import Atom, BodyLiteral, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.dependence import dependency_graph, recursive_predicates, recursive_through
from hexlogic.language.names import fresh_names, fresh_predicate, fresh_variables
from hexlogic.language.walk import (
    bind_parameters,
    body_terms,
    computes,
    general_atom,
    has_distinct_variables,
    numbered,
    predicates,
    rename_rule,
    rule_terms,
    substitute,
    variables,
)
from hexlogic.proofs.finding.facts import Claim, atom_of, canonical, fact_of, variables_of
from hexlogic.proofs.finding.known import claim_of
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for, block
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.synthesis import (
    calls_of,
    folded,
    folded_rules,
    foldings,
    source_of,
    unfolded,
    with_closures,
    written_in_place,
)
from hexlogic.proofs.finding.worlds import World

_VIEW: Final = 3
"""Atoms in the body of a view."""
_FAMILY: Final = 4
"""Views that are fused at once."""
_FEWER: Final = 0.5
"""The part of a relation that a view of as many columns holds, at most."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a rule's body as a view, and with which arguments the rule reads it."""

    view: Claim
    rule: Rule
    items: tuple[BodyLiteral, ...]
    arguments: tuple[Term, ...]


def fusions(program: Program, samples: Samples, _world: World) -> Iterator[Proposal]:
    """The programs in which rules read a view, also with what they ask for written in place, and those in which a
    recursion is defined by other rules."""
    for written in dict.fromkeys((program, written_in_place(program))):
        yield from _fusions(written, samples)
    for predicate in sorted(recursive_predicates(program)):
        yield from _by_other_rules(predicate, program, samples)


def _fusions(program: Program, samples: Samples) -> Iterator[Proposal]:
    """The programs in which rules read a view, or a family of views that ask for each other, with rules of its own."""
    spoken = {predicate.name for predicate in predicates(program)}
    parts = dict[str, list[_Part]]()
    for part in itertools.chain.from_iterable(_parts(rule, program) for rule in program.rules):
        parts.setdefault(_written(part.view), []).append(part)
    closed = with_closures(program, samples)
    for first, *_ in list(parts.values()):
        family = [first.view, *sorted(_asked(first.view, program), key=lambda asked: len(asked.head[0]))]
        together = recursive_through(program, source_of(first.view))
        longest = max(len(rule.body) for each in together for rule in program.defining(each))
        for definitions, count in itertools.product(dict.fromkeys((program, closed)), range(1, len(family) + 1)):
            names = fresh_names(f"{first.view.body[0][0]}_seen", spoken)
            named = zip(names, family[:count], strict=False)
            views = [Claim(((name, *view.head[0][1:]),), view.body) for name, view in named]
            try:
                fewer = [_is_smaller(view, samples) for view in views]
                rules = folded_rules(views, definitions, samples) if all(fewer) else ()
                if rules:
                    reading = [parts.get(_written(view), []) for view in family]
                    yield _reading(program, closed, samples, views, reading, rules)
                if not fewer[0] or (rules and max(len(rule.body) for rule in rules) <= longest):
                    break
            finally:
                for view in views:
                    samples.forget(str(view.head[0][0]))


def _by_other_rules(predicate: Predicate, program: Program, samples: Samples) -> Iterator[Proposal]:
    """The program with a recursion by rules that call it less, or not at all: the view is all of it."""
    heads = [rule.conclusion for rule in program.defining(predicate)]
    whole = next(filter(has_distinct_variables, heads), general_atom(predicate))
    name = fresh_predicate(program, f"{predicate.name}_seen", predicate.arity).name
    view = Claim((fact_of(replace(whole, name=name)),), (fact_of(whole),))
    try:
        rules = folded_rules([view], program, samples) if samples.define(view.head[0], [view.body]) else ()
        if rules:
            names = {Predicate(name, predicate.arity): predicate.name}
            others = (rule for rule in program.rules if rule.conclusion.predicate != predicate)
            new = program.with_rules((*(rename_rule(rule, names) for rule in rules), *others))
            finals = dict.fromkeys(names, f"{predicate.name}_right")
            words = f"{predicate} by rules that call it less"
            yield Proposal(asked_for(new), words, _hints([view], rules, finals, program, samples))
    finally:
        samples.forget(name)


def _is_smaller(view: Claim, samples: Samples) -> bool:
    """Whether a view, which the samples now have, holds of something, and of less than what it is made from."""
    (head,), source = view.head, view.body[0]
    if not 1 < len(head) <= len(source) or not samples.define(head, [view.body]):
        return False
    return len(head) < len(source) or samples.count(str(head[0])) <= _FEWER * samples.count(str(source[0]))


def _reading(
    program: Program,
    closed: Program,
    samples: Samples,
    views: Sequence[Claim],
    parts: Sequence[Sequence[_Part]],
    rules: Sequence[Rule],
) -> Proposal:
    """The program whose rules read views, which have rules of their own, in the place of parts of their bodies."""
    defined = {rule.conclusion.name for rule in rules}
    taken = dict[Rule, list[tuple[Literal, _Part]]]()
    for view, read in zip(views, parts, strict=False):
        for part in read if view.head[0][0] in defined else ():
            chosen = taken.setdefault(part.rule, [])
            if not any(other.items[0] is part.items[0] for _, other in chosen):
                chosen.append((Literal(Atom(str(view.head[0][0]), part.arguments)), part))
    new = dict[Rule, Rule]()
    for rule, chosen in taken.items():
        gone = [item for _, part in chosen for item in part.items]
        rest = [item for item in rule.body if not any(item is other for other in gone)]
        new[rule] = rule.with_body((*dict.fromkeys(seen for seen, _ in chosen), *rest))
    changed = program.with_rules((*rules, *(new.get(rule, rule) for rule in program.rules)))
    alone = next(filter(_is_copy, new.values()), None)
    names = dict[Predicate, str]()
    if alone is not None and len(program.defining(alone.conclusion.predicate)) == 1:
        names = {next(alone.literals).atom.predicate: alone.conclusion.name}
        changed = changed.with_rules(tuple(rename_rule(rule, names) for rule in changed.rules if rule != alone))
    used = [view for view in views if view.head[0][0] in defined]
    words = ", ".join(str(view.rule) for view in used)
    finals = {predicate: f"{name}_right" for predicate, name in names.items()}
    hints = _hints(used, rules, finals, closed, samples)
    return Proposal(asked_for(changed), f"fused into the recursion: {words}", hints)


def _hints(
    views: Sequence[Claim], rules: Sequence[Rule], names: Mapping[Predicate, str], program: Program, samples: Samples
) -> str:
    """Why the rules derive the views, and no more: what a call adds to a view, and a step to what a view is made of."""
    names_of_views = {view.head[0][0] for view in views}
    kept = {_kept(rule, item.atom) for rule in rules for item in rule.literals if item.atom.name in names_of_views}
    made = dict[object, tuple[tuple[bool, int], Rule]]()
    for rule in foldings(views, program):
        called = calls_of(rule, views, program)
        seen = [item.atom for item in rule.literals if item.atom.name in names_of_views]
        foldable = len(called) == 1 and any(folded(rule, called[0], view.rule) for view in views)
        if len(called) == 1 and (_kept(rule, seen[0]) in kept if len(seen) == 1 else not kept or not foldable):
            first, rest = rule.body[called[0]], [*rule.body[: called[0]], *rule.body[called[0] + 1 :]]
            key = rule.conclusion.predicate, str(first).partition("(")[0], _kept(rule, first)
            weighed = (len(seen) != 1, len(rule.body)), rule.with_body((first, *rest))
            made[key] = min(made.get(key, weighed), weighed, key=lambda pair: pair[0])
    steps = list[Rule]()
    by_name = {str(view.head[0][0]): view.rule for view in views}
    for rule in rules:
        for place, item in enumerate(rule.body):
            if isinstance(item, Literal) and item.atom.name in by_name:
                head, read = by_name[rule.conclusion.name], by_name[item.atom.name]
                apart = {each: Variable(f"{each.name}_of") for each in variables(*head.body, *read.body)}
                step = Literal(_made_of(read, item.atom, apart))
                others = (*rule.body[:place], *rule.body[place + 1 :])
                steps.append(Rule(_made_of(head, rule.conclusion, apart), (step, *others)))

    def provable(group: Iterable[Rule]) -> Iterator[Rule]:
        """The rules that hold, and whose first atom has no variable twice, so that there is induction on it."""
        for rule in dict.fromkeys(group):
            terms = [term for term in next(rule.literals).atom.arguments if variables(term)]
            if len({*terms}) == len(terms) and samples.support(canonical(claim_of(rule))):
                yield rename_rule(rule, names)

    whole = [view.rule for view in views]
    claims = provable((*whole, *_alike([rule for _, rule in made.values()], views)))
    sound = [*provable(steps)]
    some = [replace(view.conclusion, name=f"some_{view.conclusion.name}") for view in whole]
    stated = [Literal(rename_rule(view, names).conclusion) for view in whole]
    meanings = [Rule(atom, view.body) for atom, view in zip(some, whole, strict=True)]
    bounds = [Rule(atom, (view,)) for atom, view in zip(some, stated, strict=True)]
    return "\n\n".join(
        [
            block("claim", "each view by its rules", claims),
            *([block("claim", "one more step", sound)] if sound else []),
            block("means", "what a view is made of", meanings),
            block("claim", "its rules derive no more", bounds),
        ]
    )


def _kept(rule: Rule, item: Atom | BodyLiteral) -> tuple[bool, ...]:
    """Which arguments of an atom of the body are arguments of the head."""
    return tuple(term in rule.conclusion.arguments for term in body_terms(item))


def _alike(claims: Sequence[Rule], views: Sequence[Claim]) -> Iterator[Rule]:
    """The claims, and each with other views and another of their recursions in the place of those in it."""
    seen = {Predicate(str(view.head[0][0]), len(view.head[0]) - 1): source_of(view) for view in views}
    for claim in claims:
        yield claim
        called = [item.atom.predicate for item in claim.literals]
        read = [predicate for predicate in called if predicate in seen]
        for head, other, source in itertools.product(seen, seen, dict.fromkeys(seen.values())) if read else ():
            new = claim.conclusion.predicate, read[0], called[0]
            if [each.arity for each in new] == [head.arity, other.arity, source.arity]:
                body = rename_rule(Rule(None, claim.body), {read[0]: other.name, called[0]: source.name}).body
                yield Rule(replace(claim.conclusion, name=head.name), body)


def _made_of(view: Rule, atom: Atom, apart: Mapping[Variable, Variable]) -> Atom:
    """The first atom of a view, given its arguments; what these do not say has names of its own."""
    says: dict[Variable, Term] = {**apart, **bind_parameters(view.conclusion.arguments, atom.arguments)}
    source, terms = next(view.literals).atom, list[Term]()
    for term in source.arguments:
        terms.append(term if variables(term) else Variable("Of_" + "".join(filter(str.isalnum, str(term)))))
    return substitute(Rule(replace(source, arguments=tuple(terms))), says).conclusion


def _is_copy(rule: Rule) -> bool:
    """Whether the body is one atom with the arguments of the head."""
    only = rule.body[0] if len(rule.body) == 1 else None
    return isinstance(only, Literal) and only.positive and only.atom.arguments == rule.conclusion.arguments


def _parts(rule: Rule, program: Program) -> Iterator[_Part]:
    """Parts of a body: a call of a recursion from outside, and literals that share variables and are not above it."""
    if rule.head is None or any(computes(term) for term in rule_terms(rule)):
        return
    recursive = recursive_predicates(program)
    for source in dict.fromkeys(item for item in rule.literals if item.positive and item.atom.predicate in recursive):
        above = dependency_graph(program).above([source.atom.predicate])
        others = [item for item in rule.body if not (isinstance(item, Literal) and item.atom.predicate in above)]
        if rule.head.predicate in recursive_through(program, source.atom.predicate):
            continue
        for count in range(_VIEW):
            for chosen in itertools.combinations(others, count):
                rest = [item for item in rule.body if item is not source and not any(item is part for part in chosen)]
                for general, read in _generalised(source, rule) if _is_connected(source, chosen) else ():
                    view = _view((general, *chosen), (rule.head, *rest, *read))
                    if view is not None:
                        arguments = tuple(read.get(term, term) for term in atom_of(view.head[0]).arguments)
                        yield _Part(view, rule, (source, *chosen), arguments)


def _is_connected(source: Literal, others: Sequence[BodyLiteral]) -> bool:
    """Whether each item shares a variable with the source or with an item before it that does, in some order."""
    spoken, waiting = variables(source), list(others)
    while near := [item for item in waiting if variables(item) & spoken]:
        spoken, waiting = spoken.union(*map(variables, near)), [item for item in waiting if item not in near]
    return not waiting


def _generalised(source: Literal, rule: Rule) -> Iterator[tuple[Literal, dict[Term, Term]]]:
    """The literal as it is, and with a variable in the place of a constant, or of an argument that occurs twice, each
    with what this variable stands for."""
    yield source, {}
    terms, other = source.atom.arguments, next(iter(fresh_variables("Other", variables(*rule.items))))
    for place, term in enumerate(terms):
        before, after = terms[:place], terms[place + 1 :]
        if term in before + after or not variables(term):
            yield Literal(Atom(source.atom.name, (*before, other, *after))), {other: term}


def _view(part: Sequence[BodyLiteral], outside: Sequence[Atom | BodyLiteral | Term]) -> Claim | None:
    """What is read of a part of a body; None where that is a part of a term."""
    body = claim_of(Rule(None, tuple(part))).body
    read = {variable.name for variable in variables(*outside)}
    inside = dict.fromkeys(itertools.chain.from_iterable(map(variables_of, body)))
    head = ("view", *(variable for variable in inside if variable in read))
    return Claim((head,), body) if {part for atom in body for part in atom[1:]}.issuperset(head[1:]) else None


def _asked(view: Claim, program: Program) -> Iterator[Claim]:
    """What the rules of the recursion ask of it where a view is written by them: `even(1,Y)` for `odd(1,Y)`."""
    together, family = recursive_through(program, source_of(view)), [view]
    known = {_written(view)}
    for each in family:
        others = each.rule.body[1:]
        for made in unfolded(each.rule, 0, program):
            if any(computes(term) for term in rule_terms(made)):
                continue
            given = made.body[len(made.body) - len(others) :]
            for call in (item for item in made.literals if item.atom.predicate in together and item.positive):
                rest = [item for item in made.body if item is not call]
                local = variables(call) - variables(made.conclusion, *(item for item in rest if item not in given))
                part = [
                    item
                    for item in given
                    if variables(item) & local or frozenset() != variables(item) <= variables(call)
                ]
                asked = _view((call, *part), (made.conclusion, *(item for item in rest if item not in part)))
                if asked is not None and _written(asked) not in known and len(family) < _FAMILY:
                    known.add(_written(asked))
                    family.append(asked)
                    yield asked


def _written(view: Claim) -> str:
    return str(numbered(view.rule))


MOVE: Final = Move("what a rule reads of a recursive relation gets rules of its own", fusions)
