"""The latch network of a game in turns: what is true of its facts and conclusions changes once at most.

A *latch* belongs to a node that is monotone from the first state on, and is *set* when the node has taken its other
value, which it keeps to the end of the game: a cell gets its stone, a cell is reached, a move stops being legal. The
latch of a rising node is set when the node becomes true, that of a falling one when it becomes false. What follows from
latches that are set are latches again, so that counters in the manner of `hexlogic.language.propagation.monotone`
play the game:

    taken(X) :- cell(X,red).     legal(X) :- not taken(X).       cell(X,red) => taken(X), which is: X no longer legal
    open :- free(1). open :- free(2).                            not free(1), not free(2) => not open

A conclusion from rising and falling facts, `lowest(X) :- free(X), not free(Y).`, is not monotone and has no latch.
Where it decides an effect, a goal or the end it is a *check*, evaluated when it is needed.

In phases that come once, such as those of the swap, facts may change both ways: a choice there says of each fact
whether its latch is set next, and what follows is derived anew.
"""

import itertools
import math
from collections.abc import Iterable, Sequence

from hexlogic.ggp.propnet.control import TRUE, Bodies, ControlAutomaton, Formulas
from hexlogic.language.analysis.graph import Digraph

NO, YES = 0, 1
"""A literal of latches is 2e where latch e is set, 2e + 1 where it is not. Latch 0 is never set."""


MOST_CASES = 100
"""Of one check."""


class LatchError(Exception):
    """Some fact or recursive conclusion is not monotone; the text says which, and `fact` is the number of the fact."""

    fact: int | None = None


class LatchNetwork:
    """The latches of a game from its initial facts (by number) on. Raises LatchError."""

    def __init__(self, game: ControlAutomaton, initial: frozenset[int]) -> None:
        self.store = game.formulas
        self.count = 1
        """How many latches there are, the one that is never set included."""
        self.rules: list[tuple[int, tuple[int, ...]]] = []
        """A head, and the latches that must all be set for it."""
        self._literals = {TRUE: YES}
        self._true = {TRUE: True}
        self._mixed: set[int] = set()
        trends, conditions = _trends(game)
        once = game.phases[: game.recurring]
        undecided = {effect for phase in once for choice in phase.choices for effect in choice.effects}
        changed = {fact for fact, _ in undecided}
        for fact in changed:
            trends.setdefault(fact, 1)
        self.initial = frozenset(fact for fact in initial | changed if fact not in changed or trends[fact] < 0)
        """The facts that are true while no latch is set."""
        for node, fact in game.fact_of.items():
            self._true[node] = fact in self.initial
            self._literals[node] = self._literal(trends.get(fact, 0), fact in self.initial)
        self._derive(game, [*conditions.values(), *(literal for _, literal in undecided)])
        self.checks: list[Bodies] = []
        """Conjunctions of literals of latches, of which one must hold."""
        self._check_of: dict[int, int] = {}
        self.effects = tuple(
            tuple(
                self._effect(game, choice.effects, conditions if number >= game.recurring else None)
                for choice in phase.choices
            )
            for number, phase in enumerate(game.phases)
        )
        """By phase and choice: latches, each set where a condition holds; in a phase that comes once, and nowhere else,
        it is not set where the condition does not hold."""

    def literal(self, literal: int) -> int:
        """The literal of latches that holds where a literal of nodes does. Raises LatchError where only a check can
        tell."""
        if abs(literal) in self._mixed:
            raise LatchError("a conclusion from facts of which some rise and some fall")
        return self._literals[abs(literal)] ^ (literal < 0)

    def condition(self, literal: int) -> int:
        """The literal of latches, or -1 - c for check c, that holds where a literal of nodes does."""
        if abs(literal) not in self._mixed:
            return self.literal(literal)
        if literal not in self._check_of:
            self.checks.append(self._cases(literal))
            self._check_of[literal] = len(self.checks) - 1
        return -1 - self._check_of[literal]

    def _cases(self, literal: int) -> Bodies:
        """The conjunctions of literals of latches of which one must hold for a literal of nodes."""
        if abs(literal) not in self._mixed:
            condition = self.literal(literal)
            return () if condition == NO else ((),) if condition == YES else ((condition,),)
        bodies = self._bodies(abs(literal))
        if literal > 0:
            return tuple(dict.fromkeys(case for body in bodies for case in self._all([self._cases(p) for p in body])))
        return self._all([tuple(case for part in body for case in self._cases(-part)) for body in bodies])

    def _all(self, formulas: Sequence[Bodies]) -> Bodies:
        """The conjunctions that hold where each of the formulas has one that holds."""
        if math.prod(map(len, formulas)) > MOST_CASES:
            raise LatchError("a condition with too many cases")
        chosen = (frozenset(itertools.chain(*cases)) for cases in itertools.product(*formulas))
        return tuple(
            dict.fromkeys(tuple(sorted(case)) for case in chosen if all(part ^ 1 not in case for part in case))
        )

    def _new(self) -> int:
        self.count += 1
        return self.count - 1

    def _literal(self, trend: int, true: bool) -> int:
        """The literal of a node that is true at first or not and has that trend."""
        if trend == 0 or (trend > 0) == true:
            return YES if true else NO
        return 2 * self._new() + true

    def _trend(self, literal: int) -> int:
        """The trend of a literal of nodes: 1 where it can only become true, -1 only false, 0 neither."""
        condition = self.literal(literal)
        return 0 if condition < 2 else -1 if condition & 1 else 1

    def _derive(self, game: ControlAutomaton, conditions: Iterable[int]) -> None:
        """Latches for all nodes that phases depend on, those below first."""
        asked = [*conditions, *game.asked()]
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
        trends = {self._trend(literal) for literal in outside if abs(literal) not in self._mixed} - {0}
        mixed = len(trends) > 1 or any(abs(literal) in self._mixed for literal in outside)
        trend = trends.pop() if trends else 0
        if len(outside) < len(below) and (mixed or trend < 0):
            raise LatchError("a recursive conclusion that may become false")
        if mixed:
            self._mixed.update(nodes)
            return
        self._settle(nodes)
        for node in nodes:
            self._literals[node] = self._literal(trend, self._true[node])
        for node in nodes:
            latch = self._literals[node] >> 1
            if latch and trend > 0:
                causes = map(self._latches, self._bodies(node))
                self.rules += [(latch, tuple(latches)) for latches in causes if latches is not None]
            elif latch:
                self._fall(latch, node)

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

    def _latches(self, body: Iterable[int]) -> list[int] | None:
        """The latches that decide a conjunction; None for one that never holds."""
        literals = {self.literal(literal) for literal in body} - {YES}
        return None if NO in literals else sorted(literal >> 1 for literal in literals)

    def _fall(self, latch: int, node: int) -> None:
        """The rules for the latch of a falling node: each of its conjunctions has lost a literal."""
        lost = [latches for latches in map(self._latches, self._bodies(node)) if latches is not None]
        if len(lost) == 1:
            self.rules += [(latch, (cause,)) for cause in lost[0]]
            return
        causes = []
        for latches in lost:
            causes.append(latches[0] if len(latches) == 1 else self._new())
            if len(latches) > 1:
                self.rules += [(causes[-1], (cause,)) for cause in latches]
        self.rules.append((latch, tuple(sorted(set(causes)))))

    def _effect(
        self, game: ControlAutomaton, effects: Iterable[tuple[int, int]], conditions: dict[tuple[int, int], int] | None
    ) -> tuple[tuple[int, int], ...]:
        """The latches of a move, each with the condition under which it is set: where a rising fact becomes true or a
        falling one false. In a phase that comes once (no `conditions`) facts are given, and may lose, their latches."""
        rows = []
        for fact, literal in effects:
            latch = self._literals[game.fact_nodes[fact]]
            if conditions is None or latch > YES:
                condition = literal if conditions is None else conditions[fact, literal]
                rows.append((latch >> 1, self.condition(-condition if latch & 1 else condition)))
        return tuple(row for row in rows if conditions is None or row[1] != NO)


def _trends(game: ControlAutomaton) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """Whether each fact rises (1) or falls (-1) in recurring phases, and for each effect the literal that decides it.

    A fact rises when it is true next wherever it is true now, and falls when it is true next only where it is true now.
    """
    trends: dict[int, int] = {}
    conditions: dict[tuple[int, int], int] = {}
    recurring = game.phases[game.recurring :]
    effects = {effect for phase in recurring for choice in phase.choices for effect in choice.effects}
    for fact, literal in sorted(effects):
        node = game.fact_nodes[fact]
        trend, condition = _trend(game.formulas, node, literal)
        if trend == 0 or trends.setdefault(fact, trend) != trend:
            error = LatchError("a fact may become true and false again")
            error.fact = fact
            raise error
        conditions[fact, literal] = condition
    return trends, conditions


def _trend(store: Formulas, node: int, literal: int) -> tuple[int, int]:
    """The trend of a fact that is next true where the literal holds, and what decides it beside the fact itself."""
    if abs(literal) == TRUE:
        return literal, literal
    bodies = store.bodies[literal] if literal > 0 else None
    if bodies is not None and (node,) in bodies:
        return 1, store.any_of(body for body in bodies if body != (node,))
    if bodies is not None and all(node in body for body in bodies):
        return -1, store.any_of([other for other in body if other != node] for body in bodies)
    return 0, literal
