"""Join orders: the cheapest legal order of one rule body, by dynamic programming (Selinger 1979).

A step chooses a literal; tests follow as soon as their variables are bound, comparisons first, then the lookups, those
that throw most away first. Up to `EXACT` literals to choose from, every set of them is a state, and the best order is
found for the model; longer bodies keep the `BEAM` best orders of each length and go on with literals that are connected
to what is bound.
"""

import functools
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from hexlogic.language import Arithmetic, BodyLiteral, Comparison, Interval, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.analysis.binding import bindable, guarded_variables, needs
from hexlogic.language.ground.profile import Profile
from hexlogic.language.walk import is_ground, variables

EXACT = 10
"""Literals to choose from up to which all their sets are looked at."""
BEAM = 4
"""Orders kept at each length beyond that."""
COMPARE = 0.05
"""The cost of a comparison; a call of a stored relation costs 1."""
_AHEAD = 4.0  # Calls that each binding is expected to cause later
_HARDLY = 0.3  # Values that are expected where the sample has none
_DULL = 0.9  # A test that more than this share passes does not hurry


class Pricing(Protocol):
    """The costs of calls, for `cheapest_order`."""

    growing: frozenset[Predicate]
    """Predicates with infinitely many facts: they are never asked with fewer variables bound than in the text."""

    def is_stored(self, literal: Literal) -> bool:
        """Whether the relation is there: facts and inputs."""

    def calls(self, literal: Literal, positions: frozenset[int], times: float, rule: Rule) -> float:
        """What `times` calls with these argument positions bound cost, one after the other in the body of `rule`."""


@dataclass(frozen=True, slots=True)
class JoinStep:
    """A body literal as bit masks: variable `k` of the rule is bit `k`."""

    number: int
    item: BodyLiteral
    names: int
    ready: tuple[int, ...]
    """It can be evaluated when one of these sets is bound."""
    count: float
    arguments: tuple[tuple[int, int], ...]
    """The variables of each argument position."""
    columns: tuple[tuple[int, int], ...]
    """Variables of an argument and how many values it can take, once for each different term."""
    is_test: bool
    """Whether it is placed at once when all it needs is bound."""
    values: frozenset[Term] | None
    """What the one variable of a stored relation can be, measured; None for other literals."""

    def is_ready(self, bound: int) -> bool:
        """Whether the variables bound so far are enough."""
        return any(not names & ~bound for names in self.ready)

    def factor(self, bound: int) -> float:
        """How many answers it has for one binding of the variables `bound`."""
        expected = self.count
        for names, size in self.columns:
            if not names & ~bound:
                expected /= size
        if isinstance(self.item, Comparison):
            return 1.0 if self.names & ~bound else self.count
        return expected if self.item.positive else max(1.0 - expected, 0.1)


@dataclass(slots=True)
class _State:
    """An order so far: literals done, variables bound, expected bindings, expected cost."""

    done: int
    bound: int
    size: float
    cost: float
    order: tuple[int, ...]

    @property
    def rank(self) -> tuple[float, tuple[int, ...]]:
        return (round(self.cost, 6), self.order)


class _Body:
    def __init__(self, rule: Rule, given: frozenset[Variable], profile: Profile, pricing: Pricing) -> None:
        self.rule = rule
        self.pricing = pricing
        names = sorted(variables(*rule.body))
        self._bit = {variable: 1 << number for number, variable in enumerate(names)}
        self._domains: dict[Variable, int] = {}  # How many values each variable can take
        for atom in (literal.atom for literal in rule.literals):
            for position, term in enumerate(atom.arguments):
                if isinstance(term, Variable):
                    self._domains[term] = max(self._domains.get(term, 1), profile.domain(atom.predicate, position))
        self._guarded = guarded_variables(rule, pricing.growing)
        self.steps = [self._step(number, item, profile) for number, item in enumerate(rule.body)]
        self.given = self._mask(given)
        self.touching = dict.fromkeys(self._bit.values(), 0)
        for step in self.steps:
            for bit in _bits(step.names):
                self.touching[bit] |= 1 << step.number
        self.everything = (1 << len(self.steps)) - 1
        self.narrow = sum(1 << step.number for step in self.steps if step.values is not None)
        self._shared: dict[int, frozenset[Term]] = {}

    def start(self) -> _State:
        """The empty order with the tests of what the call binds."""
        return self._tests(_State(0, 0, 1.0, 0.0, ()), self.everything)

    def after(self, state: _State, step: JoinStep) -> _State:
        """The order with one literal more, and the tests that become possible."""
        return self._tests(self._add(state, step), self._touched(step.names & ~state.bound))

    def choices(self, state: _State, connected: bool) -> list[JoinStep]:
        """The literals that may come next, or only those connected to what is bound where there are any."""
        bound = state.bound | self.given
        undone = self.everything & ~state.done
        legal = [step for step in self._numbered(undone) if step.is_ready(state.bound)]
        near = [step for step in legal if step.names & bound or not step.names] if connected else []
        return near or legal

    def _touched(self, names: int) -> int:
        return functools.reduce(operator.or_, (self.touching[bit] for bit in _bits(names)), 0)

    def _add(self, state: _State, step: JoinStep) -> _State:
        return _State(
            state.done | 1 << step.number,
            state.bound | step.names,
            state.size * self._factor(state, step),
            state.cost + self._cost(step, state.bound | self.given, state.size),
            (*state.order, step.number),
        )

    def _factor(self, state: _State, step: JoinStep) -> float:
        """How many answers a literal has for each binding so far.

        Of several conditions on the same variable, as in `owns(red,X), first(red,X)`, the sample says how many values
        pass them together; otherwise arguments are taken to be independent.
        """
        if step.values is not None and step.names & state.bound:
            done = self.touching[step.names] & self.narrow & state.done
            if done:
                if done not in self._shared:
                    values = (other.values for other in self._numbered(done) if other.values is not None)
                    self._shared[done] = frozenset.intersection(*values)
                before = self._shared[done]
                return max(len(before & step.values), _HARDLY) / max(len(before), _HARDLY)
        return step.factor(state.bound | self.given)

    def _cost(self, step: JoinStep, known: int, times: float) -> float:
        if isinstance(step.item, Comparison):
            return times * COMPARE
        positions = frozenset(position for position, names in step.arguments if not names & ~known)
        return self.pricing.calls(step.item, positions, times, self.rule)

    def _tests(self, state: _State, candidates: int) -> _State:
        """Place tests, best first, as long as there are any among the candidates."""
        candidates &= ~state.done
        while True:
            known = state.bound | self.given
            ranks = []
            for step in self._numbered(candidates):
                is_literal = isinstance(step.item, Literal)
                if step.is_test and step.is_ready(state.bound) and not (is_literal and step.names & ~known):
                    factor = self._factor(state, step)
                    if not is_literal or factor <= _DULL:
                        ranks.append((is_literal, factor, step.number))
            if not ranks:
                return state
            best = self.steps[min(ranks)[2]]
            new = best.names & ~state.bound
            state = self._add(state, best)
            candidates = (candidates | self._touched(new)) & ~state.done

    def _numbered(self, mask: int) -> Iterator[JoinStep]:
        return (self.steps[bit.bit_length() - 1] for bit in _bits(mask))

    def _mask(self, names: frozenset[Variable]) -> int:
        return functools.reduce(operator.or_, (self._bit.get(name, 0) for name in names), 0)

    def _step(self, number: int, item: BodyLiteral, profile: Profile) -> JoinStep:
        names = self._mask(variables(item))
        if isinstance(item, Comparison):
            sizes = [self._domains[name] for name in variables(item) if name in self._domains]
            equal = 1 / max(sizes, default=10)
            share = {"=": equal, "!=": 1 - equal}.get(item.operator, 0.5)
            return JoinStep(number, item, names, self._ready(number, item, names), share, (), (), True, None)
        atom = item.atom
        columns = {
            term: (self._mask(variables(term)), profile.domain(atom.predicate, position))
            for position, term in reversed(list(enumerate(atom.arguments)))
            if not is_ground(term)
        }
        arguments = tuple((position, self._mask(variables(term))) for position, term in enumerate(atom.arguments))
        stored = self.pricing.is_stored(item)
        values = profile.values(atom) if item.positive and stored else None
        ready, share = self._ready(number, item, names), profile.count(atom)
        return JoinStep(number, item, names, ready, share, arguments, tuple(columns.values()), stored, values)

    def _ready(self, number: int, item: BodyLiteral, names: int) -> tuple[int, ...]:
        if isinstance(item, Literal) or item.operator != "=":
            return (self._mask(needs(item, frozenset()) | self._guarded.get(number, frozenset())),)
        sides = [
            self._mask(variables(value) | (variables(pattern) - bindable(pattern)))
            for pattern, value in ((item.left, item.right), (item.right, item.left))
            if not isinstance(pattern, Arithmetic | Interval)
        ]
        return (*sides, names)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def cheapest_order(
    rule: Rule, given: frozenset[Variable], profile: Profile, pricing: Pricing
) -> tuple[Rule, float, float]:
    """The cheapest order for `given` bound variables, its cost and answers; the same rule when none is legal."""
    body = _Body(rule, given, profile, pricing)
    choosable = sum(not step.is_test or not isinstance(step.item, Comparison) for step in body.steps)
    exact = choosable <= EXACT
    layer = [body.start()]
    finished: list[_State] = []
    while layer:
        following: dict[int, _State] = {}
        for state in layer:
            if state.done == body.everything:
                finished.append(state)
                continue
            for step in body.choices(state, connected=not exact):
                new = body.after(state, step)
                rival = following.get(new.done)
                if rival is None or new.rank < rival.rank:
                    following[new.done] = new
        layer = list(following.values()) if exact else _best(list(following.values()))
    if not finished:
        return rule, float("inf"), 1.0
    best = min(finished, key=lambda state: state.rank)
    return rule.with_body(tuple(rule.body[number] for number in best.order)), best.cost, best.size


def _best(states: Sequence[_State]) -> list[_State]:
    """The most promising orders: the literals that follow are called at least about once for each binding. Of orders
    that look the same, such as choosing the third stone or the fourth first, one is enough."""
    promising: dict[tuple[float, float], _State] = {}
    for state in sorted(states, key=lambda state: state.order):
        promising.setdefault((round(state.cost, 6), round(state.size, 9)), state)
    ranked = sorted(promising.values(), key=lambda state: (round(state.cost + _AHEAD * state.size, 6), state.order))
    return ranked[:BEAM]
