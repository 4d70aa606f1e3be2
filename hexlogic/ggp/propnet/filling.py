"""Games in which the order of the moves does not matter: two sorts of stones fill the same cells, in turns.

A *cell* is a move that each phase offers as long as nobody has made it: it is legal until it is played, in whatever
phase, and playing it takes no other move away. So a random game, were it played on past its end, is a uniformly random
order of the cells, and who gets which cell follows from their places in the order. Where the end, once reached, lasts,
and so do the wins that make it, the result can be read off the filled board:

- exactly one win holds there: the game ended with that win, whenever that was;
- no win holds there: the game ended with the full board;
- several hold: the order decides. The first prefix of a random order in which the end holds is found by bisection.

A *win* is a literal that goals ask for and that brings the end about. `Filling` is the proof for one sheet;
`FillingError` says which condition fails. Nothing is assumed of the board, and that both cannot win need not be known:
it is checked in each game.
"""

from __future__ import annotations

from hexlogic.ggp.propnet.control import ControlAutomaton, PhaseChoice
from hexlogic.ggp.propnet.formulas import FALSE, TRUE, Formulas
from hexlogic.ggp.propnet.latch_network import NO, YES, LatchError, LatchNetwork


class FillingError(Exception):
    """The order of the moves may matter; the text says why."""


class Filling:
    """The cells of a game and what its stones change. `control` has recurring phases only. Raises FillingError."""

    def __init__(self, control: ControlAutomaton, network: LatchNetwork) -> None:
        self.store = control.formulas
        self._fact_of = control.fact_of
        if any(phase.role < 0 or not phase.choices for phase in control.phases):
            raise FillingError("in some phase no role has a choice")
        first = control.phases[0]
        self.end = first.terminal
        """The literal of the end."""
        self.goals = first.goals
        """By role: values, each with its literal."""
        if any(phase.terminal != self.end or phase.goals != self.goals for phase in control.phases):
            raise FillingError("the end or the goals depend on whose turn it is")
        try:
            lasting = network.literal(self.end)
        except LatchError as reason:
            raise FillingError(f"the end is {reason}") from None
        if lasting == NO or (lasting != YES and lasting & 1):
            raise FillingError("the end, once reached, need not last")
        taking = [
            {self._lost(choice.literal): place for place, choice in enumerate(phase.choices)}
            for phase in control.phases
        ]
        self.keys = keys = tuple(taking[0])
        """By cell: the literals of facts of which one alone says that the cell is filled."""
        owner = {literal: place for place, key in enumerate(keys) for literal in key}
        if len(owner) != sum(map(len, keys)) or any(set(places_of) != set(keys) for places_of in taking):
            raise FillingError("the phases do not offer the same moves")
        self.cells = len(keys)
        self.choices = tuple(tuple(places_of[key] for key in keys) for places_of in taking)
        """By phase and cell: the choice that takes the cell."""
        self.kinds: list[tuple[frozenset[int], ...]] = []
        """By kind of stones and cell: the literals of facts that a stone makes true."""
        self.kind_of_phase: list[int] = []
        for phase, places in zip(control.phases, self.choices, strict=True):
            stones = tuple(self._stone(control, phase.choices[place]) for place in places)
            if any({owner.get(literal, cell) for literal in stone} != {cell} for cell, stone in enumerate(stones)):
                raise FillingError("a move takes other moves away")
            if any(stone.isdisjoint(key) for stone, key in zip(stones, keys, strict=True)):
                raise FillingError("a move may be made again")
            if stones not in self.kinds:
                self.kinds.append(stones)
            self.kind_of_phase.append(self.kinds.index(stones))
        if len(self.kinds) != 2:
            raise FillingError(f"there are {len(self.kinds)} kinds of stones, not 2")
        self._find_wins()

    def outcome(self, win: int | None, late: frozenset[int]) -> tuple[int, ...] | None:
        """The goals of all roles where that win alone holds, or none and the board is full; None where that does not
        decide them. `late` are the disjuncts of the end that hold on a full board only."""
        known: dict[int, bool | None] = {TRUE: True}
        known |= {abs(one): (one == win) == (one > 0) for one in self.wins if one not in late}
        if win is None and len(late) == 1:
            known |= {abs(one): one > 0 for one in late}
        values = []
        for goals in self.goals:
            truths = [_truth(self.store, literal, known) for _, literal in goals]
            true = [value for (value, _), truth in zip(goals, truths, strict=True) if truth]
            if None in truths or len(true) != 1 or true[0] < 0:
                # Where only wins bring the end about, a full board without a win is no end, and nobody asks for goals.
                if win is None and not late and not self.rest:
                    return (0,) * len(self.goals)
                return None
            values.append(true[0])
        return tuple(values)

    def _find_wins(self) -> None:
        """`wins`: the literals that goals ask for and that imply the end; `rest`: what else brings the end about."""
        end = self._disjuncts(self.end)
        covers: dict[int, frozenset[int]] = {}
        """By win: its disjuncts."""
        seen: set[int] = set()
        waiting = [literal for goals in self.goals for _, literal in goals]
        while waiting:
            node = abs(waiting.pop())
            if node in seen or node == TRUE:
                continue
            seen.add(node)
            wins = (literal for literal in (node, -node) if self._disjuncts(literal) <= end)
            if (win := next(wins, None)) is not None:
                covers[win] = self._disjuncts(win)
            else:
                waiting += [part for body in self.store.bodies[node] or () for part in body]
        # What other wins imply, such as "somebody has won", is no win of its own.
        self.wins = tuple(win for win in sorted(covers) if not any(other < covers[win] for other in covers.values()))
        self.rest = tuple(sorted(end.difference(*covers.values())))

    def _disjuncts(self, literal: int) -> frozenset[int]:
        """Literals of which one must hold for this one, as far down as that can be said."""
        disjuncts, seen, waiting = set[int](), {literal}, [literal]
        for candidate in waiting:
            bodies = None if abs(candidate) == TRUE else self.store.bodies[abs(candidate)]
            parts = None
            if bodies is not None and candidate > 0 and all(len(body) == 1 for body in bodies):
                parts = [body[0] for body in bodies]
            elif bodies is not None and candidate < 0 and len(bodies) == 1:
                parts = [-part for part in bodies[0]]
            if parts is None:
                disjuncts.add(candidate)
            else:
                waiting += [part for part in dict.fromkeys(parts) if part not in seen]
                seen.update(parts)
        return frozenset(disjuncts)

    def _lost(self, literal: int) -> frozenset[int]:
        """The literals of facts of which one alone ends that a choice is legal."""
        lost = self._disjuncts(-literal)
        if not all(abs(part) in self._fact_of for part in lost):
            raise FillingError("whether a move is legal depends on several facts at once")
        return lost

    def _stone(self, control: ControlAutomaton, choice: PhaseChoice) -> frozenset[int]:
        """The literals of facts that a choice makes true when it is legal."""
        stone = set()
        for fact, literal in choice.effects:
            node = control.fact_nodes[fact]
            value = _assuming(self.store, literal, choice.literal)
            if value not in (TRUE, FALSE):
                raise FillingError("what a move changes depends on moves before it")
            stone.add(node if value == TRUE else -node)
        return frozenset(stone)


def _assuming(store: Formulas, literal: int, true: int) -> int:
    """A literal where another one is known to hold."""
    bodies = store.bodies[abs(literal)]
    if literal == true:
        return TRUE
    if literal == -true:
        return FALSE
    if bodies is None or abs(literal) == TRUE:
        return literal
    known = store.any_of(
        [TRUE if part == true else FALSE if part == -true else part for part in body] for body in bodies
    )
    return known if literal > 0 else -known


def _truth(store: Formulas, literal: int, known: dict[int, bool | None]) -> bool | None:
    """Whether a literal holds, as far as the known nodes tell; what is found out is noted in `known`."""
    node = abs(literal)
    if node not in known:
        known[node] = None  # for what depends on itself
        bodies = store.bodies[node]
        if bodies is not None:
            truths = [[_truth(store, part, known) for part in body] for body in bodies]
            if any(all(body) for body in truths):
                known[node] = True
            elif all(False in body for body in truths):
                known[node] = False
    truth = known[node]
    return None if truth is None else truth == (literal > 0)
