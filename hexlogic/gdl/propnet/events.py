"""A game in turns, each of whose facts goes one way only, as a network of events.

An *event* is that a node takes its other value, which it then keeps to the end of the game: a cell gets its stone, a
cell is reached, a move stops being legal. A node that only rises has the event that it becomes true, one that only
falls that it becomes false; what follows from events are events again, so that the kernel for insertion
(`hexlogic.propagation.monotone`) plays the game, and counts nothing twice:

    taken(X) :- cell(X,red).     legal(X) :- not taken(X).       cell(X,red) => taken(X), which is: X no longer legal
    open :- free(1). open :- free(2).                            not free(1), not free(2) => not open

A conclusion from facts of both kinds, `lowest(X) :- free(X), not free(Y).`, has no event. Where it decides an effect,
a goal or the end it is a *check*, looked at when it is asked for.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from hexlogic.gdl.propnet.formulas import TRUE, Bodies, Formulas
from hexlogic.gdl.propnet.moments import Turns
from hexlogic.logic.analysis.graph import Digraph

__all__ = ["NO", "YES", "Events", "OneWayError"]

NO, YES = 0, 1
"""A literal of events is 2e where event e has happened, 2e + 1 where it has not. Event 0 never happens."""


MOST_CASES = 100
"""Of one check."""


class OneWayError(Exception):
    """Some fact or conclusion goes to and fro; the text says which, and for a fact `fact` is its number."""

    fact: int | None = None


class Events:
    """The events of a game in turns, from its first facts (by number). Raises OneWayError.

    Facts that are `loose` may be true or false when the game begins; the events from `initial` tell which.
    """

    def __init__(self, game: Turns, initial: frozenset[int], loose: frozenset[int] = frozenset()) -> None:
        self.store = game.formulas
        self.count = 1
        """How many events there are, the one that never happens included."""
        self.rules: list[tuple[int, tuple[int, ...]]] = []
        """A head, and the events that must all have happened for it."""
        self._literals = {TRUE: YES}
        self._true = {TRUE: True}
        self._mixed: set[int] = set()
        fact_of = {node: fact for fact, node in enumerate(game.fact_nodes) if node}
        ways, conditions = _ways(game)
        for fact in loose:
            ways.setdefault(fact, 1)
        self.initial = frozenset(fact for fact in initial | loose if fact not in loose or ways[fact] < 0)
        """The facts that are true before any event."""
        for node, fact in fact_of.items():
            self._true[node] = fact in self.initial
            self._literals[node] = self._literal(ways.get(fact, 0), fact in self.initial)
        self._derive(game, conditions.values())
        self.checks: list[Bodies] = []
        """Conjunctions of literals of events, of which one must hold."""
        self._check_of: dict[int, int] = {}
        self.effects = tuple(
            tuple(self._effect(game, choice.effects, conditions) for choice in moment.choices)
            for moment in game.moments
        )
        """By moment and choice: events, each happening where a condition holds."""

    def literal(self, literal: int) -> int:
        """The literal of events that holds where a literal of nodes does. Raises OneWayError where only a check can
        tell."""
        if abs(literal) in self._mixed:
            raise OneWayError("a conclusion from facts of which some rise and some fall")
        return self._literals[abs(literal)] ^ (literal < 0)

    def condition(self, literal: int) -> int:
        """The literal of events, or -1 - c for check c, that holds where a literal of nodes does."""
        if abs(literal) not in self._mixed:
            return self.literal(literal)
        if literal not in self._check_of:
            self.checks.append(self._cases(literal))
            self._check_of[literal] = len(self.checks) - 1
        return -1 - self._check_of[literal]

    def _cases(self, literal: int) -> Bodies:
        """The conjunctions of literals of events of which one must hold for a literal of nodes."""
        if abs(literal) not in self._mixed:
            found = self.literal(literal)
            return () if found == NO else ((),) if found == YES else ((found,),)
        bodies = self._bodies(abs(literal))
        if literal > 0:
            return tuple(dict.fromkeys(case for body in bodies for case in self._all([self._cases(p) for p in body])))
        return self._all([tuple(case for part in body for case in self._cases(-part)) for body in bodies])

    def _all(self, formulas: Sequence[Bodies]) -> Bodies:
        """The conjunctions that hold where each of the formulas has one that holds."""
        if math.prod(map(len, formulas)) > MOST_CASES:
            raise OneWayError("a condition with too many cases")
        chosen = (frozenset(itertools.chain(*cases)) for cases in itertools.product(*formulas))
        return tuple(
            dict.fromkeys(tuple(sorted(case)) for case in chosen if all(part ^ 1 not in case for part in case))
        )

    def _new(self) -> int:
        self.count += 1
        return self.count - 1

    def _literal(self, way: int, true: bool) -> int:
        """The literal of a node that is true at first or not and goes that way (1 up, -1 down, 0 stays)."""
        if way == 0 or (way > 0) == true:
            return YES if true else NO
        return 2 * self._new() + true

    def _way(self, literal: int) -> int:
        """How the truth of a literal of nodes can change: 1, -1 or, not at all, 0."""
        found = self.literal(literal)
        return 0 if found < 2 else -1 if found & 1 else 1

    def _derive(self, game: Turns, conditions: Iterable[int]) -> None:
        """Events for all nodes that somebody asks for, those below first."""
        asked = [*conditions]
        for moment in game.moments:
            asked += [moment.terminal, *(choice.literal for choice in moment.choices)]
            asked += [literal for goals in moment.goals for _, literal in goals]
        edges: dict[tuple[int, int, bool], None] = {}
        seen: set[int] = set()
        waiting = [abs(literal) for literal in asked]
        while waiting:
            node = waiting.pop()
            if node not in seen and node not in self._literals:
                seen.add(node)
                below = {abs(literal) for body in self._bodies(node) for literal in body}
                edges |= {(node, other, False): None for other in below if other not in self._literals}
                waiting += below
        for component in Digraph(edges, sorted(seen)).components():
            self._derive_component(sorted(component))

    def _bodies(self, node: int) -> Bodies:
        bodies = self.store.bodies[node]
        assert bodies is not None, "an input is a fact"
        return bodies

    def _derive_component(self, nodes: Sequence[int]) -> None:
        inside = set(nodes)
        below = [literal for node in nodes for body in self._bodies(node) for literal in body]
        outside = [literal for literal in below if literal not in inside]
        found = {self._way(literal) for literal in outside if abs(literal) not in self._mixed} - {0}
        mixed = len(found) > 1 or any(abs(literal) in self._mixed for literal in outside)
        way = found.pop() if found else 0
        if len(outside) < len(below) and (mixed or way < 0):
            raise OneWayError("a conclusion by recursion that can be lost")
        if mixed:
            self._mixed.update(nodes)
            return
        self._settle(nodes)
        for node in nodes:
            self._literals[node] = self._literal(way, self._true[node])
        for node in nodes:
            event = self._literals[node] >> 1
            if event and way > 0:
                self.rules += [
                    (event, causes) for body in self._bodies(node) if (causes := self._rising(body)) is not None
                ]
            elif event:
                self._fall(event, node)

    def _settle(self, nodes: Sequence[int]) -> None:
        """What is true at first: the least fixpoint."""
        self._true |= dict.fromkeys(nodes, False)
        changed = True
        while changed:
            changed = False
            for node in nodes:
                if not self._true[node] and any(
                    all(self._true[abs(literal)] == (literal > 0) for literal in body) for body in self._bodies(node)
                ):
                    self._true[node] = changed = True

    def _rising(self, body: Iterable[int]) -> tuple[int, ...] | None:
        """The events that make a conjunction true; None when it never is."""
        literals = {self.literal(literal) for literal in body} - {YES}
        return None if NO in literals else tuple(sorted(literal >> 1 for literal in literals))

    def _fall(self, event: int, node: int) -> None:
        """The rules for the event that a node becomes false: each of its conjunctions has lost a literal."""
        lost = []
        for body in self._bodies(node):
            literals = {self.literal(literal) for literal in body} - {YES}
            if NO not in literals:
                lost.append(sorted(literal >> 1 for literal in literals))
        if len(lost) == 1:
            self.rules += [(event, (cause,)) for cause in lost[0]]
            return
        causes = []
        for own in lost:
            causes.append(own[0] if len(own) == 1 else self._new())
            if len(own) > 1:
                self.rules += [(causes[-1], (cause,)) for cause in own]
        self.rules.append((event, tuple(sorted(set(causes)))))

    def _effect(
        self, game: Turns, effects: Iterable[tuple[int, int]], conditions: dict[tuple[int, int], int]
    ) -> tuple[tuple[int, int], ...]:
        """The events of a move, each with the condition under which it happens."""
        found = []
        for fact, literal in effects:
            own = self._literals[game.fact_nodes[fact]]
            if own > YES:  # a rising fact becomes true where the condition holds, a falling one false where it does not
                condition = conditions[fact, literal]
                found.append((own >> 1, self.condition(-condition if own & 1 else condition)))
        return tuple(pair for pair in found if pair[1] != NO)


def _ways(game: Turns) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """Whether each fact rises (1) or falls (-1), and for each effect the literal that decides it.

    A fact rises when it is true next wherever it is true now, and falls when it is true next only where it is true now.
    """
    ways: dict[int, int] = {}
    conditions: dict[tuple[int, int], int] = {}
    effects = {effect for moment in game.moments for choice in moment.choices for effect in choice.effects}
    for fact, literal in sorted(effects):
        node = game.fact_nodes[fact]
        way, condition = _way(game.formulas, node, literal)
        if way == 0 or ways.setdefault(fact, way) != way:
            error = OneWayError("a fact goes to and fro")
            error.fact = fact
            raise error
        conditions[fact, literal] = condition
    return ways, conditions


def _way(store: Formulas, node: int, literal: int) -> tuple[int, int]:
    """The way of a fact that is next true where the literal holds, and what decides it beside the fact itself."""
    if abs(literal) == TRUE:
        return literal, literal
    bodies = store.bodies[literal] if literal > 0 else None
    if bodies is not None and (node,) in bodies:
        return 1, store.any_of(body for body in bodies if body != (node,))
    if bodies is not None and all(node in body for body in bodies):
        return -1, store.any_of([other for other in body if other != node] for body in bodies)
    return 0, literal
