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

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.propnet.control import FALSE, TRUE, ControlAutomaton, Formulas, PhaseChoice
from hexlogic.ggp.propnet.filling_kernel import FillingGame, Leaf
from hexlogic.ggp.propnet.latch_kernel import LatchEncoding
from hexlogic.ggp.propnet.latch_network import NO, YES, LatchError, LatchNetwork
from hexlogic.language.propagation.circuit import NOT, TRUE_ROW, Body, circuit
from hexlogic.language.propagation.lanes import LANES, WIDTH, copied, evaluate, new_values, seeded_words


class FillingError(Exception):
    """The order of the moves may matter; the text says why."""


class Filling:
    """The cells of a game and what its stones change, in its recurring phases, as a circuit. Raises FillingError."""

    def __init__(self, control: ControlAutomaton, network: LatchNetwork) -> None:
        self._control, self.store = control, control.formulas
        phases = control.phases[control.recurring :]
        if any(phase.role < 0 or not phase.choices for phase in phases):
            raise FillingError("in some phase no role has a choice")
        first = phases[0]
        self.end = first.terminal
        """The literal of the end."""
        self.goals = first.goals
        """By role: values, each with its literal."""
        if any(phase.terminal != self.end or phase.goals != self.goals for phase in phases):
            raise FillingError("the end or the goals depend on whose turn it is")
        try:
            lasting = network.literal(self.end)
        except LatchError as reason:
            raise FillingError(f"the end is {reason}") from None
        if lasting == NO or (lasting != YES and lasting & 1):
            raise FillingError("the end, once reached, need not last")
        taking = [{self._lost(choice.literal): place for place, choice in enumerate(phase.choices)} for phase in phases]
        self.keys = keys = tuple(taking[0])
        """By cell: the literals of facts of which one alone says that the cell is filled."""
        owner = {literal: place for place, key in enumerate(keys) for literal in key}
        if len(owner) != sum(map(len, keys)) or any(set(places_of) != set(keys) for places_of in taking):
            raise FillingError("the phases do not offer the same moves")
        self.cells = len(keys)
        self.kinds: list[tuple[frozenset[int], ...]] = []
        """By kind of stones and cell: the literals of facts that a stone makes true."""
        self.kind_of_phase: list[int] = []
        for phase, places_of in zip(phases, taking, strict=True):
            stones = tuple(self._stone_of(phase.choices[places_of[key]]) for key in keys)
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
        self._encode()

    def _encode(self) -> None:
        """The game as a circuit."""
        control, store, cells = self._control, self.store, self.cells
        facts = len(control.fact_nodes)
        # Atoms of the circuit: the nodes of the formulas; by fact what it was at the start; stones; literals.
        self._base = len(store.bodies)
        self._stone = self._base + facts
        aliases = self._stone + 2 * cells
        rules: dict[int, list[Body]] = {
            node: [frozenset((abs(part), part > 0) for part in body) for body in bodies]
            for node, bodies in enumerate(store.bodies)
            if bodies is not None and node
        }
        changing: dict[int, list[tuple[int, bool]]] = {}
        """By node of a fact: the stones that make it true or false."""
        for kind, stones in enumerate(self.kinds):
            for cell, literals in enumerate(stones):
                for literal in literals:
                    atom = self._stone + kind * cells + cell
                    changing.setdefault(abs(literal), []).append((atom, literal > 0))
        for node, changes in changing.items():
            stays = {(atom, False) for atom, true in changes if not true} | {(self._base + control.fact_of[node], True)}
            rules[node] = [frozenset(stays), *(frozenset({(atom, True)}) for atom, true in changes if true)]
        for node, fact in control.fact_of.items():
            rules.setdefault(node, [frozenset({(self._base + fact, True)})])
        asked = [self.end, *self.wins, *self.rest]
        asked += [literal for goals in self.goals for _, literal in goals]
        atoms = {literal: aliases + number for number, literal in enumerate(dict.fromkeys(asked))}
        for literal, atom in atoms.items():
            rules[atom] = [frozenset({(abs(literal), literal > 0)})]
        self._circuit = circuit(rules, range(self._base, aliases), atoms.values())
        self._row = {literal: self._circuit.row_of[atom] for literal, atom in atoms.items()}
        self._last: tuple[frozenset[int], FillingGame | None] = (frozenset({-1}), None)

    def decides(self, win: int | None, late: frozenset[int]) -> bool:
        """Whether it tells the goals of all roles that this win alone holds, or none and the board is full. `late` are
        the disjuncts of the end that hold on a full board only."""
        known: dict[int, bool | None] = {TRUE: True}
        known |= {abs(one): (one == win) == (one > 0) for one in self.wins if one not in late}
        if win is None and len(late) == 1:
            known |= {abs(one): one > 0 for one in late}
        for goals in self.goals:
            truths = [_truth(self.store, literal, known) for _, literal in goals]
            if None in truths or truths.count(True) != 1:
                # Where only wins bring the end about, a full board without a win is no end, and nobody asks for goals.
                return win is None and not late and not self.rest
        return True

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
        if not all(abs(part) in self._control.fact_of for part in lost):
            raise FillingError("whether a move is legal depends on several facts at once")
        return lost

    def _stone_of(self, choice: PhaseChoice) -> frozenset[int]:
        """The literals of facts that a choice makes true when it is legal."""
        stone = set()
        for fact, literal in choice.effects:
            node = self._control.fact_nodes[fact]
            value = _assuming(self.store, literal, choice.literal)
            if value not in (TRUE, FALSE):
                raise FillingError("what a move changes depends on moves before it")
            stone.add(node if value == TRUE else -node)
        return frozenset(stone)

    def game(self, true: frozenset[int]) -> FillingGame | None:
        """A state, by the numbers of its true facts; None for one whose phase is not among the recurring ones, and
        for one in which the game is over. The last one is kept, but for the arrays that a thread works on."""
        last = self._last
        if last[0] != true:
            last = self._last = true, self._game(true)
        return last[1] and last[1]._replace(
            values=copied(last[1].values),
            words=np.empty_like(last[1].words),
            steps=np.empty_like(last[1].steps),
            places=np.empty_like(last[1].places),
        )

    def _game(self, true: frozenset[int]) -> FillingGame | None:
        phase = self._control.phase_of(true)
        if phase is None or phase < self._control.recurring:
            return None
        values = new_values(self._circuit.rows)
        for fact in true.intersection(self._control.inputs):
            values[self.row_of_fact(fact)] = values[TRUE_ROW]
        filled = {cell for fact, cell, value in self.signs if (fact in true) == value}
        free = [cell for cell in range(self.cells) if cell not in filled]
        late = self._late(values, free)
        decided, wins = self._is_decided(late), [win for win in self.wins if win not in late]
        game = FillingGame(
            values,
            self._circuit.gates,
            self._circuit.sections,
            self._stones,
            np.array(free, dtype=np.int32),
            self.kinds_by_phase[phase - self._control.recurring],
            self._row[self.end],
            np.array([self._row[win] for win in wins], dtype=np.int32),
            decided,
            self._kind_of_win(wins) if decided else np.empty(0, np.int32),
            np.array(
                [
                    (role, value, self._row[literal])
                    for role, goals in enumerate(self.goals)
                    for value, literal in goals
                ],
                dtype=np.int64,
            ).reshape(-1, 3),
            np.empty((3 * self.cells + 5 + len(self._circuit.gates)) * WIDTH, np.uint64),
            np.empty((self.cells + 3) * LANES, np.uint16),
            np.empty(self.cells, np.int64),
        )
        evaluate(game.values, game.gates, game.sections)
        return None if game.values[game.end, 0] else game

    @cached_property
    def signs(self) -> list[tuple[int, int, bool]]:
        """Facts, cells and truth values: a cell is filled where one of its facts has that value."""
        return [
            (self._control.fact_of[abs(literal)], cell, literal > 0)
            for cell, key in enumerate(self.keys)
            for literal in sorted(key)
        ]

    def row_of_fact(self, fact: int) -> int:
        """The row that says whether a fact was true at the start."""
        return self._circuit.row_of[self._base + fact]

    @cached_property
    def kinds_by_phase(self) -> NDArray[np.int32]:
        """By phase and step from it: the kind of the stone."""
        order, cells = self.kind_of_phase, self.cells
        rows = [[order[(phase + step) % len(order)] for step in range(cells)] for phase in range(len(order))]
        return np.array(rows, dtype=np.int32)

    @cached_property
    def _stones(self) -> NDArray[np.int32]:
        rows = [self._circuit.row_of[self._stone + number] for number in range(2 * self.cells)]
        return np.array(rows, dtype=np.int32).reshape(2, -1)

    def _late(self, values: NDArray[np.uint64], free: Sequence[int]) -> frozenset[int]:
        """The wins, and what else brings the end about, that hold on a full board only: not even stones of both kinds
        on all cells but one bring them about, and more stones never take them away."""
        late = {*self.wins, *self.rest}
        for begin in range(0, len(free), LANES):
            trial, cells = values.copy(), list(free[begin : begin + LANES])
            lanes = np.arange(len(cells))
            for stones in self._stones:
                trial[stones[list(free)]] = trial[TRUE_ROW]
                trial[stones[cells], lanes >> 6] &= ~(np.uint64(1) << (lanes & 63).astype(np.uint64))
            evaluate(trial, self._circuit.gates, self._circuit.sections)
            inside = np.array([(1 << max(0, min(64, len(cells) - 64 * word))) - 1 for word in range(WIDTH)], np.uint64)
            late = {literal for literal in late if not (trial[self._row[literal]] & inside).any()}
        return frozenset(late)

    def _kind_of_win(self, wins: Sequence[int]) -> NDArray[np.int32]:
        """As in `FillingGame`."""
        heads: dict[int, list[int]] = {}
        for begin, end, kind in self._circuit.sections.tolist():
            for head, *operands in self._circuit.gates[begin:end].tolist():
                heads[head] = operands if kind != NOT else [-1]
        kinds = []
        for win in wins:
            reached = {self._row[win]}
            waiting = list(reached)
            for row in waiting:
                new = set(heads.get(row, ())) - reached
                reached |= new
                waiting += new
            asked = [not reached.isdisjoint(rows.tolist()) for rows in self._stones]
            kinds.append(asked.index(True) if asked.count(True) == 1 and -1 not in reached else -1)
        return np.array(kinds if -1 not in kinds else [], np.int32)

    def _is_decided(self, late: frozenset[int]) -> bool:
        """As in `FillingGame`: only wins bring the end about, but for the full board, and each tells the goals."""
        wins: list[int | None] = [win for win in self.wins if win not in late]
        early = [literal for literal in self.rest if literal not in late and literal != TRUE]
        return not early and all(self.decides(win, late) for win in [*wins, None])


def leaf_of(encoding: LatchEncoding, filling: Filling, true: frozenset[int], seed: int) -> Leaf | None:
    """What a search from a state needs; None where the order of moves may matter in it."""
    game = filling.game(true)
    if game is None:
        return None
    facts = [fact for fact in encoding.inputs if encoding.latches[fact]]
    place = {fact: number for number, fact in enumerate(facts)}
    keys = [(place[fact], cell, value) for fact, cell, value in filling.signs]
    return Leaf(
        game,
        np.array([filling.row_of_fact(fact) for fact in facts], dtype=np.int32),
        np.array([fact in encoding.initial for fact in facts], dtype=np.bool_),
        np.array([encoding.latches[fact] for fact in facts], dtype=np.int64),
        np.array([fact for fact, _, _ in keys], dtype=np.int32),
        np.array([cell for _, cell, _ in keys], dtype=np.int32),
        np.array([value for _, _, value in keys], dtype=np.bool_),
        np.pad(filling.kinds_by_phase, ((encoding.recurring, 0), (0, 0))),
        seeded_words(seed),
        np.zeros(game.stones.shape[1], dtype=np.int32),
    )


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
