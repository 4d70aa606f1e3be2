"""The kernel for games in turns whose facts come and go: the effects of each choice are worked out ahead, and delete
and rederive derives what follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from hexlogic.gdl.propnet.choice_lists import AT as LISTS
from hexlogic.gdl.propnet.choice_lists import legal, legal_at, note
from hexlogic.gdl.propnet.outcomes import NO_GOAL
from hexlogic.gdl.propnet.turn_memory import AT
from hexlogic.propagation.delete_rederive import AT as NETWORK
from hexlogic.propagation.delete_rederive import settle, tell
from hexlogic.propagation.memory import offsets_in, restore_parts

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TurnGame", "chooser", "goal", "is_over", "option", "options", "phase_of", "play", "restore", "set_inputs"]


class TurnGame(NamedTuple):
    """A game on this kernel."""

    memory: NDArray[np.int32]
    """As `turn_memory` lays it out."""


_offsets, _network = offsets_in(AT, np.int64), offsets_in(NETWORK, np.int64)


@njit(cache=True, inline="always")
def _holds(memory: Any, condition: Any) -> Any:
    return memory[memory[NETWORK.true] + (condition >> 1)] != (condition & 1)


@njit(cache=True)
def _flip(memory: Any, count: Any) -> None:
    """Change the truth of the first `count` inputs of the part `changed`, derive what follows, and note what that makes
    legal or illegal."""
    inputs, network = memory[AT.changed], _network(memory)
    for place in range(count):
        fact = memory[inputs + place]
        memory[network.true + fact] ^= 1
        tell(memory, fact)
        note(memory, fact)
    settle(memory)
    for place in range(memory[network.changed]):
        note(memory, memory[network.changed + 1 + place])


@njit(cache=True)
def set_inputs(memory: Any, values: Any, phase: Any) -> None:
    """Make exactly these inputs true (int32[F], 0 or 1), in a phase."""
    count = 0
    for fact in range(len(values)):
        if memory[memory[NETWORK.true] + fact] != values[fact]:
            memory[memory[AT.changed] + count] = fact
            count += 1
    _flip(memory, count)
    memory[memory[AT.phase]] = phase


@njit(cache=True)
def restore(memory: Any, start: Any) -> None:
    """As `game_loop.restore`."""
    restore_parts(memory, start, NETWORK.true, NETWORK.head)
    restore_parts(memory, start, LISTS.counts, AT.changed)


@njit(cache=True, inline="always")
def phase_of(memory: Any) -> Any:
    """The number of the phase."""
    return memory[memory[AT.phase]]


@njit(cache=True, inline="always")
def chooser(memory: Any) -> Any:
    """The role that has the choices of the phase; the number of roles where none has."""
    return np.int64(memory[memory[AT.chooser] + phase_of(memory)])


@njit(cache=True)
def is_over(memory: Any) -> Any:
    """As `game_loop.is_over`."""
    return _holds(memory, memory[memory[AT.end] + phase_of(memory)])


@njit(cache=True)
def options(memory: Any, role: Any) -> Any:
    """As `game_loop.options`."""
    number = memory[memory[AT.lists] + phase_of(memory)]
    count = np.int64(1) if number == 0 else legal(memory, number - 1)
    if count == 0:
        return np.int64(-1)
    return count if chooser(memory) == role else np.int64(0)


@njit(cache=True)
def option(memory: Any, role: Any, place: Any) -> Any:
    """As `game_loop.option`: a choice of the phase."""
    phase = phase_of(memory)
    number, first = memory[memory[AT.lists] + phase], np.int64(memory[memory[AT.first] + phase])
    return first if number == 0 else first + legal_at(memory, number - 1, place)


@njit(cache=True)
def play(memory: Any, joint: Any) -> None:
    """As `game_loop.play`."""
    at, true, role = _offsets(memory), memory[NETWORK.true], chooser(memory)
    choice = joint[role] if role < len(joint) else option(memory, role, 0)
    row = memory[at.effects + choice]
    count = 0
    for place in range(memory[at.rows + row], memory[at.rows + row + 1]):
        fact = memory[at.row_facts + place]
        if _holds(memory, memory[at.row_conditions + place]) != (memory[true + fact] == 1):
            memory[at.changed + count] = fact
            count += 1
    _flip(memory, count)
    memory[at.phase] = memory[at.following + memory[at.phase]]


@njit(cache=True)
def goal(memory: Any, role: Any, roles: Any) -> Any:
    """As `game_loop.goal`."""
    at = _offsets(memory)
    row = phase_of(memory) * roles + role
    found = np.int64(NO_GOAL)
    for place in range(memory[at.goals + row], memory[at.goals + row + 1]):
        if _holds(memory, memory[at.value_conditions + place]):
            value = np.int64(memory[at.values + place])
            if found != NO_GOAL or value == NO_GOAL:
                return np.int64(NO_GOAL)
            found = value
    return found
