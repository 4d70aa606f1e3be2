"""Many positions at once: who has won, by the ground rules of any rule set, 64 positions to a word.

>>> import numpy as np
>>> boards = np.zeros((2, 9), dtype=np.uint8)
>>> boards[0, [3, 4, 5]] = 1
>>> Batch("follow-line-tabled", size=3).winners(boards)
array([1, 0], dtype=uint8)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexlogic.errors import PositionError
from hexlogic.games import PLAYERS, Hex
from hexlogic.rulesets import load_rule_set, win_query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Batch"]


class Batch:
    """One rule set on one board, ground once, for any number of positions.

    Raises UnknownNameError for the rule set, SizeError for the board, and EngineError when it cannot be ground.
    """

    def __init__(self, rules: str = "follow-line-tabled", *, size: int = 11) -> None:
        import numpy as np

        from hexlogic.engines.compiled.adapter import ENGINE
        from hexlogic.errors import EngineError
        from hexlogic.ground.program import ground_program
        from hexlogic.logic.parser import parse_atom
        from hexlogic.propagation.circuit import FALSE_ROW, TRUE_ROW, bodies_of, circuit

        self.game = Hex.square(size)
        program = load_rule_set(rules).instantiate(self.game)
        if reason := ENGINE.supports(program):
            raise EngineError(f"{rules} cannot be ground: {reason}")
        inputs = [parse_atom(f"owns({player},{cell})") for player in PLAYERS for cell in self.game.cells]
        queries = [win_query(player) for player in PLAYERS]
        ground = ground_program(program, inputs, wanted=[query.predicate for query in queries])
        number = ground.number
        wanted = [number[query] for query in queries if query in number]
        self._circuit = circuit(bodies_of(ground.rules), range(ground.inputs), wanted)
        # A query that no position decides has no number: it holds always or never.
        self._wins = np.array(
            [
                TRUE_ROW if query in ground.facts else self._circuit.row_of.get(number.get(query, -1), FALSE_ROW)
                for query in queries
            ],
            dtype=np.int32,
        )

    def winners(self, boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Of each row of `boards` (positions x cells; 0 empty, 1 red, 2 blue) who has won: 0 nobody, 1 red, 2 blue, and
        3 where both have, which no game can reach.

        Raises PositionError for an array of another shape or with other entries.
        """
        import numpy as np

        from hexlogic.propagation.lane_boards import unpack

        found = np.empty(len(boards), dtype=np.uint8)
        unpack(self.won(self.pack(boards)), found)
        return found

    def pack(self, boards: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """The boards of `winners` as words, B = `LANES` positions to a block: uint64[blocks, 2 * cells, B / 64]. The
        row of a block says of 64 positions a word whether red, for the first half of the rows, or blue has a stone on a
        cell; position p of a block is bit p % 64 of word p // 64. Raises as `winners` does."""
        import numpy as np

        from hexlogic.propagation.lane_boards import pack

        cells = len(self.game.cells)
        if boards.ndim != 2 or boards.shape[1] != cells:
            raise PositionError(f"an array of shape {boards.shape}", hint=f"positions x {cells} cells of {self.game}")
        boards = np.ascontiguousarray(boards, dtype=np.uint8)
        if boards.size and int(boards.max()) > len(PLAYERS):
            raise PositionError(f"the entry {int(boards.max())}", hint="0 is empty, 1 red, 2 blue")
        packed: NDArray[np.uint64] = pack(boards, len(PLAYERS))
        return packed

    def won(self, packed: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Of packed boards where red has won, and where blue has: uint64[blocks, 2, B / 64]. Raises PositionError for
        an array of another shape."""
        import numpy as np

        from hexlogic.propagation.lane_boards import evaluate_blocks
        from hexlogic.propagation.lanes import WIDTH, new_values

        shape = (2 * len(self.game.cells), WIDTH)
        if packed.dtype != np.uint64 or packed.ndim != 3 or packed.shape[1:] != shape:
            raise PositionError(
                f"an array of shape {packed.shape}", hint=f"words of blocks x {shape[0]} rows x {WIDTH}"
            )
        made = self._circuit
        found = np.empty((len(packed), len(PLAYERS), WIDTH), dtype=np.uint64)
        evaluate_blocks(
            new_values(made.rows), made.gates, made.sections, np.ascontiguousarray(packed), self._wins, found
        )
        return found
