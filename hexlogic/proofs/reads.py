"""Two tests of a rule text: do more stones only add wins, and does a query read the asked player's stones only?

These are the two properties that make it enough to look at fewer positions. Both tests are syntactic, sufficient and
not necessary.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from hexlogic.games import PLAYERS
from hexlogic.language import Atom, Predicate, Program, Symbol, Term
from hexlogic.language.analysis.dependence import reachable, static_predicates

_Place: TypeAlias = int | Symbol
"""The number of an argument, or the player whom the predicate is about."""

_PLAYERS: Final = tuple(map(Symbol, PLAYERS))


def is_monotone(program: Program) -> bool:
    """Whether more stones can only make more atoms true: no rule negates what depends on the stones.

    >>> from hexlogic.games.rulesets import load_rule_set
    >>> from hexlogic.games import Hex
    >>> [is_monotone(load_rule_set(name).instantiate(Hex.square(3))) for name in ("clusters", "maker-breaker")]
    [True, False]
    """
    static = static_predicates(program)
    return all(
        literal.positive or literal.atom.predicate in static
        for rule in program.rules
        if rule.head is not None
        for literal in rule.literals
    )


def reads_own_stones_only(program: Program, query: Predicate) -> bool:
    """Whether `query(p)` depends on `owns(p,...)` alone: in every rule one term, the player, runs from head to body.

    Looks for the place that holds the player: the first argument of `owns/2` and of the query; for another predicate
    an argument, or a player that it is about by its name, as `selection_red/3` is.
    """
    static = static_predicates(program)
    needed = reachable(program, [query]) - static
    places: dict[Predicate, list[_Place]] = {
        predicate: [0] if predicate in program.inputs or predicate == query else [*range(predicate.arity), *_PLAYERS]
        for predicate in needed
    }
    rules = [
        (rule.head, [literal.atom for literal in rule.literals if literal.atom.predicate not in static])
        for rule in program.rules
        if rule.head is not None and rule.head.predicate in needed
    ]
    changed = True
    while changed:
        changed = False
        for head, body in rules:
            terms = [{_player(atom, place) for place in places[atom.predicate]} for atom in body]
            for place in list(places[head.predicate]):
                if not all(_player(head, place) in some for some in terms):
                    places[head.predicate].remove(place)
                    changed = True
    # One place for each predicate, the first that is left; then every rule is checked against this choice.
    if not all(places.values()):
        return False
    return all(
        _player(atom, places[atom.predicate][0]) == _player(head, places[head.predicate][0])
        for head, body in rules
        for atom in body
    )


def _player(atom: Atom, place: _Place) -> Term:
    return atom.arguments[place] if isinstance(place, int) else place
