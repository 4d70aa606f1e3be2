"""A game in turns whose facts come and go, as one array of int32: the memory of the kernel `changing` over its
formulas, whose inputs are the facts that are not autonomous, then what a game needs beside it.

A condition is 2a where node a is true, 2a + 1 where it is false; one node never is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hexlogic.gdl.propnet.formulas import TRUE
from hexlogic.gdl.propnet.lists import Lists
from hexlogic.gdl.propnet.moments import Turns
from hexlogic.ground.layout import lay_out
from hexlogic.ground.program import GroundProgram, GroundRule
from hexlogic.logic.syntax import Atom, Integer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["inputs_of", "two_way_memory"]

# The state beside that of the kernel: by list how many choices are legal, the moment, the choices of each list and
# where each stands in its list. Room for work: the facts that a step changes.
COUNTS, MOMENT, ORDER, PLACES, CHANGED = range(5)
# By list where it begins in ORDER; by moment its list (from 1, 0 for none), its first choice, who chooses (the number
# of roles where none does); by choice its row of effects: facts, each with the condition that makes it true.
BEGINS, LIST, FIRST, CHOOSER, EFFECTS, ROWS, ROW_FACTS, ROW_CONDITIONS = range(5, 13)
# By moment the condition of the end; by moment and role values with their conditions; the moment after each; by node
# what its truth means for lists: 2l + 1 where falsehood lets the choice enter list l, 2l where truth does; the choice.
END, GOALS, VALUES, VALUE_CONDITIONS, FOLLOWING, MEMBERS, MEMBER_LISTS, MEMBER_CHOICES = range(13, 21)
_PARTS = 21


def inputs_of(game: Turns) -> tuple[int, ...]:
    """The facts that are the kernel's inputs, in their order."""
    return tuple(fact for fact, node in enumerate(game.fact_nodes) if node)


def two_way_memory(game: Turns) -> NDArray[np.int32]:
    """The memory of a game in which none of its facts is true yet."""
    import numpy as np

    from hexlogic.propagation.delete_rederive import changing_memory

    number = _numbers(game)
    bodies = game.formulas.bodies
    rules = [
        GroundRule(
            place,
            tuple(sorted(number[part] for part in body if part > 0)),
            tuple(sorted(number[-part] for part in body if part < 0)),
        )
        for node, place in number.items()
        for body in bodies[node] or ()
    ]
    facts = len(inputs_of(game))
    never = len(number)
    names = tuple(Atom("node", (Integer(place),)) for place in range(never + 1))
    machine = changing_memory(lay_out(GroundProgram(names, facts, tuple(rules), frozenset())), ())
    true = machine[machine[0] : machine[1]]

    def condition(literal: int) -> int:
        if abs(literal) == TRUE:
            return 2 * never + (literal == TRUE)
        return 2 * number[abs(literal)] + (literal < 0)

    lists = Lists(never + 1)
    first, effects, rows = [0], [], dict[tuple[tuple[int, int], ...], int]()
    for moment in game.moments:
        if moment.role < 0:
            lists.add(None)
        else:
            legal = [condition(choice.literal) for choice in moment.choices]
            lists.add(legal, [bool(true[one >> 1]) != bool(one & 1) for one in legal])
        first.append(first[-1] + len(moment.choices))
        for choice in moment.choices:
            row = tuple((number[game.fact_nodes[fact]], condition(literal)) for fact, literal in choice.effects)
            effects.append(rows.setdefault(row, len(rows)))
    goals = [own for moment in game.moments for own in moment.goals]
    members = lists.changes
    arrays: list[Iterable[int]] = [
        lists.counts,
        [0],
        lists.order,
        lists.places,
        [0] * facts,
        lists.begins,
        lists.of_moment,
        first,
        [len(moment.forced) if moment.role < 0 else moment.role for moment in game.moments],
        effects,
        [0, *itertools.accumulate(map(len, rows))],
        [fact for row in rows for fact, _ in row],
        [one for row in rows for _, one in row],
        [condition(moment.terminal) for moment in game.moments],
        [0, *itertools.accumulate(map(len, goals))],
        [value for own in goals for value, _ in own],
        [condition(literal) for own in goals for _, literal in own],
        [moment.following for moment in game.moments],
        [0, *itertools.accumulate(map(len, members))],
        [at for own in members for at, _ in own],
        [choice for own in members for _, choice in own],
    ]
    found = [np.array(list(array), dtype=np.int64) for array in arrays]
    assert len(found) == _PARTS
    begins = len(machine) + _PARTS + 1 + np.cumsum([0, *map(len, found)])
    return np.concatenate([machine, begins, *found]).astype(np.int32)


def _numbers(game: Turns) -> dict[int, int]:
    """The number of each node that somebody asks for, the facts first."""
    nodes = [node for node in game.fact_nodes if node]
    waiting = [moment.terminal for moment in game.moments]
    waiting += [choice.literal for moment in game.moments for choice in moment.choices]
    waiting += [one for moment in game.moments for choice in moment.choices for _, one in choice.effects]
    waiting += [one for moment in game.moments for goals in moment.goals for _, one in goals]
    found = dict.fromkeys(nodes)
    while waiting:
        node = abs(waiting.pop())
        if node not in found and node != TRUE:
            found[node] = None
            waiting += [part for body in game.formulas.bodies[node] or () for part in body]
    return {node: place for place, node in enumerate(found)}
