"""The truth of any atoms of a rule set on many positions at once, 64 positions to a word.

>>> import numpy as np
>>> from hexlogic.logic.parser import parse_atom
>>> batch = AtomBatch("clusters", Hex.square(2), [parse_atom("same_cluster(red,1,4)"), parse_atom("wins(red)")])
>>> batch.truths(np.array([[1, 1, 2, 0], [1, 1, 0, 1]], dtype=np.uint8)).tolist()
[[0, 1], [1, 1]]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hexlogic.engines.compiled.adapter import ENGINE
from hexlogic.errors import EngineError, PositionError
from hexlogic.games import PLAYERS, Hex
from hexlogic.ground.layout import lay_out
from hexlogic.ground.program import ground_program
from hexlogic.logic import Atom
from hexlogic.logic.parser import parse_atom
from hexlogic.propagation.bit_parallel import slice_code, truth_table
from hexlogic.rulesets import load_rule_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["AtomBatch"]


class AtomBatch:
    """Some atoms of one rule set on one board, ground once, for any number of positions.

    Raises UnknownNameError for the rule set, SizeError for the board, and EngineError when it cannot be ground.
    """

    def __init__(self, rules: str, board: Hex, atoms: Sequence[Atom]) -> None:
        program = load_rule_set(rules).instantiate(board)
        if reason := ENGINE.supports(program):
            raise EngineError(f"{rules} cannot be ground: {reason}")
        inputs = [parse_atom(f"owns({player},{cell})") for player in PLAYERS for cell in board.cells]
        wanted = sorted({atom.predicate for atom in atoms}, key=str)
        ground = ground_program(program, inputs, wanted=wanted)
        layout = lay_out(ground)
        self.board = board
        self._code, self._table = slice_code(ground, layout)
        self._levels, self._atoms = layout.levels, len(layout.atoms)
        # An atom that no position decides has no number: it holds always or never.
        self._always = np.array([atom in layout.facts for atom in atoms], dtype=np.bool_)
        self._known = np.array([atom in layout.number for atom in atoms], dtype=np.bool_)
        self._watch = np.array([layout.number.get(atom, 0) for atom in atoms], dtype=np.int32)

    def truths(self, boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """`[positions, atoms]`, 1 where an atom holds; `boards` is `[positions, cells]` with 0 empty, 1 red, 2 blue.

        Raises PositionError for an array of another shape or with other entries.
        """
        cells = len(self.board.cells)
        if boards.ndim != 2 or boards.shape[1] != cells:
            raise PositionError(f"an array of shape {boards.shape}", hint=f"positions x {cells} cells of {self.board}")
        boards = np.ascontiguousarray(boards, dtype=np.uint8)
        if boards.size and int(boards.max()) > len(PLAYERS):
            raise PositionError(f"the entry {int(boards.max())}", hint="0 is empty, 1 red, 2 blue")
        found = np.zeros((len(boards), len(self._watch)), dtype=np.uint8)
        truth_table(
            self._code,
            self._table,
            self._levels,
            self._atoms,
            len(PLAYERS),
            cells,
            self._watch,
            boards,
            found,
        )
        found[:, ~self._known] = 0
        found[:, self._always] = 1
        return found
