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
        from hexlogic.ground.layout import lay_out
        from hexlogic.ground.program import ground_program
        from hexlogic.logic.parser import parse_atom
        from hexlogic.propagation.bit_parallel import slice_code

        self.game = Hex.square(size)
        program = load_rule_set(rules).instantiate(self.game)
        if reason := ENGINE.supports(program):
            raise EngineError(f"{rules} cannot be ground: {reason}")
        inputs = [parse_atom(f"owns({player},{cell})") for player in PLAYERS for cell in self.game.cells]
        queries = [win_query(player) for player in PLAYERS]
        ground = ground_program(program, inputs, wanted=[query.predicate for query in queries])
        layout = lay_out(ground)
        self._code, self._table = slice_code(ground, layout)
        self._levels, self._atoms = layout.levels, len(layout.atoms)
        # A query that no position decides has no number: it holds always or never.
        self._always = sum(1 << place for place, query in enumerate(queries) if query in layout.facts)
        self._watch = np.array([layout.number.get(query, 0) for query in queries], dtype=np.int32)
        self._known = sum(1 << place for place, query in enumerate(queries) if query in layout.number)

    def winners(self, boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Of each row of `boards` (positions x cells; 0 empty, 1 red, 2 blue) who has won: 0 nobody, 1 red, 2 blue, and
        3 where both have, which no game can reach.

        Raises PositionError for an array of another shape or with other entries.
        """
        import numpy as np

        from hexlogic.propagation.bit_parallel import truths

        cells = len(self.game.cells)
        if boards.ndim != 2 or boards.shape[1] != cells:
            raise PositionError(f"an array of shape {boards.shape}", hint=f"positions x {cells} cells of {self.game}")
        boards = np.ascontiguousarray(boards, dtype=np.uint8)
        if boards.size and int(boards.max()) > len(PLAYERS):
            raise PositionError(f"the entry {int(boards.max())}", hint="0 is empty, 1 red, 2 blue")
        found = np.zeros(len(boards), dtype=np.uint8)
        truths(
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
        return (found & np.uint8(self._known)) | np.uint8(self._always)
