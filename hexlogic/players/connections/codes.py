"""Numbers in the arrays of the deduction: kinds, states, owners, rules, and the columns of each array."""

from typing import Final

import numpy as np

FULL: Final = 0
SEMI: Final = 1

QUEUED: Final = 0
DONE: Final = 1
DEAD: Final = 2

EMPTY: Final = 0
OWN: Final = 1
OTHER: Final = 2
USELESS: Final = 3
"""An empty cell that can never matter to the player: its neighbours that are not the opponent's are joined anyway."""

ADJACENT: Final = 0
SERIES: Final = 1
PARALLEL: Final = 2
KEPT: Final = 3
"""A connection of the position before a move, without the cells that the move has settled."""

WORD: Final = 63
"""Nodes below it are the bits of a word, as carriers of the solver are; those from here on are stones there."""

ZERO: Final = np.int64(0)
ONE: Final = np.int64(1)
NONE: Final = np.int64(-1)
"""Numbers as arguments of compiled functions: for a literal such as 0, numba would compile the function once more."""

X, Y, SIZE, DEPTH, KIND, STATE, AFTER, QUEUE_AFTER, RULE, MIDDLE, LEFT, RIGHT, PREMISE = range(13)
"""Columns of `rows`: the two ends, smaller node first; cells in the carrier; most own moves needed to realise the
connection; FULL or SEMI; QUEUED, DONE or DEAD; next row of the same pair and kind, -1 at the end; next row of the same
size in the queue; the rule and the node of a series; two premises, or the first and the number
of the rows whose PREMISE are its premises (parallel); a premise of some parallel rule."""

OWNER, GROUP, NEAR_MANY, CAPTURED_MANY, QUEUE = range(5)
"""Columns of `nodes`: EMPTY, OWN, OTHER or USELESS; the node that a cell belongs to; entries of `near`, `captured`; and
by size, not by node, the first row of the queue, -1 for none."""

HEAD, MANY = range(2)
"""Columns of `lists`: the first row of a pair and kind, -1 for none, and how many that are not dead."""

ROWS, SHARED, FIRST, DROPPED, STOP = range(5)
"""Places in `counts`: rows in use, rows whose PREMISE is in use, the first queue to look at, connections dropped at a
limit, whether to stop."""

FULL_MOST, SEMI_MOST, STEPS_MOST, CAPTURES = range(5, 9)
"""The last places in `counts`, limits: full and semi-connections of a pair (-1: no limit); steps of one parallel rule
(-1: no limit); captured pairs (0: not used, 1: and useless cells left out, 2: but useless cells kept)."""
