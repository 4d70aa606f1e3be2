"""Views that are kept from state to state: a step changes what follows from the facts that go and come.

    legal_place(R,X) :- true_control(R), cell(X), not true_stone(X).

    legal_place(red,X) :- cell(X), not true_stone(X).             kept, with how many ways there are to derive it
    legal_place(blue,X) :- cell(X), not true_stone(X).
    open_place(red) :- true_control(red).                         the gate: whose moves these are in a state
    open_place(blue) :- true_control(blue).

A view is *steady* when it is not recursive and reads facts that steps change by difference, steady views, and what no
state changes. Moves often depend on the turn besides: literals that speak of the role alone are its gate. What is kept
is counted: a tuple is there as long as it is derived in some way.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import prod
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.ggp.forward.estimates import join_cost
from hexlogic.ggp.forward.memory import DENSE
from hexlogic.ggp.forward.views import PUT
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.language.analysis.dependence import dependency_graph, recursive_predicates
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import internal_name
from hexlogic.language.syntax import Atom, BodyLiteral, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import predicates, substitute, variables

_MOST_CHANGES: Final = 0.5
"""The part of the facts of a relation that a step may change."""


def with_kept_views(
    opened: OpenedSheet,
    sizes: Statistics,
    changes: Mapping[Predicate, float],
    roles: Sequence[Term],
    derived: Collection[Predicate],
) -> OpenedSheet:
    """The sheet with views that are kept where that costs less. `changes` are the facts of a relation that go or come
    in a step, `derived` the views that are derived in each state else: others are asked for."""
    return _Keeping(opened, sizes, changes, roles).chosen(derived)


@dataclass(frozen=True)
class _View:
    """A view that can be kept: its rules, and for a relation of `legal` those of its gate."""

    rules: tuple[Rule, ...]
    gate: tuple[Rule, ...] = ()


class _Keeping:
    def __init__(
        self,
        opened: OpenedSheet,
        sizes: Statistics,
        changes: Mapping[Predicate, float],
        roles: Sequence[Term],
    ) -> None:
        self._opened, self._sizes, self._roles = opened, sizes, roles
        self._changes = {
            true: changes.get(true, 0.0)
            for true in opened.state
            if changes.get(true, 0.0) <= _MOST_CHANGES * max(1.0, sizes.size(true))
            and prod(opened.types.of((true, column)).size for column in range(true.arity)) <= DENSE
        }
        self._fixed = frozenset[Predicate]().union(*opened.phases[0])
        self._views: dict[Predicate, _View] = {}
        recursive = recursive_predicates(opened.program)
        read = {item.atom.predicate for rule in opened.program.rules for item in rule.literals}
        legal = {opened.pairs[done] for done in opened.done} - read
        for predicate in chain.from_iterable(map(sorted, opened.phases[1])):
            terms = (opened.types.of((predicate, column)).size for column in range(predicate.arity))
            if predicate in recursive or prod(terms) > DENSE:
                continue
            rules = tuple(
                rule.with_body(tuple(dict.fromkeys(rule.body))) for rule in opened.program.defining(predicate)
            )
            if all(map(self._is_steady, chain.from_iterable(rule.body for rule in rules))):
                self._views[predicate] = _View(rules)
            elif predicate in legal and (gated := self._gated(predicate, rules)) is not None:
                self._views[predicate] = gated

    def chosen(self, derived: Collection[Predicate]) -> OpenedSheet:
        """The sheet in which the views are kept that cost less so."""
        opened = self._opened
        below = dependency_graph(
            opened.program.with_rules(tuple(chain(*(view.rules for view in self._views.values()))))
        )
        kept: set[Predicate] = set()
        costs = {
            predicate: self._saved(predicate, view, predicate in derived) for predicate, view in self._views.items()
        }
        for predicate in reversed(self._views):
            needed = (below.below([predicate]) & self._views.keys()) - kept
            if sum(costs[each] for each in needed) > 0:
                kept |= needed
        if not kept:
            return opened
        gates = {
            predicate: view.gate[0].conclusion.predicate
            for predicate, view in self._views.items()
            if predicate in kept and view.gate
        }
        for predicate, gate in gates.items():
            opened.types.share(gate, {0: (predicate, 0)})
        rules = [rule for rule in opened.program.rules if rule.conclusion.predicate not in kept]
        for predicate in self._views.keys() & kept:
            rules += [*self._views[predicate].rules, *self._views[predicate].gate]
        views = tuple(filter(kept.__contains__, self._views))
        return replace(opened.with_rules(tuple(rules)), kept=views, gates=gates)

    def _is_steady(self, item: BodyLiteral) -> bool:
        if not isinstance(item, Literal):
            return True
        predicate = item.atom.predicate
        steady = predicate in self._fixed or (predicate in self._changes and predicate in self._opened.state)
        return steady or (predicate in self._views and not self._views[predicate].gate)

    def _gated(self, predicate: Predicate, rules: Iterable[Rule]) -> _View | None:
        """The rules of `legal` for each role, and its gate; None where there is not one gate for all rules."""
        gates: dict[Term, frozenset[BodyLiteral]] = {}
        made: list[Rule] = []
        for rule in rules:
            role = rule.conclusion.arguments[0]
            for name in self._roles if isinstance(role, Variable) else [role]:
                if self._opened.types.of((predicate, 0)).number(name) < 0:
                    continue
                each = substitute(rule, {role: name}) if isinstance(role, Variable) else rule
                gate = tuple(item for item in each.body if not self._is_steady(item))
                rest = tuple(item for item in each.body if item not in gate)
                shared = variables(each.conclusion).union(*map(variables, rest))
                if not shared.isdisjoint(frozenset().union(*map(variables, gate))):
                    return None
                if gates.setdefault(name, _renamed(gate)) != _renamed(gate):
                    return None
                made.append(each.with_body(rest))
        used = {each.name for each in predicates(self._opened.program)}
        opening = internal_name("open", predicate.name)
        if opening in used or not made:
            return None
        gate_rules = (Rule(Atom(opening, (name,)), tuple(sorted(gate, key=str))) for name, gate in gates.items())
        return _View(tuple(dict.fromkeys(made)), tuple(gate_rules))

    def _saved(self, predicate: Predicate, view: _View, is_derived: bool) -> float:
        """What a step costs less when a view is kept, in tuples that are looked at."""
        size, before, after, changing = self._sizes.size(predicate), 0.0, 0.0, 0.0
        for rule in self._opened.program.defining(predicate):
            before += self._cost(rule, ())
        share = size * max(1, len(view.gate)) / max(1, len(view.rules))
        for rule in view.rules:
            for place, item in enumerate(rule.body):
                if isinstance(item, Literal) and (changes := self._changes.get(item.atom.predicate, 0.0)):
                    rest = rule.with_body((*rule.body[:place], *rule.body[place + 1 :]))
                    after += changes * (1 + self._cost(rest, variables(item)))
                    there = max(1.0, self._sizes.size(item.atom.predicate))
                    changing += share * min(1.0, changes / there)
        self._changes[predicate] = min(changing, 2 * size)
        return (before + PUT * size) * is_derived - after - PUT * self._changes[predicate]

    def _cost(self, rule: Rule, given: Collection[Variable]) -> float:
        try:
            return join_cost(rule.body, self._sizes, {}, given)
        except EngineError:
            return 0.0


def _renamed(gate: Iterable[BodyLiteral]) -> frozenset[BodyLiteral]:
    """A gate with its variables named by their order."""
    names: dict[Variable, Term] = {}
    for item in sorted(gate, key=str):
        for variable in sorted(variables(item), key=str):
            names.setdefault(variable, Variable(f"G{len(names)}"))
    return frozenset(substitute(Rule(Atom("gate", ()), tuple(gate)), names).body)
