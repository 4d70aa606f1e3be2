"""Evaluate atoms of a rule set on many positions at once: each bit of a 64-bit word stands for one position.

>>> import numpy as np
>>> from hexlogic.language.parser import parse_atom
>>> batch = AtomBatch("clusters", Hex.square(2), [parse_atom("same_cluster(red,1,4)"), parse_atom("wins(red)")])
>>> batch.truths(np.array([[1, 1, 2, 0], [1, 1, 0, 1]], dtype=np.uint8)).tolist()
[[0, 1], [1, 1]]
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError, PositionError
from hexlogic.games import PLAYERS, Hex
from hexlogic.games.rulesets import find_rule_set, win_query
from hexlogic.language import Atom
from hexlogic.language.engines.compiled import ENGINE
from hexlogic.language.ground.program import ground_program
from hexlogic.language.parser import parse_atom
from hexlogic.language.propagation.circuit import FALSE_ROW, TRUE_ROW, bodies_of, circuit
from hexlogic.language.propagation.lanes import WIDTH, evaluate_blocks, new_values, pack


class AtomBatch:
    """Evaluates atoms of one rule set on one board for any number of positions; the rules are ground once.

    `rules` is a name or a file. Raises HexlogicError for rules that cannot be read, SizeError for the board, and
    EngineError when it cannot be ground.
    """

    def __init__(self, rules: str, board: Hex, atoms: Sequence[Atom]) -> None:
        program = find_rule_set(rules).instantiate(board)
        if reason := ENGINE.supports(program):
            raise EngineError(f"{rules} cannot be ground: {reason}")
        inputs = [parse_atom(f"owns({player},{cell})") for player in PLAYERS for cell in board.cells]
        ground = ground_program(program, inputs, wanted=sorted({atom.predicate for atom in atoms}, key=str))
        number = ground.number
        self.board = board
        self._circuit = circuit(
            bodies_of(ground.rules), range(ground.inputs), [number[atom] for atom in atoms if atom in number]
        )
        # An atom that no position decides has no number: it holds always or never.
        self._rows = np.array(
            [
                TRUE_ROW if atom in ground.facts else self._circuit.row_of.get(number.get(atom, -1), FALSE_ROW)
                for atom in atoms
            ],
            dtype=np.int32,
        )

    def truths(self, boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """`[positions, atoms]`, 1 where an atom holds; `boards` is `[positions, cells]` with 0 empty, 1 red, 2 blue.
        Raises PositionError for an array of another shape or with other values."""
        words = self.words(self.pack(boards))
        # On a little-endian machine, position p of a block is bit p % 8 of octet p // 8 of its row.
        octets = words.view(np.uint8).transpose(0, 2, 1)
        bits = np.unpackbits(np.ascontiguousarray(octets), axis=1, bitorder="little")
        return bits.reshape(-1, len(self._rows))[: len(boards)]

    def pack(self, boards: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """The boards of `truths` as words, B = `LANES` positions to a block: uint64[blocks, 2 * cells, B / 64]. The
        row of a block says of 64 positions a word whether red, for the first half of the rows, or blue has a stone on a
        cell; position p of a block is bit p % 64 of word p // 64. Raises as `truths` does."""
        cells = len(self.board.cells)
        if boards.ndim != 2 or boards.shape[1] != cells:
            raise PositionError(f"an array of shape {boards.shape}", hint=f"positions x {cells} cells of {self.board}")
        if boards.size and not 0 <= int(boards.min()) <= int(boards.max()) <= len(PLAYERS):
            wrong = boards[(boards < 0) | (boards > len(PLAYERS))][0]
            raise PositionError(f"the entry {wrong}", hint="0 is empty, 1 red, 2 blue")
        packed: NDArray[np.uint64] = pack(np.ascontiguousarray(boards, dtype=np.uint8), len(PLAYERS))
        return packed

    def words(self, packed: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Where each atom holds: uint64[blocks, atoms, B / 64]. Raises PositionError for another shape."""
        shape = (2 * len(self.board.cells), WIDTH)
        if packed.dtype != np.uint64 or packed.ndim != 3 or packed.shape[1:] != shape:
            hint = f"words of blocks x {shape[0]} rows x {WIDTH}"
            raise PositionError(f"an array of shape {packed.shape}", hint=hint)
        made = self._circuit
        words = np.empty((len(packed), len(self._rows), WIDTH), dtype=np.uint64)
        evaluate_blocks(
            new_values(made.rows), made.gates, made.sections, np.ascontiguousarray(packed), self._rows, words
        )
        return words


class Batch(AtomBatch):
    """Decides by one rule set on one board who has won, for any number of positions; the rules are ground once. The
    `words` of packed boards say where red has won, and where blue has.

    Raises UnknownNameError for the rule set, SizeError for the board, and EngineError when it cannot be ground.
    """

    def __init__(self, rules: str = "follow-line-tabled", *, size: int = 11) -> None:
        super().__init__(rules, Hex.square(size), [win_query(player) for player in PLAYERS])

    def winners(self, boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Of each row of `boards` (positions x cells; 0 empty, 1 red, 2 blue) who has won: 0 nobody, 1 red, 2 blue, and
        3 where both have, which no game can reach. Raises as `truths` does."""
        truths = self.truths(boards)
        return truths[:, 0] | truths[:, 1] << np.uint8(1)
