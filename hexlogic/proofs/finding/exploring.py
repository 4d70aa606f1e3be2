"""Claims of one and of two atoms that hold on all samples, and new predicates, all from the texts alone.

one atom        same_cluster(P,Y,X) :- same_cluster(P,X,Y).
two atoms       reach(P,Y) :- same_cluster(P,X,Y), reach(P,X).      :- has_smaller(P,X), least(P,Y,X).
a component     from_first(P,Y) :- same_cluster(P,X,Y), first(P,X).     what a query's rule says on one side of Y
a least value   least(P,X,L) :- pairs(P,X,L), not smaller(P,X,L).
"""

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from hexlogic.language import BodyLiteral, Comparison, Predicate, Rule, Symbol, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.homomorphism import unfold_call, unfold_calls
from hexlogic.language.names import internal_name
from hexlogic.proofs.chase import positive
from hexlogic.proofs.finding.facts import (
    NOT,
    Binding,
    Claim,
    Fact,
    Value,
    canonical,
    fact_of,
    instance,
    is_frozen,
    is_test,
    is_variable,
    variables_of,
)
from hexlogic.proofs.finding.known import Case, Known, Meaning, claim_of

_LESS: Final = internal_name("less")
_PARTS: Final = 5
"""Parts of a rule's body of which all sets are looked at."""
_WITNESS: Final = "Witness"
"""The variable of a head that the body does not have."""
_UNFOLDED: Final = 8
"""Rules that a rule of the query becomes, at most, with what it asks for written in place."""
_FRESH: Final = "Z"
"""The variable of a second atom that the first one does not have."""


def claims_of_one_atom(
    known: Known, names: Collection[str], queries: AbstractSet[str], new: Collection[str] = ()
) -> Iterator[Claim]:
    """What one atom says alone: inclusions, supports, symmetries; of `new` predicates, where given. `queries` are heads
    only."""
    ordered = sorted(name for name in known.samples.arities if name in names)
    candidates = (*ordered, *sorted(queries & known.samples.arities.keys()))
    for atom, kinds in itertools.chain.from_iterable(_subjects(known, each) for each in ordered):
        name = str(atom[0])
        about = [head for head in candidates if not new or {name, head} & {*new}]
        heads = [head for head in about if head in known.static or name in known.derived]
        for implied in known.samples.implied([atom], _atoms(known, heads, kinds)):
            if implied != atom:
                yield canonical(Claim((implied,), (atom,)))


def existential_claims(known: Known, names: Collection[str]) -> Iterator[Claim]:
    """What one atom says with a witness: `line(P,Z,X) :- reach(P,X).` for some Z."""
    ordered = sorted(name for name in known.samples.arities if name in names)
    subjects = (_subjects(known, name) for name in ordered if name not in known.static)
    for atom, kinds in itertools.chain.from_iterable(subjects):
        name = str(atom[0])
        heads = [head for head in ordered if head != name and (head in known.static or name in known.derived)]
        certain = known.samples.implied([atom], _atoms(known, heads, kinds))
        said = {(*head[:place], _WITNESS, *head[place + 1 :]) for head in certain for place in range(1, len(head))}
        wanted = (head for head in _atoms(known, heads, kinds, _WITNESS) if _WITNESS in head and head not in said)
        for implied in known.samples.implied([atom], wanted):
            if len(implied) > 2:
                yield canonical(Claim((implied,), (atom,)))


def names_apart(known: Known, claim: Claim) -> Iterator[Claim]:
    """What cannot be of two names cannot be of two that a fact of the board tells apart. :- owns(red,X), owns(blue,X).
    and opponent(red,blue). :- opponent(P,Q), owns(P,X), owns(Q,X)."""
    for given in sorted(known.given.heads):
        for fact in (rule.conclusion for rule in known.given.defining(given) if not rule.body):
            terms = enumerate(fact.arguments)
            names: Binding = {str(term): f"N{place}" for place, term in terms if isinstance(term, Symbol)}
            if len(names) == given.arity and all(any(name in atom[1:] for atom in claim.body) for name in names):
                body = ((given.name, *names.values()), *(instance(atom, names) for atom in claim.body))
                yield canonical(Claim((), body))


def transferred(known: Known, claim: Claim) -> Iterator[Claim]:
    """What a claim `line(P,Z,X) :- reach(P,X)` asks of each rule for `reach`: the same rule for what the head says.

    Where the rule asks for `reach`, `line` stands with a new witness; claims are by induction on it, and on each other
    atom that is derived.
    """
    (head,), (subject,) = claim.head, claim.body
    places = {part: place for place, part in enumerate(subject) if place and is_variable(part)}
    free = [part for part in head[1:] if is_variable(part) and part not in places]
    for rule in known.program.defining(Predicate(str(subject[0]), len(subject) - 1)):
        end, *atoms = map(fact_of, positive(rule).atoms)
        body = list[Fact]()
        for number, atom in enumerate(atoms):
            if atom[0] == subject[0] and all(
                is_variable(part) or part == atom[place] for place, part in enumerate(subject)
            ):
                names: Binding = {str(part): atom[place] for part, place in places.items()}
                atom = instance(head, names | {str(part): f"W{number}_{part}" for part in free})
            body.append(atom)
        names = {str(part): end[place] for part, place in places.items()}
        for first in [atom for atom in body if atom[0] in known.derived]:
            rest = [atom for atom in body if atom is not first]
            yield canonical(Claim((instance(head, names),), (first, *rest)))


def asked_of_atoms(known: Known, case: Case, facts: Collection[Fact], queries: Collection[str]) -> Iterator[Claim]:
    """What an open case asks of each of its derived atoms that has all arguments of the goal, with all that is known of
    its arguments: `q(Y) :- p(Z,Y), good(Z), seen(Z).` where `seen` follows from the rest of the case."""
    words = (known.words | known.static) - {*queries}
    for atom in case.facts:
        frozen = {part for part in atom[1:] if is_frozen(part)}
        names: Binding = {str(part): f"X{place}" for place, part in enumerate(frozen)}
        if case.goal and atom[0] in known.derived & words and not any(map(is_frozen, instance(case.goal, names)[1:])):
            near = [fact for fact in facts if fact[0] in words and frozen & {*fact[1:]} and fact != atom]
            rest = [fact for fact in (instance(fact, names) for fact in near) if not any(map(is_frozen, fact[1:]))]
            yield canonical(Claim((instance(case.goal, names),), (instance(atom, names), *rest)))


def claims_of_two_atoms(known: Known, names: Collection[str], queries: Collection[str]) -> list[Claim]:
    """What two atoms say together and neither of them alone, the simplest first; the second has one more variable.

    Heads are derived; `queries` are heads only. Without a head: a predicate that occurs negated and another atom are
    never true together.
    """
    samples, arities = known.samples, known.samples.arities
    derived = sorted(name for name in names if name in known.derived and arities.get(name))
    others = sorted(name for name in names if arities.get(name) and (name not in known.static or arities[name] < 3))
    heads = [*derived, *sorted(name for name in queries if arities.get(name))]
    ranked: dict[Claim, tuple[int, ...]] = {}
    for first, kinds in itertools.chain.from_iterable(_subjects(known, each) for each in derived):
        alone = set(samples.implied([first], _atoms(known, heads, kinds)))
        for second in _atoms(known, others, kinds, _FRESH):
            if known.is_late:
                break
            shared = {str(part) for part in second[1:] if part in kinds}
            if second == first or not shared or (_FRESH not in second and samples.implied([first], [second])):
                continue
            fresh = {_FRESH: samples.kind(str(second[0]), second.index(_FRESH) - 1)} if _FRESH in second else {}
            wider = {**kinds, **fresh}
            of_second = {part: kind for part, kind in wider.items() if part in second}
            known_heads = {*alone, *samples.implied([second], _atoms(known, heads, of_second)), second}
            asked = [head for head in _atoms(known, heads, wider) if head not in known_heads]
            weight = len(wider), len(first) + len(second)
            for head in samples.implied([first, second], asked):
                ranked.setdefault(canonical(Claim((head,), (first, second))), (*weight, len(head)))
            if first[0] in known.denied and samples.excludes([first, second]):
                ranked.setdefault(canonical(Claim((), (first, second))), (*weight, 0))
    return sorted(ranked, key=ranked.__getitem__)


def _subjects(known: Known, name: str) -> Iterator[tuple[Fact, dict[str, int]]]:
    """What claims are about: the atom of variables, and those with constants of the rules in up to two places, of
    different kinds or different constants, each with the kinds of its variables."""
    places = [f"X{place}" for place in range(known.samples.arities[name])]
    kinds = [known.samples.kind(name, place) for place in range(len(places))]
    for count in range(3):
        for chosen in itertools.combinations(range(len(places)), count):
            for constants in itertools.product(*(known.constants(name, place) for place in chosen)):
                if len({kinds[place] for place in chosen}) == count or len({*map(str, constants)}) == count:
                    fixed = dict(zip(chosen, constants, strict=True))
                    free = {part: kinds[place] for place, part in enumerate(places) if place not in fixed}
                    yield (name, *(fixed.get(place, part) for place, part in enumerate(places))), free


def _atoms(known: Known, names: Sequence[str], kinds: Mapping[str, int], fresh: str = "") -> Iterator[Fact]:
    """The atoms of variables of fitting kinds and of the rules' constants, in at most one place the `fresh` variable: a
    number, but for a witness."""
    for name in names:
        fitting: list[list[Value]] = [
            [
                *(variable for variable, kind in kinds.items() if kind == known.samples.kind(name, place)),
                *known.constants(name, place),
                *([fresh] if fresh == _WITNESS or (fresh and known.samples.holds(name, place, 1)) else []),
            ]
            for place in range(known.samples.arities[name])
        ]
        yield from ((name, *each) for each in itertools.product(*fitting) if not fresh or each.count(fresh) <= 1)


def components(known: Known, queries: Collection[str]) -> Iterator[Meaning]:
    """What the rules of the queries say on one side of a variable; one predicate where the other side is the same."""
    groups: dict[tuple[str, ...], list[tuple[list[str], list[Fact]]]] = {}
    for query in sorted(queries):
        asked = known.program.defining(Predicate(query, known.samples.arities.get(query, 1)))
        for rule in dict.fromkeys((*asked, *(new for each in asked for new in unfolded(known, each)))):
            head, *body = map(fact_of, positive(rule).atoms)
            shared = list(dict.fromkeys(variables_of(head)))
            cuts = dict.fromkeys(name for atom in body for name in variables_of(atom) if name not in shared)
            for kept in (shared, *([*shared, cut] for cut in cuts)):
                names = {variable: f"X{place}" for place, variable in enumerate(kept)}
                parts = list(_components(body, kept))
                for part in parts:
                    spoken = {name for atom in part for name in variables_of(atom)}
                    mine = [name for name in kept if name in spoken]
                    says = len(part) > 1 or (mine == kept and [*part[0][1:]] != kept)
                    if mine and says and _binds(part, mine) and len(part) < len(body):
                        yield known.view(mine, [part])
                few = parts[:_PARTS]
                for chosen in (each for n in range(1, len(few)) for each in itertools.combinations(few, n)):
                    side = [atom for part in chosen for atom in part]
                    rest = [atom for atom in body if atom not in side]
                    if rest and _binds(side, kept):
                        same = str(instance(head, names)), *sorted(str(instance(atom, names)) for atom in rest)
                        groups.setdefault(same, []).append(
                            ([*names.values()], [instance(atom, names) for atom in side])
                        )
    for group in groups.values():
        if len(group) > 1:
            yield known.view(group[0][0], [side for _, side in group])


def denials(known: Known) -> Iterator[Meaning]:
    """What a rule says with a negated atom of the variables of that alone, if it says more or of other arguments:
    `view(X) :- node(X), not has_smaller(X).`"""
    for rule in known.program.rules:
        head, *body = map(fact_of, positive(rule).atoms)
        for atom in (atom for atom in body if str(atom[0]).startswith(NOT)):
            names = list(dict.fromkeys(variables_of(atom)))
            part = [other for other in body if {*variables_of(other)} <= {*names}]
            if _binds(part, names) and (len(part) < len(body) or sorted(names) != sorted(map(str, head[1:]))):
                yield known.view(names, [part])


def compared(known: Known) -> Iterator[Claim]:
    """The rules that compare, and those that come to compare where what they ask for is written in place, twice."""
    compares = {rule.conclusion.predicate for rule in known.program.rules if any(map(_is_comparison, rule.body))}
    layer = list(known.program.rules)
    for _ in range(3):
        for rule in layer:
            claim = claim_of(rule)
            first = next((atom for atom in claim.body if atom[0] in known.derived), None)
            if first is not None and any(map(_is_comparison, rule.body)):
                yield Claim(claim.head, (first, *(atom for atom in claim.body if atom is not first)))
        layer = [
            new
            for rule in layer
            for call in rule.literals
            if call.positive and call.atom.predicate in compares and rule.conclusion.predicate not in compares
            for definition in known.program.defining(call.atom.predicate)
            if (new := unfold_call(rule, call, definition)) is not None
        ]


def _is_comparison(item: BodyLiteral) -> bool:
    return isinstance(item, Comparison) and isinstance(item.right, Variable)


def unfolded(known: Known, rule: Rule) -> list[Rule]:
    """The rules that a rule becomes where what it asks for and no recursion defines is written in place."""
    return unfold_calls(rule, known.program, known.program.heads - recursive_predicates(known.program), _UNFOLDED)


def _binds(atoms: Sequence[Fact], names: Collection[str]) -> bool:
    bound = {name for atom in atoms if not is_test(atom) for name in variables_of(atom)}
    return bound.issuperset(names)


def _components(body: Sequence[Fact], kept: Collection[str]) -> Iterator[list[Fact]]:
    """The parts of a body that have only the kept variables in common."""
    todo = list(body)
    while todo:
        part = [todo.pop(0)]
        while True:
            names = {name for atom in part for name in variables_of(atom)} - set(kept)
            more = [atom for atom in todo if names & set(variables_of(atom))]
            if not more:
                break
            todo = [atom for atom in todo if atom not in more]
            part += more
        yield part


def least_elements(known: Known, names: AbstractSet[str]) -> Iterator[tuple[Meaning, Meaning, Claim]]:
    """For each symmetric relation of numbers: what has a smaller partner, the least partner, and the claim that there
    is one."""
    for name in sorted(names & known.derived):
        whole = tuple(f"X{number}" for number in range(known.samples.arities.get(name, 0)))
        for place, value in enumerate(whole):
            earlier = [
                tuple({value: whole[first], whole[first]: value}.get(part, part) for part in whole)
                for first in range(place)
            ]
            if known.samples.holds(name, place, 1) and any(
                known.samples.implied([(name, *whole)], [(name, *turned)]) for turned in earlier
            ):
                other = tuple("K" if part == value else part for part in whole)
                partners = ((name, *whole), (name, *other), (_LESS, "K", value))
                smaller = Meaning((known.new_name(f"smaller_{name}"), *whole), (partners,), "there is a smaller one")
                alone = ((name, *whole), (NOT + smaller.name, *whole))
                least = Meaning((known.new_name(f"least_{name}"), *whole), (alone,), "there is no smaller one")
                yield smaller, least, Claim(((least.name, *whole),), ((name, *other),))
                break
