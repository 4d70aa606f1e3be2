"""The kernel for any sheet: its propositional network under delete and rederive, whose inputs are the facts and what is
done.

A step makes the moves true and derives what follows, then gives each fact whose `next` differs its new value, takes the
moves back and derives what follows again. Which facts differ from their next value and which moves are legal is kept up
to date from change to change.

An *option* is a move of a role, numbered through all roles in the order of their `does` atoms. There is a list of the
legal options for each role, and behind these the list of the facts whose next value is another one. Atoms of tables may
be ALWAYS or NEVER.
"""

from __future__ import annotations

import itertools
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.ggp.propnet.choice_lists import AT as LISTS
from hexlogic.ggp.propnet.choice_lists import ChoiceLists, is_legal, legal, legal_at, move, note
from hexlogic.ggp.propnet.ground_sheet import ALWAYS, GroundSheet
from hexlogic.ggp.propnet.outcomes import NO_GOAL, whole_goal
from hexlogic.language.propagation.delete_rederive import AT as NETWORK
from hexlogic.language.propagation.delete_rederive import delete_rederive_memory, settle, tell
from hexlogic.language.propagation.memory import offsets_in, pack, restore_parts, unpack

T = TypeVar("T")


class _NetworkParts(NamedTuple, Generic[T]):
    """The tables of F facts, A atoms and R roles; the state ends before them."""

    step: T
    """[F]: room for the facts that a step changes."""
    next: T
    """[F]: the atom `next(f)`."""
    fact: T
    """[A]: the fact f of an atom `next(f)`, else -1."""
    options: T
    """[R + 1]: the first option of each role."""
    end: T
    """[1]: the atom of the end."""
    goals: T
    """[R + 1]: where the values of each role begin."""
    values: T
    value_atoms: T


AT = _NetworkParts(*range(LISTS.places + 1, LISTS.places + 9))


def network_memory(sheet: GroundSheet) -> NDArray[np.int32]:
    """The memory of a game in which no fact is true yet; `network_kernel.begin` notes what is legal then."""
    atoms, facts = len(sheet.ground.atoms), len(sheet.facts)
    lists = ChoiceLists(atoms)
    for own in sheet.legal:
        lists.new([2 * atom if atom >= 0 else -1 for atom in own], [atom == ALWAYS for atom in own])
    lists.new([-1] * facts, [False] * facts)
    fact_of = np.full(atoms, -1)
    for fact, atom in enumerate(sheet.next):
        if atom >= 0:
            fact_of[atom] = fact
    tables = _NetworkParts(
        step=np.zeros(facts),
        next=sheet.next,
        fact=fact_of,
        options=[0, *itertools.accumulate(map(len, sheet.moves))],
        end=[sheet.terminal],
        goals=[0, *itertools.accumulate(map(len, sheet.goals))],
        values=[whole_goal(value) for own in sheet.goals for value, _ in own],
        value_atoms=[atom for own in sheet.goals for _, atom in own],
    )
    network = delete_rederive_memory(sheet.layout, ())
    return pack([*unpack(network, len(NETWORK)), *lists.parts(), *tables], np.int32)


class NetworkGame(NamedTuple):
    """A game on this kernel."""

    memory: NDArray[np.int32]
    """As `network_memory` lays it out."""


_offsets, _network = offsets_in(AT, np.int64), offsets_in(NETWORK, np.int64)


@njit(cache=True, inline="always")
def _true(memory: Any, atom: Any) -> Any:
    return memory[memory[NETWORK.true] + atom] if atom >= 0 else np.int32(atom == ALWAYS)


@njit(cache=True, inline="always")
def _facts(memory: Any) -> Any:
    """How many facts there are, which are the first inputs; the others are options."""
    return np.int64(memory[AT.fact] - memory[AT.next])


@njit(cache=True, inline="always")
def _differing(memory: Any) -> Any:
    """The number of the list of facts that differ from their next value."""
    return memory[AT.end] - memory[AT.options] - 1


@njit(cache=True)
def _compare(memory: Any, fact: Any) -> None:
    """Note whether a fact and its next value differ."""
    number = _differing(memory)
    differs = _true(memory, memory[memory[AT.next] + fact]) != memory[memory[NETWORK.true] + fact]
    if is_legal(memory, number, fact) != differs:
        move(memory, number, fact, differs)


@njit(cache=True)
def _set_input(memory: Any, number: Any, value: Any) -> None:
    """Give an input another truth, and tell the rules."""
    memory[memory[NETWORK.true] + number] = value
    tell(memory, number)


@njit(cache=True)
def _derive(memory: Any) -> None:
    """Derive what follows from the inputs, and note what that makes of legal moves and next facts."""
    settle(memory)
    changed, facts = memory[NETWORK.changed], memory[AT.fact]
    for entry in range(changed + 1, changed + 1 + memory[changed]):
        atom = memory[entry]
        fact = memory[facts + atom]
        if fact >= 0:
            _compare(memory, fact)
        note(memory, atom)


@njit(cache=True)
def begin(memory: Any) -> None:
    """Note what is legal while no fact is true, and what comes next; once for a new memory."""
    network = _network(memory)
    for atom in range(network.reason - network.true):
        if memory[network.true + atom]:
            note(memory, atom)
    for fact in range(_facts(memory)):
        _compare(memory, fact)


@njit(cache=True)
def set_facts(memory: Any, values: Any) -> None:
    """Make exactly these facts true (int32[F], 0 or 1)."""
    for fact in range(len(values)):
        if memory[memory[NETWORK.true] + fact] != values[fact]:
            _set_input(memory, fact, values[fact])
    _derive(memory)
    for fact in range(len(values)):
        _compare(memory, fact)


@njit(cache=True)
def restore(memory: Any, start: Any) -> None:
    """As `game_loop.restore`."""
    restore_parts(memory, start, NETWORK.true, NETWORK.head)
    restore_parts(memory, start, LISTS.counts, AT.step)


@njit(cache=True)
def is_over(memory: Any) -> Any:
    """As `game_loop.is_over`."""
    return _true(memory, memory[memory[AT.end]]) != 0


@njit(cache=True)
def options(memory: Any, role: Any) -> Any:
    """As `game_loop.options`; every role has a choice, if only of one option."""
    count = legal(memory, role)
    return count if count else np.int64(-1)


@njit(cache=True)
def option(memory: Any, role: Any, place: Any) -> Any:
    """As `game_loop.option`."""
    return memory[memory[AT.options] + role] + legal_at(memory, role, place)


@njit(cache=True)
def play(memory: Any, joint: Any) -> None:
    """As `game_loop.play`."""
    facts, true, step = _facts(memory), memory[NETWORK.true], memory[AT.step]
    for role in range(len(joint)):
        _set_input(memory, facts + joint[role], 1)
    _derive(memory)
    number = _differing(memory)
    count = legal(memory, number)
    for place in range(count):
        memory[step + place] = legal_at(memory, number, place)
    for place in range(count):
        fact = memory[step + place]
        _set_input(memory, fact, memory[true + fact] ^ 1)
    for role in range(len(joint)):
        _set_input(memory, facts + joint[role], 0)
    _derive(memory)
    for place in range(count):
        _compare(memory, memory[step + place])


@njit(cache=True)
def goal(memory: Any, role: Any, roles: Any) -> Any:
    """As `game_loop.goal`."""
    at = _offsets(memory)
    found = np.int64(NO_GOAL)
    for place in range(memory[at.goals + role], memory[at.goals + role + 1]):
        if _true(memory, memory[at.value_atoms + place]):
            if found != NO_GOAL or memory[at.values + place] == NO_GOAL:
                return np.int64(NO_GOAL)
            found = np.int64(memory[at.values + place])
    return found
