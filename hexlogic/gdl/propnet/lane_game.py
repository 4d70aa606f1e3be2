"""A ground sheet as a circuit, and its states as games of `lane_kernel`: one game in each lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hexlogic.gdl.propnet.ground_sheet import ALWAYS, NEVER, GroundSheet
from hexlogic.gdl.propnet.outcomes import whole_goal
from hexlogic.propagation.circuit import FALSE_ROW, TRUE_ROW, bodies_of, circuit
from hexlogic.propagation.lanes import new_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LaneEncoding", "LaneGame"]


class LaneGame(NamedTuple):
    """A state of a sheet with F facts, R roles, M moves in all and G goals; rows are those of `values`."""

    values: NDArray[np.uint64]
    """[rows, WIDTH]"""
    gates: NDArray[np.int32]
    sections: NDArray[np.int32]
    early: int
    """So many sections tell the legal moves, the end and the goals; the others, once moves are made, the next facts."""
    facts: NDArray[np.int32]
    """[F]: rows."""
    following: NDArray[np.int32]
    """[F]: the rows of the next facts."""
    start: NDArray[np.bool_]
    """[F]: the state in which games begin."""
    first: NDArray[np.int32]
    """[R + 1]: the first move of each role."""
    legal: NDArray[np.int32]
    """[M]: rows."""
    does: NDArray[np.int32]
    """[M]: rows."""
    end: int
    goals: NDArray[np.int64]
    """[G, 3]: role, value, row."""


class LaneEncoding:
    """A ground sheet as a circuit."""

    def __init__(self, sheet: GroundSheet) -> None:
        asked = [*sheet.next, sheet.terminal, *(atom for own in sheet.legal for atom in own)]
        asked += [atom for goals in sheet.goals for _, atom in goals]
        wanted = dict.fromkeys(atom for atom in asked if atom >= 0)
        facts = range(len(sheet.facts))
        self.circuit = circuit(
            bodies_of(sheet.ground.rules), facts, wanted, [atom for own in sheet.does for atom in own]
        )
        row = {ALWAYS: TRUE_ROW, NEVER: FALSE_ROW, **self.circuit.row_of}
        # A move that is never legal is never made.
        moves = [
            [(row[legal], row[does]) for legal, does in zip(*pair, strict=True) if legal != NEVER]
            for pair in zip(sheet.legal, sheet.does, strict=True)
        ]
        pairs = np.array([pair for own in moves for pair in own], dtype=np.int32).reshape(-1, 2)
        goals = [
            (role, whole_goal(value), row[atom])
            for role, own in enumerate(sheet.goals)
            for value, atom in own
            if atom != NEVER
        ]
        self._first = LaneGame(
            new_values(self.circuit.rows),
            self.circuit.gates,
            self.circuit.sections,
            self.circuit.early,
            np.array([row[fact] for fact in facts], dtype=np.int32),
            np.array([row[atom] for atom in sheet.next], dtype=np.int32),
            np.zeros(len(facts), dtype=np.bool_),
            np.cumsum([0, *map(len, moves)]).astype(np.int32),
            np.ascontiguousarray(pairs[:, 0]),
            np.ascontiguousarray(pairs[:, 1]),
            row[sheet.terminal],
            np.array(goals, dtype=np.int64).reshape(-1, 3),
        )

    def game(self, true: frozenset[int]) -> LaneGame:
        """Games that begin in a state, given by the numbers of its true facts."""
        start = np.zeros(len(self._first.facts), dtype=np.bool_)
        start[list(true)] = True
        return self._first._replace(values=new_values(self.circuit.rows), start=start)
