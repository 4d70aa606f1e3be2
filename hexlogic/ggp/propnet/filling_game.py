"""The circuit of a filling game, its states as arrays of `filling_kernel`, and a leaf of a search tree evaluated by
64 random games at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.ggp.propnet.control import ControlAutomaton
from hexlogic.ggp.propnet.filling import Filling
from hexlogic.ggp.propnet.filling_kernel import fill_playouts
from hexlogic.ggp.propnet.formulas import TRUE
from hexlogic.ggp.propnet.latch_kernel import LatchEncoding
from hexlogic.ggp.propnet.latch_memory import AT
from hexlogic.ggp.propnet.latch_network import LatchNetwork
from hexlogic.language.propagation.circuit import TRUE_ROW, Body, circuit
from hexlogic.language.propagation.lanes import LANES, WIDTH, evaluate, new_values, seeded_words
from hexlogic.language.propagation.memory import offsets_in


class FillingGame(NamedTuple):
    """A state of a filling game with C cells, F facts, W wins, G goals and P phases; rows are those of `values`."""

    values: NDArray[np.uint64]
    """[rows, WIDTH]: the rows of the facts are those of the state, in all lanes."""
    gates: NDArray[np.int32]
    sections: NDArray[np.int32]
    stones: NDArray[np.int32]
    """[2, C]: by kind and cell the row that says where a stone of that kind lies on the cell; 0 where no one asks."""
    free: NDArray[np.int32]
    """The cells that are not filled."""
    kinds: NDArray[np.int32]
    """[C]: by step from this state: the kind of the stone."""
    end: int
    """The row of the end."""
    wins: NDArray[np.int32]
    """[W]: rows."""
    outcomes: NDArray[np.int64]
    """[W + 1, roles]: the goals where one win alone holds; where none holds in the last row. Empty where wins do not
    decide."""
    goals: NDArray[np.int64]
    """[G, 3]: role, value, row."""


class FillingEncoding:
    """A filling game as a circuit. Raises FillingError. `control` has recurring phases only."""

    def __init__(self, control: ControlAutomaton, network: LatchNetwork) -> None:
        self.filling = Filling(control, network)
        self._control = control
        store, facts, cells = control.formulas, len(control.fact_nodes), self.filling.cells
        # Atoms of the circuit: the nodes of the formulas; by fact what it was at the start; stones; by fact its
        # changes; literals.
        self._base = len(store.bodies)
        self._stone = self._base + facts
        changes = self._stone + 2 * cells
        rules: dict[int, list[Body]] = {
            node: [frozenset((abs(part), part > 0) for part in body) for body in bodies]
            for node, bodies in enumerate(store.bodies)
            if bodies is not None and node
        }
        for kind, stones in enumerate(self.filling.kinds):
            for cell, literals in enumerate(stones):
                for literal in literals:
                    fact = control.fact_of[abs(literal)]
                    rules.setdefault(changes + fact, []).append(frozenset({(self._stone + kind * cells + cell, True)}))
                    rises = literal > 0
                    same = (self._base + fact, True)
                    rules[abs(literal)] = (
                        [frozenset({same}), frozenset({(changes + fact, True)})]
                        if rises
                        else [frozenset({same, (changes + fact, False)})]
                    )
        for fact, node in enumerate(control.fact_nodes):
            if node and node not in rules:
                rules[node] = [frozenset({(self._base + fact, True)})]
        aliases = changes + facts
        asked = [self.filling.end, *self.filling.wins, *self.filling.rest]
        asked += [literal for goals in self.filling.goals for _, literal in goals]
        atoms = {literal: aliases + number for number, literal in enumerate(dict.fromkeys(asked))}
        for literal, atom in atoms.items():
            rules[atom] = [frozenset({(abs(literal), literal > 0)})]
        self._circuit = circuit(rules, range(self._base, changes), atoms.values())
        self._row = {literal: self._circuit.row_of[atom] for literal, atom in atoms.items()}

    def game(self, true: frozenset[int]) -> FillingGame | None:
        """A state, by the numbers of its true facts; None for one whose phase is not among the recurring ones, and
        for one in which the game is over."""
        phase = self._control.phase_of(true)
        if phase is None:
            return None
        values = new_values(self._circuit.rows)
        for fact in true.intersection(self._control.inputs):
            values[self.row_of_fact(fact)] = values[TRUE_ROW]
        filled = {cell for fact, cell, value in self.signs() if (fact in true) == value}
        free = [cell for cell in range(self.filling.cells) if cell not in filled]
        late = self._late(values, free)
        game = FillingGame(
            values,
            self._circuit.gates,
            self._circuit.sections,
            self._stones,
            np.array(free, dtype=np.int32),
            self.kinds_by_phase()[phase],
            self._row[self.filling.end],
            np.array([self._row[win] for win in self.filling.wins if win not in late], dtype=np.int32),
            self._outcomes(late),
            np.array(
                [
                    (role, value, self._row[literal])
                    for role, goals in enumerate(self.filling.goals)
                    for value, literal in goals
                ],
                dtype=np.int64,
            ).reshape(-1, 3),
        )
        evaluate(game.values, game.gates, game.sections)
        return None if game.values[game.end, 0] else game

    def signs(self) -> list[tuple[int, int, bool]]:
        """Facts, cells and truth values: a cell is filled where one of its facts has that value."""
        return [
            (self._control.fact_of[abs(literal)], cell, literal > 0)
            for cell, key in enumerate(self.filling.keys)
            for literal in sorted(key)
        ]

    def row_of_fact(self, fact: int) -> int:
        """The row that says whether a fact was true at the start."""
        return self._circuit.row_of[self._base + fact]

    def kinds_by_phase(self) -> NDArray[np.int32]:
        """By phase and step from it: the kind of the stone."""
        order, cells = self.filling.kind_of_phase, self.filling.cells
        rows = [[order[(phase + step) % len(order)] for step in range(cells)] for phase in range(len(order))]
        return np.array(rows, dtype=np.int32)

    @cached_property
    def _stones(self) -> NDArray[np.int32]:
        rows = [self._circuit.row_of[self._stone + number] for number in range(2 * self.filling.cells)]
        return np.array(rows, dtype=np.int32).reshape(2, -1)

    def _late(self, values: NDArray[np.uint64], free: Sequence[int]) -> frozenset[int]:
        """The wins, and what else brings the end about, that hold on a full board only: not even stones of both kinds
        on all cells but one bring them about, and more stones never take them away."""
        late = {*self.filling.wins, *self.filling.rest}
        for begin in range(0, len(free), LANES):
            trial = values.copy()
            for kind in range(2):
                trial[self._stones[kind, list(free)]] = trial[TRUE_ROW]
                for lane, cell in enumerate(free[begin : begin + LANES]):
                    trial[self._stones[kind, cell], lane >> 6] &= ~np.uint64(1 << (lane & 63))
            evaluate(trial, self._circuit.gates, self._circuit.sections)
            lanes = min(LANES, len(free) - begin)
            mask = np.array([max(0, min(64, lanes - 64 * word)) for word in range(trial.shape[1])])
            inside = np.array([(1 << int(bits)) - 1 for bits in mask], dtype=np.uint64)
            late = {literal for literal in late if not (trial[self._row[literal]] & inside).any()}
        return frozenset(late)

    def _outcomes(self, late: frozenset[int]) -> NDArray[np.int64]:
        """As in `FillingGame`; empty where the end may come by what is no win, or a win does not decide the goals."""
        wins: list[int | None] = [win for win in self.filling.wins if win not in late]
        rows = [self.filling.outcome(win, late) for win in [*wins, None]]
        early = [literal for literal in self.filling.rest if literal not in late and literal != TRUE]
        if early or None in rows:
            return np.zeros((0, len(self.filling.goals)), dtype=np.int64)
        return np.array(rows, dtype=np.int64)


GAMES: Final = 64
"""Random games from each leaf."""

_offsets = offsets_in(AT, np.uint64)


class Leaf(NamedTuple):
    """Of a game with F facts that moves change, P phases and C cells."""

    filling: FillingGame
    """The state from which the search begins; its rows are worked on."""
    rows: NDArray[np.int32]
    """[F]: the row of each fact."""
    initial: NDArray[np.bool_]
    """[F]: whether it is true while its latch is not set."""
    latches: NDArray[np.int64]
    """[F]"""
    cells: NDArray[np.int32]
    """Pairs of a fact and a cell, that is filled where the fact has the value of `filled`."""
    places: NDArray[np.int32]
    filled: NDArray[np.bool_]
    kinds: NDArray[np.int32]
    """[P, C]: by phase and step from it: the kind of the stone."""
    random: NDArray[np.uint64]
    free: NDArray[np.int32]
    """[C]: room for the cells that are not filled."""


def leaf_of(encoding: LatchEncoding, filling: FillingEncoding, true: frozenset[int], seed: int) -> Leaf | None:
    """What a search from a state needs; None where the order of moves may matter in it."""
    game = filling.game(true)
    if game is None:
        return None
    facts = [fact for fact in encoding.inputs if encoding.latches[fact]]
    place = {fact: number for number, fact in enumerate(facts)}
    keys = [(place[fact], cell, value) for fact, cell, value in filling.signs()]
    return Leaf(
        game,
        np.array([filling.row_of_fact(fact) for fact in facts], dtype=np.int32),
        np.array([fact in encoding.initial for fact in facts], dtype=np.bool_),
        np.array([encoding.latches[fact] for fact in facts], dtype=np.int64),
        np.array([fact for fact, _, _ in keys], dtype=np.int32),
        np.array([cell for _, cell, _ in keys], dtype=np.int32),
        np.array([value for _, _, value in keys], dtype=np.bool_),
        np.pad(filling.kinds_by_phase(), ((encoding.recurring, 0), (0, 0))),
        seeded_words(seed),
        np.zeros(game.stones.shape[1], dtype=np.int32),
    )


@njit(cache=True)
def worth(memory: Any, leaf: Any, totals: Any) -> Any:
    """Add up the goals (int64[roles]) of `GAMES` random games from a position on latches. How many cells were
    free, or what went wrong in a game, as `fill_playouts` tells."""
    at, values, filling = _offsets(memory), leaf.filling.values, leaf.filling
    for fact in range(len(leaf.rows)):
        true = leaf.initial[fact] != (memory[at.flags + np.uint64(leaf.latches[fact])] != 0)
        values[leaf.rows[fact]] = np.uint64(0xFFFFFFFFFFFFFFFF) if true else np.uint64(0)
    filled = np.zeros(len(leaf.free), np.bool_)
    for pair in range(len(leaf.cells)):
        fact = leaf.cells[pair]
        true = leaf.initial[fact] != (memory[at.flags + np.uint64(leaf.latches[fact])] != 0)
        if true == leaf.filled[pair]:
            filled[leaf.places[pair]] = True
    count = 0
    for cell in range(len(filled)):
        if filled[cell]:
            for kind in range(2):
                for word in range(WIDTH):
                    values[filling.stones[kind, cell], word] = 0
        else:
            leaf.free[count] = cell
            count += 1
    free, kinds = leaf.free[:count], leaf.kinds[memory[at.phase]]
    done = fill_playouts(filling, free, kinds, GAMES, False, leaf.random, totals)
    return done if done < 0 else np.int64(count)
