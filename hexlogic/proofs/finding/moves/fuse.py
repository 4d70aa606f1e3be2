"""Fuse a query into a recursion: a view over a recursive predicate gets rules of its own, without that predicate.

    view(P,Y) :- starts(P,X), same_cluster(P,X,Y).          what a rule for wins reads of all pairs

    view(P,Y) :- owns(P,Y), first(P,Y).                     found: sound on all samples, and enough for them
    view(P,Y) :- view(P,X), adjacent(X,Y), owns(P,Y).

A rule is sound where the view is closed under it; the rules that are kept derive all of the view. Source: the FGH rule
of Wang, Abo Khamis, Ngo, Pichler and Suciu 2022, "Optimizing recursive queries with program synthesis", with samples
and a search for a proof in the place of program synthesis.
"""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from hexlogic.language import Atom, BodyLiteral, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.columns import Columns
from hexlogic.language.analysis.dependence import dependency_graph, recursive_predicates, recursive_through
from hexlogic.language.homomorphism import unfold_call
from hexlogic.language.names import fresh_names
from hexlogic.language.walk import has_interval, numbered, predicates, rename_rule, variables
from hexlogic.proofs.finding.facts import (
    NOT,
    Claim,
    Fact,
    Value,
    atom_of,
    canonical,
    fact_of,
    instance,
    is_test,
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
_FAMILY: Final = 4
"""Views that are fused at once."""
_FEWER: Final = 0.5
"""The part of a relation that a view of as many columns holds, at most."""

_Kind: TypeAlias = "tuple[int, int]"
"""What a column holds: by its values in the samples, and by what the rules write (0 where they do not say)."""

_Part: TypeAlias = "tuple[Claim, Sequence[Literal]]"
"""A part of a body, as the view that the head and the rest read of it, and its literals."""


def fusions(program: Program, samples: Samples, world: World) -> Iterator[Proposal]:
    """The programs in which one rule reads a fused view."""
    spoken = {predicate.name for predicate in predicates(program)}
    for rule in program.rules:
        alike: dict[str, list[_Part]] = {}
        for view, part in _views(rule, program):
            alike.setdefault(_written(view), []).append((view, part))
        for parts in alike.values():
            view = parts[0][0]
            family = [view, *sorted(_asked(view, program), key=lambda asked: len(asked.head[0]))]
            below = spoken - {predicate.name for predicate in dependency_graph(program).above([_source(view)])}
            for count in range(1, len(family) + 1):
                rules = _fused(family[:count], program, samples, spoken, below)
                if rules:
                    yield _reading(program, rule, parts, rules)
                if rules is None or rules:
                    break


def _fused(
    views: Sequence[Claim], program: Program, samples: Samples, spoken: Collection[str], below: Collection[str]
) -> Sequence[Rule] | None:
    """Rules for views, those of the first one first; none where none are found, None where a view is as large as what
    it is made from."""
    names = fresh_names(f"{views[0].body[0][0]}_seen", spoken)
    named = [Claim(((name, *view.head[0][1:]),), view.body) for name, view in zip(names, views, strict=False)]
    try:
        fewer = [_is_smaller(view, samples) for view in named]
        return rules_for(named, program, samples, below) or () if all(fewer) else None if not fewer[0] else ()
    finally:
        for view in named:
            samples.forget(str(view.head[0][0]))


def _is_smaller(view: Claim, samples: Samples) -> bool:
    """Whether a view, which the samples now have, holds of something, and of less than what it is made from."""
    (head,), source = view.head, view.body[0]
    if not 1 < len(head) <= len(source) or not samples.define(head, [view.body]):
        return False
    return len(head) < len(source) or samples.count(str(head[0])) <= _FEWER * samples.count(str(source[0]))


def _reading(program: Program, rule: Rule, parts: Sequence[_Part], rules: Sequence[Rule]) -> Proposal:
    """The program with a rule that reads a view, which has rules of its own, in the place of parts of its body."""
    heads = [Atom(rules[0].conclusion.name, atom_of(view.head[0]).arguments) for view, _ in parts]
    rest = [item for item in rule.body if not any(item is literal for _, part in parts for literal in part)]
    changed = rule.with_body((*map(Literal, dict.fromkeys(heads)), *rest))
    others = tuple(changed if other is rule else other for other in program.rules)
    new = asked_for(program.with_rules((*rules, *others)))
    if len(changed.body) == 1 and len(program.defining(rule.conclusion.predicate)) == 1:
        renamed = {heads[0].predicate: rule.conclusion.name}
        new = new.with_rules(tuple(rename_rule(other, renamed) for other in new.rules if other != changed))
    view = Rule(heads[0], tuple(map(literal_of, parts[0][0].body)))
    return Proposal(new, f"the view {view} is fused into the recursion")


def _source(view: Claim) -> Predicate:
    return Predicate(str(view.body[0][0]), len(view.body[0]) - 1)


def _views(rule: Rule, program: Program) -> Iterator[_Part]:
    """Parts of a body with a recursive predicate.

    The other atoms of a part may be recursive too, but not through that predicate.
    """
    recursive, literals = recursive_predicates(program), list(rule.literals)
    if rule.head is None or rule.head.predicate in recursive:
        return
    sources = {literal: dependency_graph(program).above([literal.atom.predicate]) for literal in literals
               if literal.positive and literal.atom.predicate in recursive}  # fmt: skip
    for count in range(1, min(_VIEW, len(literals)) + 1):
        for part in itertools.combinations(literals, count):
            rest = tuple(item for item in rule.body if not any(item is literal for literal in part))
            for source in (literal for literal in part if literal in sources and all(each.positive for each in part)):
                others = tuple(literal for literal in part if literal is not source)
                apart = not any(other.atom.predicate in sources[source] for other in others)
                if apart and (view := _view((source, *others), (rule.head, *rest))) is not None:
                    yield view, part


def _view(part: Sequence[Literal], outside: Sequence[Atom | BodyLiteral]) -> Claim | None:
    """What is read of a part of a body; None where that is a part of a term."""
    body = tuple(fact_of(literal.atom) for literal in part)
    read = {variable.name for variable in variables(*outside)}
    inside = dict.fromkeys(itertools.chain.from_iterable(map(variables_of, body)))
    head = ("view", *(variable for variable in inside if variable in read))
    return Claim((head,), body) if {part for atom in body for part in atom[1:]}.issuperset(head[1:]) else None


def _asked(view: Claim, program: Program) -> Iterator[Claim]:
    """What the rules of the recursion ask of it where a view is written by them: `even(1,Y)` for `odd(1,Y)`."""
    together, family = recursive_through(program, _source(view)), [view]
    known = {_written(view)}
    for each in family:
        source, *others = (Literal(atom_of(atom)) for atom in each.body)
        whole = Rule(atom_of(each.head[0]), (source, *others))
        for made in filter(None, (unfold_call(whole, source, rule) for rule in program.defining(_source(each)))):
            given = made.body[len(made.body) - len(others) :]
            for call in (item for item in made.literals if item.atom.predicate in together and item.positive):
                rest = [item for item in made.body if item is not call]
                local = variables(call) - variables(made.conclusion, *(item for item in rest if item not in given))
                part = [item for item in given if isinstance(item, Literal) and variables(item) & local]
                asked = _view((call, *part), (made.conclusion, *(item for item in rest if item not in part)))
                if asked is not None and _written(asked) not in known and len(family) < _FAMILY:
                    known.add(_written(asked))
                    family.append(asked)
                    yield asked


def _written(view: Claim) -> str:
    return str(numbered(view.rule))


def rules_for(
    views: Sequence[Claim], program: Program, samples: Samples, vocabulary: Collection[str]
) -> tuple[Rule, ...] | None:
    """The fewest rules that derive the views on all samples, in the order of the views; None where those that are sound
    do not."""
    written = tuple(rule for rule in program.rules if not has_interval(rule))
    columns = Columns(Program((*written, *(view.rule for view in views))))
    heads = [view.head[0] for view in views]

    def kind(atom: Fact, place: int) -> _Kind:
        name = str(atom[0]).removeprefix(NOT)
        return samples.kind(name, place), columns.kinds(Predicate(name, len(atom) - 1))[place].number

    names = [name for name in samples.arities if name in {*vocabulary, *(head[0] for head in heads)}]
    denied = {item.atom.name for rule in program.rules for item in rule.literals if not item.positive}
    names += [NOT + name for name in names if name in denied]
    sources = {_source(view) for view in views}
    equal = any(
        len({*rule.conclusion.arguments}) < rule.conclusion.predicate.arity
        for source in sources for rule in program.defining(source)
    )  # fmt: skip
    constants = {
        part: kind(atom, place)
        for rule in (*program.rules, *(view.rule for view in views))
        for atom in map(fact_of, rule.atoms)
        for place, part in enumerate(atom[1:])
        if not any(True for _ in variables_of(("", part)))
    }
    merged = [each for head in heads for each in (head, *(_merged(head, kind) if equal else ()))]
    sound: dict[Fact, list[Claim]] = {head: [] for head in merged}
    between = dict.fromkeys(kind(head, place) for head in heads for place in range(len(head) - 1))
    for any_other in (False, True):
        for head, found in sound.items():
            for body in _bodies_over(head, names, samples.arities, kind, between, constants, any_other):
                if not any(set(other.body) <= set(body) for other in found):
                    claim = Claim((head,), body)
                    if samples.support(canonical(claim)):
                        found.append(claim)
        if rules := _fewest(heads, [*itertools.chain.from_iterable(sound.values())], samples):
            return rules
    return None


def _merged(head: Fact, kind: Callable[[Fact, int], _Kind]) -> Iterator[Fact]:
    """The head with two equal arguments, in each way."""
    for first, second in itertools.combinations(range(1, len(head)), 2):
        if _alike(kind(head, first - 1), kind(head, second - 1)):
            yield instance(head, {str(head[second]): head[first]})


def _fewest(heads: Sequence[Fact], sound: Sequence[Claim], samples: Samples) -> tuple[Rule, ...]:
    """The lightest rules that derive what the heads hold of; none where all of them do not."""
    light = sorted(sound, key=_weight)
    counts = range(1, len(light) + 1)
    enough = next((count for count in counts if samples.derives(heads, light[:count])), None)
    if enough is None:
        return ()
    kept = light[:enough]
    for claim in reversed(light[:enough]):
        fewer = [other for other in kept if other is not claim]
        if samples.derives(heads, fewer):
            kept = fewer
    return tuple(claim.rule for claim in sound if claim in kept)


def _alike(one: _Kind, other: _Kind) -> bool:
    return one[0] == other[0] and (one[1] == other[1] or 0 in (one[1], other[1]))


def _weight(claim: Claim) -> tuple[int, int, int, str]:
    """Long bodies weigh more, and of as long ones those that ask for what is new before what is reached."""
    given = {part for atom in claim.head for part in atom}
    late = sum(atom[1] in given and not given.issuperset(atom[2:]) for atom in claim.body if len(atom) == 3)
    return len(claim.body), sum(len(atom) for atom in claim.body), late, str(claim)


def _bodies_over(
    head: Fact,
    names: Sequence[str],
    arities: Mapping[str, int],
    kind: Callable[[Fact, int], _Kind],
    between: Iterable[_Kind],
    constants: Mapping[Value, _Kind],
    any_other: bool,
) -> Iterator[tuple[Fact, ...]]:
    """Bodies of growing length over the variables of the head, which all have, constants (with their kinds), and at
    most one more variable, of a kind `between`, used twice; with `any_other` shorter ones, an argument of each of whose
    atoms may be any value."""
    kinds: dict[Value, _Kind] = {variable: kind(head, place) for place, variable in enumerate(head[1:])}
    own, fresh = set(kinds), (letter for letter in "XYZUVWPQ" if letter not in kinds)
    kinds |= {next(fresh): each for each in between}
    kinds |= constants
    unread = iter(fresh_names("Any", {*map(str, kinds)}))
    atoms, alone = list[Fact](), set[Value](constants)
    for name in names:
        general = (name, *[""] * arities[name.removeprefix(NOT)])
        fitting = [
            [*(part for part in kinds if _alike(kinds[part], kind(general, place))), *([""] if any_other else [])]
            for place in range(len(general) - 1)
        ]
        for parts in itertools.product(*fitting):
            if len({*parts}) == len(parts) and any(parts):
                atoms.append((name, *(part or next(unread) for part in parts)))
    atoms = sorted((atom for atom in atoms if atom != head), key=lambda atom: (atom[0] == head[0], str(atom)))
    alone |= {part for atom in atoms for part in atom[1:] if part not in kinds}
    for count in range(1, _LONGEST + (not any_other)):
        for body in itertools.combinations(atoms, count):
            used = [variable for atom in body if not is_test(atom) for variable in atom[1:]]
            news = {part for part in used if part not in own and part not in alone}
            if (
                own.union(*(atom[1:] for atom in body if is_test(atom))) <= {*used, *constants}
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
