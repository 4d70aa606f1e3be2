"""Profiles of a program: the size of each relation, and how many facts match a call with some arguments bound.

Measured on a sample instance, relations inside recursive components included. A relation that could be too large to
compute on the way (a rule of many joined literals, visited lists that grow) is estimated from the others instead.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hexlogic.language.analysis.dependence import growing_predicates, intensional, reachable, recursive_predicates, sccs
from hexlogic.language.ground.domains import ASSUMED, Domains, sample_facts
from hexlogic.language.ground.solving import least_model
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Predicate, Program, Rule, Term, Variable
from hexlogic.language.walk import is_ground, is_positive, variables

_WIDEST = 8  # Positive literals up to which a rule is evaluated on the sample
_LARGEST = 1_000_000  # Tuples over the values of its variables up to which a head is evaluated on the sample
_UNKNOWN = 1_000.0  # Facts of a relation that grows without end, as visited lists do


class Profile:
    """Sizes and selectivities of relations. All figures are expectations, positive where anything can match."""

    def __init__(
        self, domains: Domains, facts: Mapping[Predicate, frozenset[Atom]], estimated: Mapping[Predicate, float]
    ) -> None:
        self._domains = domains
        self._facts = facts
        self._estimated = estimated
        self._counts: dict[tuple[Predicate, object], float] = {}

    def size(self, predicate: Predicate) -> float:
        """How many facts the predicate has; at least a little, so that an empty sample does not hide all work."""
        return max(self._estimated.get(predicate, float(len(self._facts.get(predicate, ())))), 0.01)

    def domain(self, predicate: Predicate, position: int) -> int:
        """How many values this argument, and those that rules join with it, can take."""
        return self._domains.size((predicate, position))

    def count(self, atom: Atom) -> float:
        """How many facts have the atom's constants, and equal values where it repeats a variable."""
        constants, repeated = pattern = _pattern(atom)
        key = (atom.predicate, pattern)
        if key not in self._counts:
            if atom.predicate in self._estimated:
                values = math.prod(self.domain(atom.predicate, position) for position, _ in (*constants, *repeated))
                self._counts[key] = self.size(atom.predicate) / values
            else:
                self._counts[key] = max(float(sum(1 for _ in self._like(atom))), 0.01)
        return self._counts[key]

    def matches(self, atom: Atom, bound: frozenset[Variable]) -> float:
        """How many facts a call matches on average when the variables `bound` have some value each."""
        expected = self.count(atom)
        seen: set[Term] = set()
        for position, term in enumerate(atom.arguments):
            if term not in seen and not is_ground(term) and variables(term) <= bound:
                expected /= self.domain(atom.predicate, position)
            seen.add(term)
        return expected

    def values(self, atom: Atom) -> frozenset[Term] | None:
        """The values of the one variable of an atom such as `owns(red,X)`; None for other atoms and when unmeasured."""
        free = [position for position, term in enumerate(atom.arguments) if not is_ground(term)]
        if len(free) != 1 or not isinstance(atom.arguments[free[0]], Variable) or atom.predicate in self._estimated:
            return None
        return frozenset(fact.arguments[free[0]] for fact in self._like(atom))

    def _like(self, atom: Atom) -> Iterator[Atom]:
        """The measured facts with the atom's constants, and with equal values where it repeats a variable."""
        constants, repeated = _pattern(atom)
        for fact in self._facts.get(atom.predicate, ()):
            values = fact.arguments
            if all(str(values[place]) == text for place, text in constants) and all(
                values[place] == values[first] for place, first in repeated
            ):
                yield fact


def _pattern(atom: Atom) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, int], ...]]:
    """The positions of constants, each with its text, and of repeated variables, each with the first position."""
    terms = list(enumerate(atom.arguments))
    repeated = [(place, atom.arguments.index(term)) for place, term in terms if isinstance(term, Variable)]
    constants = tuple((place, str(term)) for place, term in terms if is_ground(term))
    return constants, tuple((place, first) for place, first in repeated if place != first)


def measure(program: Program, facts: Iterable[Atom] | None = None) -> Profile:
    """The profile of a program on an instance; on a random sample instance when none is given.

    >>> from hexlogic.language.parser import parse
    >>> profile = measure(parse("edge(1..3,1..3). loop(X) :- edge(X,X). far(X,Y) :- edge(X,Y), Y > X."))
    >>> [profile.size(Predicate(name, arity)) for name, arity in (("edge", 2), ("loop", 1), ("far", 2))]
    [9.0, 3.0, 3.0]
    """
    instance = tuple(sample_facts(program) if facts is None else facts)
    skipped, growing = _too_large(program), growing_predicates(program)
    rules = tuple(rule for rule in program.rules if rule.head is not None and rule.head.predicate not in skipped)
    measured: dict[Predicate, set[Atom]] = {}
    for atom in least_model(program.with_rules(rules), instance):
        measured.setdefault(atom.predicate, set()).add(atom)
    frozen = {predicate: frozenset(atoms) for predicate, atoms in measured.items()}
    domains = Domains(program, frozen)
    estimated: dict[Predicate, float] = {}
    profile = Profile(domains, frozen, estimated)
    for component in sccs(program):
        for predicate in sorted(component & skipped):
            ceiling = float(math.prod(domains.size((predicate, position)) for position in range(predicate.arity)))
            total = _UNKNOWN
            if predicate not in recursive_predicates(program):
                estimated[predicate] = 0.0
                total = sum(_answers(profile, rule) for rule in program.defining(predicate))
            estimated[predicate] = total if predicate in growing else min(ceiling, total)
    return profile


def _too_large(program: Program) -> frozenset[Predicate]:
    """The derived predicates that are not evaluated on the sample, with everything that needs them."""
    sizes = Domains(program, {})
    direct = set(growing_predicates(program))
    for rule in program.rules:
        if rule.head is not None and rule.body:
            positive = sum(literal.positive for literal in rule.literals)
            head = rule.head.predicate
            tuples = math.prod(min(sizes.size((head, position)), ASSUMED) for position in range(head.arity))
            if positive > _WIDEST or tuples > _LARGEST:
                direct.add(head)
    return frozenset(predicate for predicate in intensional(program) if reachable(program, [predicate]) & direct)


def _answers(profile: Profile, rule: Rule) -> float:
    expected = 1.0
    bound: frozenset[Variable] = frozenset()
    for item in rule.body:
        if isinstance(item, Comparison):
            expected *= {"=": 1.0, "!=": 1.0}.get(item.operator, 0.5)
        elif item.positive:
            expected *= profile.matches(item.atom, bound)
            bound |= variables(item)
    return expected


_SIZE = 1_000.0
_VALUES = 30.0
_SELECTIVITY: Mapping[str, float] = {"=": 0.1, "!=": 1.0}


@dataclass
class Statistics:
    """Numbers of facts of relations and of different values of their columns; assumed where nothing is known.

    The textbook estimate (Selinger et al. 1979): columns are independent, and the values of the smaller of two joined
    columns occur among those of the larger. So the answers of a conjunction are the product of the sizes, divided for
    each variable by the numbers of values of all its columns but the smallest.
    """

    sizes: dict[Predicate, float] = field(default_factory=dict)
    columns: dict[tuple[Predicate, int], float] = field(default_factory=dict)

    @classmethod
    def of_profile(cls, profile: Profile, known: Iterable[Predicate]) -> "Statistics":
        """What a profile says of these predicates."""
        sizes = {predicate: profile.size(predicate) for predicate in known}
        places = ((predicate, position) for predicate in sizes for position in range(predicate.arity))
        return cls(sizes, {place: float(profile.domain(*place)) for place in places})

    def updated(self, other: "Statistics") -> "Statistics":
        """These numbers, and those of others where they are known."""
        return Statistics(self.sizes | other.sizes, self.columns | other.columns)

    def size(self, predicate: Predicate) -> float:
        """Facts of a relation."""
        return max(self.sizes.get(predicate, _SIZE if predicate.arity else 1.0), 0.01)

    def column(self, predicate: Predicate, position: int) -> float:
        """Different values of an argument, at least 1."""
        return max(1.0, min(self.columns.get((predicate, position), _VALUES), self.size(predicate)))

    def values(self, items: Iterable[BodyLiteral], variable: Variable) -> float:
        """How many values a variable can take in a conjunction: those of its smallest column."""
        columns = [
            self.column(item.atom.predicate, position)
            for item in filter(is_positive, items)
            for position, term in enumerate(item.atom.arguments)
            if variable in variables(term)
        ]
        return min(columns, default=1.0)

    def answers(self, items: Collection[BodyLiteral]) -> float:
        """How many answers the conjunction has, as bindings of all its variables.

        >>> from hexlogic.language.parser import parse_rule
        >>> sizes = Statistics({Predicate("edge", 2): 100.0}, {(Predicate("edge", 2), place): 10.0 for place in (0, 1)})
        >>> sizes.answers(parse_rule("p(X,Z) :- edge(X,Y), edge(Y,Z).").body)
        1000.0
        """
        answers = 1.0
        columns: dict[Variable, list[float]] = {}
        for item in dict.fromkeys(items):
            if isinstance(item, Comparison):
                # the only value of a variable, or a test
                assigns = item.operator == "=" and not variables(item) <= variables(*filter(is_positive, items))
                answers *= 1.0 if assigns else _SELECTIVITY.get(item.operator, 0.5)
            elif item.positive:
                answers *= self.size(item.atom.predicate)
                for position, term in enumerate(item.atom.arguments):
                    values = self.column(item.atom.predicate, position)
                    if is_ground(term):
                        answers /= values
                    for variable in variables(term):
                        columns.setdefault(variable, []).append(values)
        for column in columns.values():
            answers /= math.prod(sorted(column)[1:])
        return answers

    def projected(self, items: Collection[BodyLiteral], kept: Iterable[Variable]) -> float:
        """How many different values of some variables the answers of the conjunction have."""
        return min(self.answers(items), math.prod(self.values(items, variable) for variable in kept))

    def learn(self, rule: Rule) -> None:
        """Estimate the relation that this one rule defines."""
        if rule.head is None:
            return
        predicate = rule.head.predicate
        names = [(place, term) for place, term in enumerate(rule.head.arguments) if isinstance(term, Variable)]
        self.sizes[predicate] = self.projected(rule.body, [term for _, term in names])
        self.columns |= {(predicate, place): self.values(rule.body, term) for place, term in names}
