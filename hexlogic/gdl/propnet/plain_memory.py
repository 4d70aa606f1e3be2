"""A ground sheet as it is, as one array of int32: the memory of the kernel `changing`, whose inputs are the facts and
what is done, then what a game needs beside it.

The tables: the atom `next(f)` of each fact; the fact of each such atom and the option of each `legal(r,m)`, by atom, -1
for others; where the options of each role begin; the atom of the end; goals by role (start, value, atom). An *option*
is a move of a role, numbered through all roles in the order of their `does` atoms. Atoms may be ALWAYS or NEVER.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from hexlogic.gdl.propnet.ground_sheet import ALWAYS, GroundSheet
from hexlogic.gdl.propnet.outcomes import whole_goal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["plain_memory"]

# The state beside true, reason and missing: the facts whose next value is another one (how many, which, and where each
# stands there), and by role the legal options (how many; which; where each stands).
DIFFERS, DIFFERENT, DIFFERENT_PLACES, COUNTS, ORDER, PLACES = range(6)
# Room for work: the facts that a step changes.
STEP = 6
# Tables.
NEXT, FACT, OPTION, BEGINS, END, GOALS, VALUES, VALUE_ATOMS = range(7, 15)
_PARTS = 15


def plain_memory(sheet: GroundSheet) -> NDArray[np.int32]:
    """The memory of a game in which no fact is true yet."""
    import numpy as np

    from hexlogic.propagation.delete_rederive import changing_memory

    machine = changing_memory(sheet.layout, ())
    atoms, facts = len(sheet.ground.atoms), len(sheet.facts)
    options = [atom for own in sheet.legal for atom in own]
    fact_of, option_of = np.full(atoms, -1), np.full(atoms, -1)
    for numbers, asked in ((fact_of, sheet.next), (option_of, options)):
        for number, atom in enumerate(asked):
            if atom >= 0:
                numbers[atom] = number
    always = [[option for option in own if options[option] == ALWAYS] for own in _options(sheet)]
    order = [
        option
        for own, first in zip(_options(sheet), always, strict=True)
        for option in (*first, *(other for other in own if other not in first))
    ]
    arrays = [
        [0],
        range(facts),
        range(facts),
        [len(own) for own in always],
        order,
        np.argsort(order) if order else [],
        [0] * facts,
        sheet.next,
        fact_of,
        option_of,
        [0, *itertools.accumulate(map(len, sheet.moves))],
        [sheet.terminal],
        [0, *itertools.accumulate(map(len, sheet.goals))],
        [whole_goal(value) for own in sheet.goals for value, _ in own],
        [atom for own in sheet.goals for _, atom in own],
    ]
    assert len(arrays) == _PARTS
    begins = len(machine) + _PARTS + 1 + np.cumsum([0, *map(len, arrays)])
    return np.concatenate([machine, begins, *(np.array(array, dtype=np.int64) for array in arrays)]).astype(np.int32)


def _options(sheet: GroundSheet) -> list[range]:
    ends = [0, *itertools.accumulate(map(len, sheet.moves))]
    return [range(begin, end) for begin, end in itertools.pairwise(ends)]
