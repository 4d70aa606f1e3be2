"""The kernel for games in turns whose facts come and go: the effects of each choice are worked out ahead, and delete
and rederive derives what follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from hexlogic.gdl.propnet.choice_lists import legal, legal_at, note, restore_lists
from hexlogic.gdl.propnet.outcomes import NO_GOAL
from hexlogic.gdl.propnet.turn_memory import AT
from hexlogic.propagation.delete_rederive import AT as NETWORK
from hexlogic.propagation.delete_rederive import restore_network, settle, tell
from hexlogic.propagation.memory import part

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TurnGame", "chooser", "goal", "is_over", "option", "options", "phase_of", "play", "restore", "set_inputs"]


class TurnGame(NamedTuple):
    """The arrays that `turn_memory` lays out."""

    network: NDArray[np.int32]
    lists: NDArray[np.int32]
    tables: NDArray[np.int32]


@njit(cache=True)
def _holds(network: Any, condition: Any) -> Any:
    return network[network[NETWORK.true] + (condition >> 1)] != (condition & 1)


@njit(cache=True)
def _flip(network: Any, lists: Any, tables: Any, count: Any) -> None:
    """Change the truth of the first `count` inputs of the part `changed`, derive what follows, and note what that makes
    legal or illegal."""
    inputs, true = part(tables, AT.changed), part(network, NETWORK.true)
    for place in range(count):
        fact = inputs[place]
        true[fact] ^= 1
        tell(network, fact)
        note(lists, fact, true[fact])
    settle(network)
    derived = part(network, NETWORK.changed)
    for place in range(1, derived[0] + 1):
        note(lists, derived[place], true[derived[place]])


@njit(cache=True)
def set_inputs(network: Any, lists: Any, tables: Any, values: Any, phase: Any) -> None:
    """Make exactly these inputs true (int32[F], 0 or 1), in a phase."""
    changed, true = part(tables, AT.changed), part(network, NETWORK.true)
    count = 0
    for fact in range(len(values)):
        if true[fact] != values[fact]:
            changed[count] = fact
            count += 1
    _flip(network, lists, tables, count)
    part(tables, AT.phase)[0] = phase


@njit(cache=True)
def restore(network: Any, lists: Any, tables: Any, start: Any) -> None:
    """As `game_loop.restore`."""
    restore_network(network, start.network)
    restore_lists(lists, start.lists)
    part(tables, AT.phase)[0] = part(start.tables, AT.phase)[0]


@njit(cache=True)
def phase_of(tables: Any) -> Any:
    """The number of the phase."""
    return tables[tables[AT.phase]]


@njit(cache=True)
def chooser(network: Any, lists: Any, tables: Any) -> Any:
    """The role that has the choices of the phase; the number of roles where none has."""
    return np.int64(tables[tables[AT.chooser] + phase_of(tables)])


@njit(cache=True)
def is_over(network: Any, lists: Any, tables: Any) -> Any:
    """As `game_loop.is_over`."""
    return _holds(network, tables[tables[AT.end] + phase_of(tables)])


@njit(cache=True)
def options(network: Any, lists: Any, tables: Any, role: Any) -> Any:
    """As `game_loop.options`."""
    number = tables[tables[AT.lists] + phase_of(tables)]
    count = np.int64(1) if number == 0 else legal(lists, number - 1)
    if count == 0:
        return np.int64(-1)
    return count if chooser(network, lists, tables) == role else np.int64(0)


@njit(cache=True)
def option(network: Any, lists: Any, tables: Any, role: Any, place: Any) -> Any:
    """As `game_loop.option`: a choice of the phase."""
    phase = phase_of(tables)
    number, first = tables[tables[AT.lists] + phase], np.int64(tables[tables[AT.first] + phase])
    return first if number == 0 else first + legal_at(lists, number - 1, place)


@njit(cache=True)
def play(network: Any, lists: Any, tables: Any, joint: Any) -> None:
    """As `game_loop.play`."""
    facts, conditions = part(tables, AT.row_facts), part(tables, AT.row_conditions)
    rows, changed, phase = part(tables, AT.rows), part(tables, AT.changed), part(tables, AT.phase)
    true, role = part(network, NETWORK.true), chooser(network, lists, tables)
    row = part(tables, AT.effects)[joint[role] if role < len(joint) else option(network, lists, tables, role, 0)]
    count = 0
    for place in range(rows[row], rows[row + 1]):
        if _holds(network, conditions[place]) != (true[facts[place]] == 1):
            changed[count] = facts[place]
            count += 1
    _flip(network, lists, tables, count)
    phase[0] = part(tables, AT.following)[phase[0]]


@njit(cache=True)
def goal(network: Any, lists: Any, tables: Any, role: Any, roles: Any) -> Any:
    """As `game_loop.goal`."""
    starts, values = part(tables, AT.goals), part(tables, AT.values)
    conditions = part(tables, AT.value_conditions)
    row = phase_of(tables) * roles + role
    found = np.int64(NO_GOAL)
    for place in range(starts[row], starts[row + 1]):
        if _holds(network, conditions[place]):
            if found != NO_GOAL or values[place] == NO_GOAL:
                return np.int64(NO_GOAL)
            found = np.int64(values[place])
    return found
