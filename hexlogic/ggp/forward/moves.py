"""What the header of a sheet's memory points to: which moves each role may have, where they are listed, and goals."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.forward import kernel, memory
from hexlogic.ggp.forward.memory import Relations
from hexlogic.ggp.forward.tries import candidates
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.propnet.random_games import whole_goal
from hexlogic.language.syntax import Predicate, Term


def header_lists(opened: OpenedSheet, relations: Relations, roles: Sequence[Term]) -> list[list[int]]:
    """The lists of moves (room for `move_list`), goals and values. Raises EngineError for too many roles."""
    for done in opened.done:
        relations.by_role(opened.pairs[done])
    moves = [0] * (2 + len(roles) + len(opened.done) * (1 + kernel.ENTRY * len(roles)))
    goal, terminal = Predicate("goal", 2), relations.of(Predicate("terminal", 0))
    numbers = [opened.types.of((goal, 0)).number(role) for role in roles]
    goals = [len(roles), relations.of(goal).address, relations.by_role(goal).address, terminal.address, *numbers]
    values = opened.types.of((goal, 1))
    return [moves, goals, [whole_goal(values.term(number)) for number in range(values.size)]]


def move_list(
    opened: OpenedSheet, relations: Relations, roles: Sequence[Term], narrow: NDArray[np.int32], wide: NDArray[np.int64]
) -> list[int]:
    """The list of moves (see `kernel`) for a memory that is laid out."""
    read = {item.atom.predicate for rule in opened.program.rules for item in rule.literals}
    head = [len(opened.done), *[0] * (len(roles) + 1), *(relations.of(done).address for done in opened.done)]
    first = int(wide[memory.MOVES]) + len(head)
    entries: list[int] = []
    for place, role in enumerate(roles):
        head[1 + place] = first + len(entries)
        for kind, done in enumerate(opened.done):
            legal, does = opened.pairs[done], relations.of(done).address
            address, lists = relations.of(legal).address, relations.by_role(legal).address
            key = opened.types.of((legal, 0)).number(role)
            open_at = len(narrow) - 1
            if legal in opened.gates:
                open_at = int(wide[relations.of(opened.gates[legal]).tables[0].address + memory.ENTRIES]) + key
            numbers_at = int(wide[lists + memory.NEXT]) + key * (int(wide[address + memory.CAPACITY]) + 1)
            tried = candidates(opened, legal) if legal in opened.tries else 0
            columns, listed_at = int(wide[address + memory.COLUMNS]), int(wide[lists + memory.ENTRIES]) + key
            if key >= 0:
                entries += [open_at, listed_at, numbers_at, columns, does * (done in read), does, key, kind, tried]
    head[1 + len(roles)] = first + len(entries)
    return head + entries
