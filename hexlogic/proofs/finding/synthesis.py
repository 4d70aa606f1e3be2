"""Rules for views of a recursion that do without it: unfolded and folded again, else put together from atoms.

    view(P,Y) :- starts(P,X), same_cluster(P,X,Y).
    view(P,Z) :- starts(P,X), same_cluster(P,X,Y), adjacent(Y,Z), owns(P,Z).      a rule for same_cluster in its place
    view(P,Z) :- view(P,Y), adjacent(Y,Z), owns(P,Z).                             the view in the place of its body

What is folded may say more than the view does, and what is put together may say anything: a rule is sound where the
view is closed under it in all samples. The rules that are kept derive all of the view there. Sources: Burstall and
Darlington 1977, "A transformation system for developing recursive programs"; Wang et al. 2022, "Optimizing recursive
queries with program synthesis".
"""

import itertools
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from hexlogic.language import Atom, Literal, Predicate, Program, Rule, Term, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.columns import Columns
from hexlogic.language.analysis.dependence import recursive_predicates, recursive_through
from hexlogic.language.homomorphism import find_homomorphism, match_terms, unfold_call, unfold_calls
from hexlogic.language.names import fresh_names
from hexlogic.language.walk import computes, has_interval, rule_terms, substitute
from hexlogic.proofs.finding.facts import NOT, Claim, Fact, Value, canonical, fact_of, instance, is_test, variables_of
from hexlogic.proofs.finding.known import claim_of
from hexlogic.proofs.finding.samples import Samples

_LONGEST: Final = 3
"""Atoms in the body of a rule that is put together."""
_UNFOLDED: Final = 2
"""Calls that are unfolded where no view can be folded."""
_FOLDED: Final = 60
"""Rules that one rule of a recursion is folded to, at most."""
_RULES: Final = 3
"""Rules of a predicate that is written in place, at most."""
_LETTERS: Final = "XYZUVWPQ"
_MIDDLE: Final = Variable("Middle")

_Kind: TypeAlias = "tuple[int, int]"
"""What a column holds: by its values in the samples, and by what the rules write (0 where they do not say)."""


def source_of(view: Claim) -> Predicate:
    """The recursive predicate that a view is made from: that of its first atom."""
    return Predicate(str(view.body[0][0]), len(view.body[0]) - 1)


def folded_rules(views: Sequence[Claim], program: Program, samples: Samples) -> tuple[Rule, ...]:
    """The fewest rules that derive the views on all samples, of those that the rules of the recursion are folded to;
    none where they do not."""
    sound = list[Claim]()
    for rule in foldings(views, program):
        if rule.body and not calls_of(rule, views, program) and not any(computes(term) for term in rule_terms(rule)):
            claim = _named(_turned(_lighter(claim_of(rule), samples), samples))
            if claim not in sound and claim.head[0] not in claim.body and samples.support(canonical(claim)):
                sound.append(claim)
    return _fewest([view.head[0] for view in views], sound, samples)


def foldings(views: Sequence[Claim], program: Program) -> Iterator[Rule]:
    """The rules for views, and the rules on the way to them that still call the recursion."""
    rules = [view.rule for view in views]
    for rule in rules:
        others = [new for other in rules if other is not rule and (new := folded(rule, 0, other))]
        ways = (_folded(new, views, program, _UNFOLDED) for new in (*others, *unfolded(rule, 0, program)))
        yield from dict.fromkeys(itertools.chain.from_iterable(itertools.islice(way, _FOLDED) for way in ways))


def unfolded(rule: Rule, place: int, program: Program) -> Iterator[Rule]:
    """The rule with each rule of the program in the place of a call."""
    call = rule.body[place]
    assert isinstance(call, Literal)
    return filter(None, (unfold_call(rule, call, other) for other in program.defining(call.atom.predicate)))


def _folded(rule: Rule, views: Sequence[Claim], program: Program, more: int) -> Iterator[Rule]:
    """The rule, and what it becomes with a view in the place of a call, or a rule for what is called."""
    if not unsafe_variables(rule):
        yield rule
    places = calls_of(rule, views, program)
    for place, view in itertools.product(places, views):
        if (new := folded(rule, place, view.rule)) is not None:
            yield from _folded(new, views, program, more)
    for new in unfolded(rule, places[0], program) if places and more else ():
        yield from _folded(new, views, program, more - 1)


def squares(rule: Rule, samples: Samples) -> Iterator[Rule]:
    """Two paths that meet, for a rule that calls its head's predicate once, where both differ in one of two ends, which
    are of one kind in the samples."""
    head = rule.conclusion
    called = [item.atom for item in rule.literals if item.atom.predicate == head.predicate]
    pairs = zip(head.arguments, called[0].arguments, strict=True) if len(called) == 1 else ()
    moved = [place for place, terms in enumerate(pairs) if len({*terms}) > 1]
    if len(moved) != 1:
        return
    (last,) = moved
    for first in range(head.predicate.arity):
        if first == last or samples.kind(head.name, first) != samples.kind(head.name, last):
            continue

        def ends(one: Term, other: Term, first: int = first) -> Literal:
            arguments = list(head.arguments)
            arguments[first], arguments[last] = one, other
            return Literal(Atom(head.name, tuple(arguments)))

        two = ends(head.arguments[first], _MIDDLE), ends(_MIDDLE, head.arguments[last])
        yield Rule(head, two if first < last else two[::-1])


def written_in_place(program: Program) -> Program:
    """The program with predicates of one rule, of few facts, or called once written in place, so that what is read of a
    state is one join."""
    for predicate in sorted(program.heads - recursive_predicates(program) - {*program.queries}):
        definitions = program.defining(predicate)
        called = [item for rule in program.rules for item in rule.literals if item.atom.predicate == predicate]
        is_short = 1 in (len(definitions), len(called)) or not any(rule.body for rule in definitions)
        if is_short and len(definitions) <= _RULES and all(item.positive for item in called):
            others = (rule for rule in program.rules if rule not in definitions)
            new = [each for rule in others for each in unfold_calls(rule, program, [predicate], sys.maxsize)]
            program = program.with_rules(tuple(new))
    return program.with_rules(tuple(rule.with_body(tuple(dict.fromkeys(rule.body))) for rule in program.rules))


def with_closures(program: Program, samples: Samples) -> Program:
    """The program with two paths that meet for each recursion that is closed under them in all samples."""
    two = dict.fromkeys(square for rule in program.rules if rule.head for square in squares(rule, samples))
    closed = (rule for rule in two if rule not in program.rules and samples.support(canonical(claim_of(rule))))
    return program.with_rules((*program.rules, *closed))


def calls_of(rule: Rule, views: Sequence[Claim], program: Program) -> list[int]:
    """The places in a body where a recursion is called that one of the views is made from."""
    together = frozenset[Predicate]().union(*(recursive_through(program, source_of(view)) for view in views))
    return [
        place
        for place, item in enumerate(rule.body)
        if isinstance(item, Literal) and item.positive and item.atom.predicate in together
    ]


def folded(rule: Rule, place: int, view: Rule) -> Rule | None:
    """The rule with a view in the place of a call, and of what else the view says; None where it says more."""
    call, (source, *others) = rule.body[place], view.body
    if not isinstance(call, Literal) or not isinstance(source, Literal) or source.atom.predicate != call.atom.predicate:
        return None
    rest = [*rule.body[:place], *rule.body[place + 1 :]]
    binding = match_terms(source.atom.arguments, call.atom.arguments, {})
    binding = None if binding is None else find_homomorphism(others, rest, binding)
    if binding is None:
        return None
    head, said = substitute(Rule(view.head), binding).conclusion, substitute(Rule(None, tuple(others)), binding).body
    return rule.with_body((Literal(head), *(item for item in rest if item not in said)))


def _lighter(claim: Claim, samples: Samples) -> Claim:
    """The claim without atoms that it does not need."""
    for atom in reversed(claim.body):
        fewer = Claim(claim.head, tuple(other for other in claim.body if other is not atom))
        bound = {name for other in fewer.body if not is_test(other) for name in variables_of(other)}
        tests = (*filter(is_test, fewer.body), *fewer.head)
        needed = {name for other in tests for name in variables_of(other)}
        if needed <= bound and fewer.body and samples.support(canonical(fewer)):
            claim = fewer
    return claim


def _turned(claim: Claim, samples: Samples) -> Claim:
    """The claim with symmetric atoms turned so that they do not begin with what only they have of the head."""
    head, body = {*claim.head[0]}, list[Fact]()
    for atom in claim.body:
        if (
            len(atom) == 3
            and atom[1] in head
            and {*variables_of(atom[2])} - head
            and samples.is_symmetric(str(atom[0]))
        ):
            atom = (atom[0], atom[2], atom[1])
        body.append(atom)
    return Claim(claim.head, tuple(body))


def _named(claim: Claim) -> Claim:
    """The claim in the order in which it is read, and with a person's names for what the head does not have."""
    head = {*variables_of(claim.head[0])}
    body = _readable(claim.body, claim.head[0])
    letters = (f"{letter}{number or ''}" for number in itertools.count() for letter in _LETTERS)
    fresh = (name for name in letters if name not in head)
    others = dict.fromkeys(name for atom in body for name in variables_of(atom) if name not in head)
    names: dict[str, Value] = {name: next(fresh) for name in others}
    return Claim(claim.head, tuple(instance(atom, names) for atom in body))


def rules_for(
    views: Sequence[Claim], program: Program, samples: Samples, vocabulary: Collection[str]
) -> tuple[Rule, ...] | None:
    """The fewest rules that derive the views on all samples, in the order of the views, put together from atoms of a
    vocabulary; None where those that are sound do not."""
    written = tuple(rule for rule in program.rules if not has_interval(rule))
    columns = Columns(Program((*written, *(view.rule for view in views))))
    heads = [view.head[0] for view in views]

    def kind(atom: Fact, place: int) -> _Kind:
        name = str(atom[0]).removeprefix(NOT)
        return samples.kind(name, place), columns.kinds(Predicate(name, len(atom) - 1))[place].number

    names = [name for name in samples.arities if name in {*vocabulary, *(head[0] for head in heads)}]
    denied = {item.atom.name for rule in program.rules for item in rule.literals if not item.positive}
    names += [NOT + name for name in names if name in denied]
    sources = set(map(source_of, views))
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
    names = {head[0] for head in heads}
    light = sorted(sound, key=lambda claim: _weight(claim, names))
    enough = (light[:count] for count in range(1, len(light) + 1))
    kept = next((claims for claims in enough if samples.derives(heads, claims)), [])
    for claim in reversed(kept):
        fewer = [other for other in kept if other is not claim]
        if samples.derives(heads, fewer):
            kept = fewer
    return tuple(claim.rule for claim in sound if claim in kept)


def _alike(one: _Kind, other: _Kind) -> bool:
    return one[0] == other[0] and (one[1] == other[1] or 0 in (one[1], other[1]))


def _weight(claim: Claim, names: Collection[Value]) -> tuple[int, int, int, int, str]:
    """Long bodies weigh more, and of as long ones those that call the views of these names more often, then those that
    ask for what is new before what is reached."""
    given = {part for atom in claim.head for part in atom}
    late = sum(atom[1] in given and not given.issuperset(atom[2:]) for atom in claim.body if len(atom) == 3)
    calls = sum(atom[0] in names for atom in claim.body)
    return len(claim.body), calls, sum(len(atom) for atom in claim.body), late, str(claim)


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
    own, fresh = set(kinds), (letter for letter in _LETTERS if letter not in kinds)
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
            tested = {part for atom in body if is_test(atom) for part in atom[1:]}
            news = {*used} - own - alone
            if own | tested <= {*used, *constants} and len(news) <= 1 and all(used.count(new) > 1 for new in news):
                yield _readable(body, head)


def _readable(body: Sequence[Fact], head: Fact) -> tuple[Fact, ...]:
    """The recursive atom first, then what is joined to atoms before it, of these what binds, then what tests."""
    chosen = [atom for atom in body if atom[0] == head[0]]
    left = sorted((atom for atom in body if atom not in chosen), key=lambda atom: (-len(set(atom[1:])), str(atom)))
    while left:
        spoken = {name for atom in chosen for name in variables_of(atom)}
        shared = ((atom, spoken & {*variables_of(atom)}, {*variables_of(atom)}) for atom in left)
        joined = (atom for atom, known, names in shared if known and (not is_test(atom) or known == names))
        chosen.append(left.pop(left.index(next(joined, left[0]))))
    return tuple(chosen)
