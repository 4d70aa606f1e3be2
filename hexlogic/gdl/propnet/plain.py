"""The kernel for any sheet: what is done are inputs like the facts, and the ground rules tell the next facts.

A step makes the moves true, lets all that follows follow, then gives each fact whose `next` differs its new value and
takes the moves back. Which facts differ and which moves are legal is kept up to date from change to change.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.gdl.propnet.ground_sheet import ALWAYS
from hexlogic.gdl.propnet.outcomes import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.gdl.propnet.plain_memory import (
    BEGINS,
    COUNTS,
    DIFFERENT,
    DIFFERENT_PLACES,
    DIFFERS,
    END,
    FACT,
    GOALS,
    NEXT,
    OPTION,
    ORDER,
    PLACES,
    STEP,
    VALUE_ATOMS,
    VALUES,
)
from hexlogic.gdl.propnet.randomness import draw_below, seeded
from hexlogic.propagation.delete_rederive import PARTS, part, settle, tell

__all__ = ["begin", "goal", "is_over", "option", "options", "play", "playouts", "set_facts"]


@njit(cache=True, inline="always")
def _own(memory: Any, number: Any) -> Any:
    """A part beside those of the kernel `changing`."""
    at = memory[PARTS] + number
    return memory[memory[at] : memory[at + 1]]


@njit(cache=True, inline="always")
def _true(memory: Any, atom: Any) -> Any:
    return memory[memory[0] + atom] if atom >= 0 else np.int32(atom == ALWAYS)


@njit(cache=True)
def _look_at(memory: Any, fact: Any) -> None:
    """Note whether a fact and its next value differ."""
    count, which, places = _own(memory, DIFFERS), _own(memory, DIFFERENT), _own(memory, DIFFERENT_PLACES)
    differs = _true(memory, _own(memory, NEXT)[fact]) != memory[memory[0] + fact]
    place = places[fact]
    if (place < count[0]) == differs:
        return
    edge = count[0] if differs else count[0] - 1
    count[0] += 1 if differs else -1
    other = which[edge]
    which[edge], which[place] = fact, other
    places[fact], places[other] = edge, place


@njit(cache=True)
def _note(memory: Any) -> None:
    """Note what the atoms that have changed mean for differences and legal moves."""
    changed, true = part(memory, 19), part(memory, 0)
    facts, options = _own(memory, FACT), _own(memory, OPTION)
    begins, counts, order, places = (
        _own(memory, BEGINS),
        _own(memory, COUNTS),
        _own(memory, ORDER),
        _own(memory, PLACES),
    )
    for entry in range(1, changed[0] + 1):
        atom = changed[entry]
        if facts[atom] >= 0:
            _look_at(memory, facts[atom])
        option = options[atom]
        if option >= 0:
            role = 0
            while begins[role + 1] <= option:
                role += 1
            if true[atom]:
                edge = begins[role] + counts[role]
                counts[role] += 1
            else:
                counts[role] -= 1
                edge = begins[role] + counts[role]
            other, place = order[edge], places[option]
            order[edge], order[place] = option, other
            places[option], places[other] = edge, place


@njit(cache=True)
def _follow(memory: Any) -> None:
    """Let all that follows follow."""
    settle(memory)
    _note(memory)


@njit(cache=True)
def begin(memory: Any) -> None:
    """Take note of what holds while no fact is true; once for a new memory."""
    changed, options, true = part(memory, 19), _own(memory, OPTION), part(memory, 0)
    changed[0] = 0
    for atom in range(len(options)):
        if options[atom] >= 0 and true[atom]:
            changed[0] += 1
            changed[changed[0]] = atom
    _note(memory)
    for fact in range(len(_own(memory, NEXT))):
        _look_at(memory, fact)


@njit(cache=True)
def set_facts(memory: Any, values: Any) -> None:
    """Make exactly these facts true (int32, 0 or 1 by fact)."""
    true = part(memory, 0)
    for fact in range(len(values)):
        if true[fact] != values[fact]:
            true[fact] = values[fact]
            tell(memory, fact)
    _follow(memory)
    for fact in range(len(values)):
        _look_at(memory, fact)


@njit(cache=True)
def play(memory: Any, joint: Any) -> None:
    """Play one option of each role (int64, in the order of the roles)."""
    true, facts = part(memory, 0), len(_own(memory, NEXT))
    for option in joint:
        true[facts + option] = 1
        tell(memory, facts + option)
    _follow(memory)
    step, which = _own(memory, STEP), _own(memory, DIFFERENT)
    count = _own(memory, DIFFERS)[0]
    step[:count] = which[:count]
    for place in range(count):
        fact = step[place]
        true[fact] ^= 1
        tell(memory, fact)
    for option in joint:
        true[facts + option] = 0
        tell(memory, facts + option)
    _follow(memory)
    for place in range(count):
        _look_at(memory, step[place])


@njit(cache=True)
def is_over(memory: Any) -> Any:
    """Whether the game is over."""
    return _true(memory, _own(memory, END)[0]) != 0


@njit(cache=True)
def options(memory: Any, role: Any) -> Any:
    """How many options of a role are legal."""
    return _own(memory, COUNTS)[role]


@njit(cache=True)
def option(memory: Any, role: Any, place: Any) -> Any:
    """The legal option of a role at a place, from 0; each is somewhere, in no order."""
    return _own(memory, ORDER)[_own(memory, BEGINS)[role] + place]


@njit(cache=True)
def goal(memory: Any, role: Any) -> Any:
    """The one value of a role, or NO_GOAL."""
    starts, values, atoms = _own(memory, GOALS), _own(memory, VALUES), _own(memory, VALUE_ATOMS)
    found = NO_GOAL
    for place in range(starts[role], starts[role + 1]):
        if _true(memory, atoms[place]):
            if found != NO_GOAL:
                return NO_GOAL
            found = values[place]
    return found


@njit(cache=True)
def playout(memory: Any, random: Any, longest: Any, joint: Any) -> Any:
    """Play at random to the end; how many steps, or NO_MOVE or ENDLESS. `joint` is room for a joint move."""
    steps = 0
    while not is_over(memory):
        if steps == longest:
            return ENDLESS
        for role in range(len(joint)):
            count = options(memory, role)
            if count == 0:
                return NO_MOVE
            joint[role] = option(memory, role, draw_below(random, count) if count > 1 else 0)
        play(memory, joint)
        steps += 1
    return steps


@njit(cache=True, nogil=True)
def playouts(memory: Any, games: Any, seed: Any, longest: Any, goals: Any) -> Any:
    """Play random games from where the memory stands; all steps, or what went wrong in one. `goals` (int64, one entry
    a role) are added up. The memory is left as it was, but where something went wrong there."""
    # What a game changes: truth, reasons and counters of the kernel, and what is kept beside them.
    own = memory[PARTS]
    kernel, kept = memory[memory[0] : memory[3]].copy(), memory[memory[own] : memory[own + STEP]].copy()
    random = seeded(seed)
    joint = np.zeros(len(goals), np.int64)
    total = 0
    for _ in range(games):
        steps = playout(memory, random, longest, joint)
        if steps >= 0:
            total += steps
            for role in range(len(goals)):
                value = goal(memory, role)
                goals[role] += value
                if value == NO_GOAL:
                    steps = NO_GOAL
        if steps < 0:
            return steps
        memory[memory[0] : memory[3]] = kernel
        memory[memory[own] : memory[own + STEP]] = kept
    return total
