"""Moves that random games draw by trial: to draw one of the moves that are legal, not all of them need be derived.

    legal_place(R,X) :- true_control(R), free(X), leads(X,D), flips(X,D,R).       60 places, about 10 legal
    may_place(R,X) :- true_control(R), free(X), leads(X,D), flips(X,D,R).         asked for one move
    open_place(R) :- true_control(R).                                             the gate: whose moves may be legal

A candidate is drawn from all moves of a role that there can be until one is legal: each legal move is as likely as the
others, however many rules derive it. After some failures all moves are derived, as for a search.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Final, TypeAlias

from hexlogic.ggp.forward.estimates import Asked, join_cost
from hexlogic.ggp.forward.pairs import possible_terms
from hexlogic.ggp.forward.static_tables import StaticTables
from hexlogic.ggp.forward.views import PUT, views_on_demand
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import fresh_names, internal_name
from hexlogic.language.syntax import Atom, Predicate, Rule, Variable
from hexlogic.language.walk import predicates, variables

_WORTH: Final = 0.5
"""The part of what it costs to derive all moves that trials may cost."""
_TRIAL: Final = 5.0
"""What it costs to draw a candidate, where looking at a tuple costs 1."""
_MOST_TRIALS: Final = 64.0
"""Candidates in a step for which this is considered."""

Seen: TypeAlias = Mapping[Predicate, Sequence[int]]
"""How many moves are legal in a state, by relation of `legal` and the number of the role."""


def with_tries(
    opened: OpenedSheet, sizes: Statistics, seen: Sequence[Seen], tested: Collection[Predicate], statics: StaticTables
) -> OpenedSheet:
    """The sheet with tests of moves that are not kept, where trials cost less than to derive them all. `seen` are some
    states; relations in `tested` are asked for single tuples."""
    moves = [opened.pairs[done] for done in opened.done if opened.pairs[done] not in opened.kept]
    tried = [legal for legal in moves if frozenset([legal]) in opened.phases[1]]
    read = {item.atom.predicate for rule in opened.program.rules for item in rule.literals}
    if not tried or not seen or not read.isdisjoint(tried):
        return opened
    made = _tried(opened, tried)
    counts = {legal: candidates(opened, legal) for legal in tried}
    sizes.sizes |= dict.fromkeys(made.gates.values(), 1.0)
    trials = defaultdict[Predicate, float](float)
    for state in seen:
        for role in range(max(map(len, state.values()))):
            listed = {legal: own[role] for legal, own in state.items() if role < len(own)}
            for legal in tried if sum(listed.values()) else ():
                if listed.get(legal, 0) or legal not in made.gates:
                    trials[legal] += counts[legal] / sum(listed.values()) / len(seen)
    if sum(trials.values()) > _MOST_TRIALS:
        return opened
    before, _ = _cost(opened, sizes, tested, statics)
    after, tests = _cost(made, sizes, {*tested, *made.tries.values()}, statics)
    trying = sum(number * (_TRIAL + tests[made.tries[legal]].cost) for legal, number in trials.items())
    return made if trying < _WORTH * (before - after) else opened


def _cost(
    opened: OpenedSheet, sizes: Statistics, tested: Collection[Predicate], statics: StaticTables
) -> tuple[float, Mapping[Predicate, Asked]]:
    """What it costs to look at a state and to make a step, without what is kept, and the relations that are asked."""
    plain, tests = views_on_demand(opened, sizes, tested, statics=statics)
    derived = frozenset[Predicate]().union(*plain.phases[1], *plain.phases[2]) - tests.keys() - {*plain.kept}
    rules = [rule for rule in plain.program.rules if rule.conclusion.predicate in derived]
    looked_at = sum(join_cost(rule.body, sizes, tests, (), variables(rule.conclusion)) for rule in rules)
    return looked_at + PUT * sum(map(sizes.size, derived)), tests


def _tried(opened: OpenedSheet, tried: Sequence[Predicate]) -> OpenedSheet:
    """The sheet with tests of these relations of `legal`, and gates where each rule says whose moves these are."""
    used = {predicate.name for predicate in predicates(opened.program)}
    rules = list(opened.program.rules)
    tries: dict[Predicate, Predicate] = {}
    gates = dict(opened.gates)
    for legal in tried:
        may, opening = (next(iter(fresh_names(internal_name(word, legal.name), used))) for word in ("may", "open"))
        tries[legal] = Predicate(may, legal.arity)
        opened.types.share(tries[legal], {column: (legal, column) for column in range(legal.arity)})
        definitions = opened.program.defining(legal)
        rules += [replace(rule, head=Atom(may, rule.conclusion.arguments)) for rule in definitions]
        gate = [_gate(rule, opened.state, opening) for rule in definitions]
        if None not in gate:
            gates[legal] = Predicate(opening, 1)
            opened.types.share(gates[legal], {0: (legal, 0)})
            rules += dict.fromkeys(filter(None, gate))
    return replace(opened.with_rules(tuple(rules)), tries=tries, gates=gates)


def candidates(opened: OpenedSheet, legal: Predicate) -> int:
    """How many moves of a role there can be in a relation of `legal`."""
    return prod(possible_terms(opened.types, legal)[1:])


def _gate(rule: Rule, state: Collection[Predicate], opening: str) -> Rule | None:
    """The rule of a gate: what a rule of `legal` says of the role in facts; None where that binds no role."""
    role = rule.conclusion.arguments[0]
    own = variables(role)
    body = [item for item in rule.literals if item.atom.predicate in state and variables(item) <= own]
    is_bound = own <= frozenset[Variable]().union(*(variables(item) for item in body if item.positive))
    return Rule(Atom(opening, (role,)), tuple(body)) if body and is_bound else None
