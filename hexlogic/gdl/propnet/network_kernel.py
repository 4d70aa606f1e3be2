"""The kernel for any sheet: the propositional network, whose inputs are the facts and what is done.

A step makes the moves true and derives what follows, then gives each fact whose `next` differs its new value, takes the
moves back and derives what follows again. Which facts differ from their next value and which moves are legal is kept up
to date from change to change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from hexlogic.gdl.propnet.choice_lists import is_legal, legal, legal_at, move, note, restore_lists
from hexlogic.gdl.propnet.ground_sheet import ALWAYS
from hexlogic.gdl.propnet.network_memory import AT
from hexlogic.gdl.propnet.outcomes import NO_GOAL
from hexlogic.propagation.delete_rederive import AT as NETWORK
from hexlogic.propagation.delete_rederive import restore_network, settle, tell
from hexlogic.propagation.memory import part

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NetworkGame", "begin", "goal", "is_over", "option", "options", "play", "restore", "set_facts"]


class NetworkGame(NamedTuple):
    """The arrays that `network_memory` lays out."""

    network: NDArray[np.int32]
    lists: NDArray[np.int32]
    tables: NDArray[np.int32]


@njit(cache=True)
def _true(network: Any, atom: Any) -> Any:
    return network[network[NETWORK.true] + atom] if atom >= 0 else np.int32(atom == ALWAYS)


@njit(cache=True)
def _differing(tables: Any) -> Any:
    """The number of the list of facts that differ from their next value."""
    return len(part(tables, AT.options)) - 1


@njit(cache=True)
def _compare(network: Any, lists: Any, tables: Any, fact: Any) -> None:
    """Note whether a fact and its next value differ."""
    number = _differing(tables)
    differs = _true(network, tables[tables[AT.next] + fact]) != network[network[NETWORK.true] + fact]
    if is_legal(lists, number, fact) != differs:
        move(lists, number, fact, differs)


@njit(cache=True)
def _derive(network: Any, lists: Any, tables: Any) -> None:
    """Derive what follows from the inputs, and note what that makes of legal moves and next facts."""
    settle(network)
    changed, true, facts = part(network, NETWORK.changed), part(network, NETWORK.true), part(tables, AT.fact)
    for entry in range(1, changed[0] + 1):
        atom = changed[entry]
        if facts[atom] >= 0:
            _compare(network, lists, tables, facts[atom])
        note(lists, atom, true[atom])


@njit(cache=True)
def begin(network: Any, lists: Any, tables: Any) -> None:
    """Note what is legal while no fact is true, and what comes next; once for a new memory."""
    true = part(network, NETWORK.true)
    for atom in range(len(true)):
        if true[atom]:
            note(lists, atom, true[atom])
    for fact in range(len(part(tables, AT.next))):
        _compare(network, lists, tables, fact)


@njit(cache=True)
def set_facts(network: Any, lists: Any, tables: Any, values: Any) -> None:
    """Make exactly these facts true (int32[F], 0 or 1)."""
    true = part(network, NETWORK.true)
    for fact in range(len(values)):
        if true[fact] != values[fact]:
            true[fact] = values[fact]
            tell(network, fact)
    _derive(network, lists, tables)
    for fact in range(len(values)):
        _compare(network, lists, tables, fact)


@njit(cache=True)
def restore(network: Any, lists: Any, tables: Any, start: Any) -> None:
    """As `game_loop.restore`."""
    restore_network(network, start.network)
    restore_lists(lists, start.lists)


@njit(cache=True)
def is_over(network: Any, lists: Any, tables: Any) -> Any:
    """As `game_loop.is_over`."""
    return _true(network, tables[tables[AT.end]]) != 0


@njit(cache=True)
def options(network: Any, lists: Any, tables: Any, role: Any) -> Any:
    """As `game_loop.options`; every role has a choice, if only of one option."""
    count = legal(lists, role)
    return count if count else np.int64(-1)


@njit(cache=True)
def option(network: Any, lists: Any, tables: Any, role: Any, place: Any) -> Any:
    """As `game_loop.option`."""
    return tables[tables[AT.options] + role] + legal_at(lists, role, place)


@njit(cache=True)
def play(network: Any, lists: Any, tables: Any, joint: Any) -> None:
    """As `game_loop.play`."""
    true, facts = part(network, NETWORK.true), len(part(tables, AT.next))
    for option in joint:
        true[facts + option] = 1
        tell(network, facts + option)
    _derive(network, lists, tables)
    step, number = part(tables, AT.step), _differing(tables)
    count = legal(lists, number)
    for place in range(count):
        step[place] = legal_at(lists, number, place)
    for place in range(count):
        fact = step[place]
        true[fact] ^= 1
        tell(network, fact)
    for option in joint:
        true[facts + option] = 0
        tell(network, facts + option)
    _derive(network, lists, tables)
    for place in range(count):
        _compare(network, lists, tables, step[place])


@njit(cache=True)
def goal(network: Any, lists: Any, tables: Any, role: Any, roles: Any) -> Any:
    """As `game_loop.goal`."""
    starts, values = part(tables, AT.goals), part(tables, AT.values)
    atoms = part(tables, AT.value_atoms)
    found = np.int64(NO_GOAL)
    for place in range(starts[role], starts[role + 1]):
        if _true(network, atoms[place]):
            if found != NO_GOAL or values[place] == NO_GOAL:
                return np.int64(NO_GOAL)
            found = np.int64(values[place])
    return found
