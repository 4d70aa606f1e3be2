"""Estimate the number of answers of a join from the sizes of relations and of their columns.

The textbook estimate (Selinger et al. 1979): columns are independent, and the values of the smaller of two joined
columns occur among those of the larger. So the answers of a conjunction are the product of the sizes, divided for each
variable by the numbers of values of all its columns but the smallest.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from hexlogic.language import BodyLiteral, Comparison, Literal, Predicate, Rule, Variable
from hexlogic.language.ground.profile import Profile
from hexlogic.language.walk import is_ground, variables

_SIZE = 1_000.0
_VALUES = 30.0
_SELECTIVITY: Mapping[str, float] = {"=": 0.1, "!=": 1.0}


@dataclass
class Statistics:
    """Numbers of facts of relations and of different values of their columns; assumed where nothing is known."""

    sizes: dict[Predicate, float] = field(default_factory=dict)
    columns: dict[tuple[Predicate, int], float] = field(default_factory=dict)

    @classmethod
    def of_profile(cls, profile: Profile, known: Iterable[Predicate]) -> Statistics:
        """What a profile says of these predicates."""
        statistics = cls()
        for predicate in known:
            statistics.sizes[predicate] = profile.size(predicate)
            for position in range(predicate.arity):
                statistics.columns[predicate, position] = float(profile.domain(predicate, position))
        return statistics

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
            for item in items
            if isinstance(item, Literal) and item.positive
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
                answers *= 1.0 if self._assigns(item, items) else _SELECTIVITY.get(item.operator, 0.5)
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
        names = [term for term in rule.head.arguments if isinstance(term, Variable)]
        predicate = rule.head.predicate
        self.sizes[predicate] = self.projected(rule.body, names)
        for position, term in enumerate(rule.head.arguments):
            if isinstance(term, Variable):
                self.columns[predicate, position] = self.values(rule.body, term)

    @staticmethod
    def _assigns(comparison: Comparison, items: Collection[BodyLiteral]) -> bool:
        """Whether the comparison gives a variable its only value."""
        bound = variables(*(item for item in items if isinstance(item, Literal) and item.positive))
        return comparison.operator == "=" and not variables(comparison) <= bound
