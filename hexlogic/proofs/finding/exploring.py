"""Claims of one and of two atoms that hold on all samples, and new predicates, all from the texts alone.

one atom        same_cluster(P,Y,X) :- same_cluster(P,X,Y).
two atoms       reach(P,Y) :- same_cluster(P,X,Y), reach(P,X).      :- has_smaller(P,X), least(P,Y,X).
a component     from_first(P,Y) :- same_cluster(P,X,Y), first(P,X).     what a query's rule says on one side of Y
a closure       pairs(P,X,Z) :- pairs(P,X,Y), adjacent(Y,Z), owns(P,Z).     the steps of a recursion
a least value   least(P,X,L) :- pairs(P,X,L), not smaller(P,X,L).
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from hexlogic.language import Predicate
from hexlogic.language.names import internal_name
from hexlogic.proofs.chase import positive
from hexlogic.proofs.finding.facts import (
    NOT,
    Claim,
    Fact,
    Value,
    canonical,
    fact_of,
    instance,
    is_test,
    variables_of,
)
from hexlogic.proofs.finding.known import Known, Meaning

_LESS: Final = internal_name("less")
_EQUAL: Final = internal_name("equal")
_PARTS: Final = 5
"""Parts of a rule's body of which all sets are looked at."""
_FRESH: Final = "Z"
"""The variable of a second atom that the first one does not have."""


def claims_of_one_atom(known: Known, names: Collection[str], new: Collection[str] = ()) -> Iterator[Claim]:
    """What one atom says alone: inclusions, supports, symmetries; of `new` predicates, where given."""
    ordered = sorted(name for name in known.samples.arities if name in names)
    for atom, kinds in itertools.chain.from_iterable(_subjects(known, each) for each in ordered):
        name = str(atom[0])
        heads = [
            head
            for head in ordered
            if (not new or {name, head} & set(new))
            and ((name in known.static) == (head in known.static) or name in known.derived)
        ]
        for implied in known.samples.implied([atom], _atoms(known, heads, kinds)):
            if implied != atom:
                yield canonical(Claim((implied,), (atom,)))


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
    """What claims are about: the atom of variables, and those with a constant of the rules in one place, each with the
    kinds of its variables."""
    places = [f"X{place}" for place in range(known.samples.arities[name])]
    kinds = {part: known.samples.kind(name, place) for place, part in enumerate(places)}
    yield (name, *places), kinds
    for place, part in enumerate(places):
        for constant in known.constants(name, place):
            narrowed = (name, *places[:place], constant, *places[place + 1 :])
            yield narrowed, {other: kind for other, kind in kinds.items() if other != part}


def _atoms(known: Known, names: Sequence[str], kinds: Mapping[str, int], fresh: str = "") -> Iterator[Fact]:
    """The atoms of variables of fitting kinds and of the rules' constants, in at most one place, that of a number, the
    `fresh` variable."""
    for name in names:
        fitting: list[list[Value]] = [
            [
                *(variable for variable, kind in kinds.items() if kind == known.samples.kind(name, place)),
                *known.constants(name, place),
                *([fresh] if fresh and known.samples.holds(name, place, 1) else []),
            ]
            for place in range(known.samples.arities[name])
        ]
        for arguments in itertools.product(*fitting):
            if not fresh or arguments.count(fresh) <= 1:
                yield (name, *arguments)


def components(known: Known, queries: Collection[str]) -> Iterator[Meaning]:
    """What the rules of the queries say on one side of a variable; one predicate where the other side is the same."""
    groups: dict[tuple[str, ...], list[tuple[list[str], list[Fact]]]] = {}
    for query in sorted(queries):
        for rule in known.program.defining(Predicate(query, known.samples.arities.get(query, 1))):
            plain = positive(rule)
            assert plain.head is not None
            shared = list(dict.fromkeys(variables_of(fact_of(plain.head))))
            body = [fact_of(literal.atom) for literal in plain.literals]
            for cut in dict.fromkeys(name for atom in body for name in variables_of(atom) if name not in shared):
                kept = [*shared, cut]
                names = {variable: f"X{place}" for place, variable in enumerate(kept)}
                parts = list(_components(body, kept))
                for part in parts:
                    if _binds(part, kept) and len(part) < len(body) and (len(part) > 1 or [*part[0][1:]] != kept):
                        yield known.view(kept, [part])
                few = parts[:_PARTS]
                for chosen in (each for n in range(1, len(few)) for each in itertools.combinations(few, n)):
                    side = [atom for part in chosen for atom in part]
                    rest = [atom for atom in body if atom not in side]
                    if rest and _binds(side, kept):
                        groups.setdefault((query, *sorted(str(instance(atom, names)) for atom in rest)), []).append(
                            ([*names.values()], [instance(atom, names) for atom in side])
                        )
    for group in groups.values():
        if len(group) > 1:
            yield known.view(group[0][0], [side for _, side in group])


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


def closures(known: Known) -> Iterator[Meaning]:
    """The pairs that the steps of a recursion join, where one argument changes and something is said of it alone."""
    for rule in known.program.rules:
        plain = positive(rule)
        assert plain.head is not None
        head, body = fact_of(plain.head), [fact_of(literal.atom) for literal in plain.literals]
        for atom in (atom for atom in body if atom[0] == head[0]):
            changed = [place for place in range(1, len(head)) if atom[place] != head[place]]
            step = [other for other in body if other != atom]
            spoken = dict.fromkeys(name for other in step for name in variables_of(other))
            if len(changed) != 1 or not {atom[changed[0]], head[changed[0]]} <= spoken.keys():
                continue
            before, after = str(atom[changed[0]]), str(head[changed[0]])
            shared = [str(part) for part in head[1:] if part in spoken and part != after]
            ends = [other for other in step if {after} <= set(variables_of(other)) <= {after, *shared}]
            if _binds(ends, [*shared, after]) and not any(map(is_test, step)):
                start, name = f"{before}_start", known.new_name(f"pairs_{head[0]}")
                starts = [instance(end, {after: start}) for end in ends]
                same = (*starts, *ends, (_EQUAL, start, after))
                bodies = same, ((name, *shared, start, before), *step)
                yield Meaning((name, *shared, start, after), bodies, f"what steps of {head[0]} join")


def least_elements(known: Known, names: AbstractSet[str]) -> Iterator[tuple[Meaning, Meaning, Claim]]:
    """For each symmetric relation of numbers: what has a smaller partner, the least partner, and the claim that there
    is one."""
    for name in sorted(names & known.derived):
        arity = known.samples.arities.get(name, 0)
        whole = tuple(f"X{number}" for number in range(arity))
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
