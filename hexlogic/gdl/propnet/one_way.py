"""The kernel for games of events: moves let events happen, and nothing is looked at twice in a game.

A *choice* is a move in a moment, numbered through all moments. A *list* holds the legal choices of the moments that
agree on when their choices are legal; a choice leaves it by changing places with the last one, so that drawing one at
random takes one step. `hexlogic.gdl.propnet.one_way_memory` says how the memory is laid out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.gdl.propnet.one_way_memory import (
    BEGINS,
    CASES,
    CHECK,
    CHECKS,
    CHOOSER,
    CODE,
    COUNTS,
    EFFECTS,
    END,
    FIRST,
    FLAGS,
    FOLLOWING,
    GOALS,
    HEADS,
    LIST,
    LITERALS,
    MISSING,
    MOMENT,
    NO_NUMBER,
    ORDER,
    PLACES,
    ROW_CONDITIONS,
    ROW_EVENTS,
    ROWS,
    SINGLE,
    STACK,
    START,
    VALUE_CONDITIONS,
    VALUES,
)
from hexlogic.gdl.propnet.outcomes import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.gdl.propnet.randomness import FACTOR, HALF, STEP, seeded

__all__ = ["chooser", "goal", "happen", "is_over", "option", "options", "play", "playout", "playouts"]

_U = np.uint64
_CHECK, _ZERO, _ONE, _TWO, _THREE = map(_U, (CHECK, 0, 1, 2, 3))


@njit(cache=True, inline="always")
def _holds(memory: Any, flags: Any, checks: Any, condition: Any) -> Any:
    """Whether a literal of events, or a check, holds."""
    if condition < _CHECK:
        return memory[flags + (condition >> _ONE)] != (condition & _ONE)
    starts, cases, literals = checks
    check = condition - _CHECK
    for case in range(_U(memory[starts + check]), _U(memory[starts + check + _ONE])):
        found = True
        for place in range(_U(memory[cases + case]), _U(memory[cases + case + _ONE])):
            literal = memory[literals + place]
            if memory[flags + (literal >> _ONE)] == (literal & _ONE):
                found = False
                break
        if found:
            return True
    return False


@njit(cache=True, inline="always")
def _move_within(memory: Any, lists: Any, change: Any, choice: Any) -> None:
    """Let a choice leave or enter a list: it changes places with the last one inside or the first one outside."""
    counts, order, places, begins = lists
    at = change >> _ONE
    begin = _U(memory[begins + at])
    if change & _ONE:
        edge = _U(memory[counts + at])
        memory[counts + at] = edge + _ONE
    else:
        edge = memory[counts + at] - _ONE
        memory[counts + at] = edge
    place = memory[places + begin + choice]
    other = memory[order + begin + edge]
    memory[order + begin + edge] = choice
    memory[order + begin + place] = other
    memory[places + begin + choice] = edge
    memory[places + begin + other] = place


@njit(cache=True, inline="always")
def _happen(memory: Any, flags: Any, missing: Any, lists: Any, program: Any, event: Any) -> None:
    """Let an event happen, and all that follows from it. Where branches would be as good as random, there are none:
    a head is put on the stack in any case, and the stack grows only if it is new."""
    stack, start, code, heads = program
    if memory[flags + event]:
        return
    memory[flags + event] = 1
    memory[stack] = event
    top = stack + _ONE
    while top > stack:
        top -= _ONE
        place = code + memory[start + memory[top]]
        end = place + memory[place] + _ONE
        place += _ONE
        while place < end:  # heads
            head = memory[place]
            place += _ONE
            memory[top] = head
            top += _U(_ONE ^ memory[flags + head])
            memory[flags + head] = 1
        many = memory[place]
        place += _ONE
        for _ in range(many):  # any
            head = memory[place]
            end = place + _TWO + memory[place + _ONE]
            place += _TWO
            some = _ZERO
            while place < end:
                some |= memory[flags + memory[place]]
                place += _ONE
            memory[top] = head
            top += _U(some & (_ONE ^ memory[flags + head]))
            memory[flags + head] |= some
        end = place + _ONE + _U(memory[place]) * _TWO
        place += _ONE
        while place < end:  # both
            head = memory[place]
            some = _U(memory[flags + memory[place + _ONE]])
            place += _TWO
            memory[top] = head
            top += _U(some & (_ONE ^ memory[flags + head]))
            memory[flags + head] |= some
        many = memory[place]
        place += _ONE
        for _ in range(many):  # leaves
            head = memory[place]
            if not memory[flags + head]:
                memory[flags + head] = 1
                _move_within(memory, lists, memory[place + _ONE], memory[place + _TWO])
            place += _THREE
        many = memory[place]
        place += _ONE
        for _ in range(many):  # counters
            rule = memory[place]
            place += _ONE
            memory[missing + rule] -= 1
            if memory[missing + rule] == 0:
                head = memory[heads + rule]
                memory[top] = head
                top += _U(_ONE ^ memory[flags + head])
                memory[flags + head] = 1
        many = memory[place]
        place += _ONE
        for _ in range(many):  # lists
            _move_within(memory, lists, memory[place], memory[place + _ONE])
            place += _TWO


@njit(cache=True, inline="always")
def _affect(
    memory: Any, flags: Any, missing: Any, lists: Any, program: Any, effects: Any, checks: Any, choice: Any
) -> None:
    """The events of a choice. All conditions are looked at before any event happens; until then, events wait at the
    end of the stack."""
    of_choice, rows, events, conditions = effects
    effect = memory[of_choice + choice]
    row = _U(effect >> _TWO)
    if effect & _THREE == SINGLE:
        _happen(memory, flags, missing, lists, program, row)
    else:
        limit = program[1]
        waiting = limit
        for place in range(_U(memory[rows + row]), _U(memory[rows + row + _ONE])):
            event = memory[events + place]
            if not memory[flags + event] and _holds(memory, flags, checks, memory[conditions + place]):
                waiting -= _ONE
                memory[waiting] = event
        while waiting < limit:
            _happen(memory, flags, missing, lists, program, _U(memory[waiting]))
            waiting += _ONE


@njit(cache=True, inline="always")
def _at(memory: Any, part: Any) -> Any:
    return _U(memory[part])


@njit(cache=True, inline="always")
def _lists(memory: Any) -> Any:
    return _at(memory, COUNTS), _at(memory, ORDER), _at(memory, PLACES), _at(memory, BEGINS)


@njit(cache=True, inline="always")
def _program(memory: Any) -> Any:
    return _at(memory, STACK), _at(memory, START), _at(memory, CODE), _at(memory, HEADS)


@njit(cache=True, inline="always")
def _checks(memory: Any) -> Any:
    return _at(memory, CHECKS), _at(memory, CASES), _at(memory, LITERALS)


@njit(cache=True, inline="always")
def _effects(memory: Any) -> Any:
    return _at(memory, EFFECTS), _at(memory, ROWS), _at(memory, ROW_EVENTS), _at(memory, ROW_CONDITIONS)


@njit(cache=True)
def happen(memory: Any, event: Any) -> None:
    """Let one event happen, and what follows from it: how a position is set up."""
    _happen(memory, _at(memory, FLAGS), _at(memory, MISSING), _lists(memory), _program(memory), _U(event))


@njit(cache=True)
def is_over(memory: Any) -> Any:
    """Whether the game is over."""
    condition = _U(memory[_at(memory, END) + memory[_at(memory, MOMENT)]])
    return _holds(memory, _at(memory, FLAGS), _checks(memory), condition)


@njit(cache=True)
def chooser(memory: Any) -> Any:
    """The role that has the choices of the moment; the number of roles where none has."""
    return np.int64(memory[_at(memory, CHOOSER) + memory[_at(memory, MOMENT)]])


@njit(cache=True)
def options(memory: Any) -> Any:
    """How many choices are legal."""
    number = _U(memory[_at(memory, LIST) + memory[_at(memory, MOMENT)]])
    return np.int64(1) if number == _ZERO else np.int64(memory[_at(memory, COUNTS) + number - _ONE])


@njit(cache=True)
def option(memory: Any, place: Any) -> Any:
    """The legal choice at a place, from 0; each is somewhere, in no order."""
    moment = _U(memory[_at(memory, MOMENT)])
    number = _U(memory[_at(memory, LIST) + moment])
    choice = _U(memory[_at(memory, FIRST) + moment])
    if number != _ZERO:
        choice += memory[_at(memory, ORDER) + memory[_at(memory, BEGINS) + number - _ONE] + _U(place)]
    return np.int64(choice)


@njit(cache=True)
def play(memory: Any, choice: Any) -> None:
    """Play a legal choice."""
    flags, missing, at = _at(memory, FLAGS), _at(memory, MISSING), _at(memory, MOMENT)
    lists, program = _lists(memory), _program(memory)
    _affect(memory, flags, missing, lists, program, _effects(memory), _checks(memory), _U(choice))
    memory[at] = memory[_at(memory, FOLLOWING) + memory[at]]


@njit(cache=True)
def goal(memory: Any, role: Any, roles: Any) -> Any:
    """The one value of a role of so many, or NO_GOAL."""
    flags, checks = _at(memory, FLAGS), _checks(memory)
    starts, values, conditions = _at(memory, GOALS), _at(memory, VALUES), _at(memory, VALUE_CONDITIONS)
    row = _U(memory[_at(memory, MOMENT)]) * _U(roles) + _U(role)
    found = np.int64(NO_GOAL)
    for place in range(_U(memory[starts + row]), _U(memory[starts + row + _ONE])):
        if _holds(memory, flags, checks, _U(memory[conditions + place])):
            if found != NO_GOAL:
                return np.int64(NO_GOAL)
            found = np.int64(memory[values + place])
            if found == NO_NUMBER:
                return np.int64(NO_GOAL)
    return found


@njit(cache=True)
def playout(memory: Any, random: Any, longest: Any) -> Any:
    """Play at random to the end; how many steps, or NO_MOVE or ENDLESS."""
    flags, missing = _at(memory, FLAGS), _at(memory, MISSING)
    lists, program, effects, checks = _lists(memory), _program(memory), _effects(memory), _checks(memory)
    counts, order, _, begins = lists
    list_of, first = _at(memory, LIST), _at(memory, FIRST)
    ends, following = _at(memory, END), _at(memory, FOLLOWING)
    moment = _U(memory[_at(memory, MOMENT)])
    draw = random[0]
    steps = 0
    while not _holds(memory, flags, checks, _U(memory[ends + moment])):
        if steps == longest:
            steps = ENDLESS
            break
        choice = _U(memory[first + moment])
        number = _U(memory[list_of + moment])
        if number != _ZERO:
            number -= _ONE
            count = _U(memory[counts + number])
            if count == _ZERO:
                steps = NO_MOVE
                break
            draw = draw * FACTOR + STEP
            choice += memory[order + memory[begins + number] + (((draw >> HALF) * count) >> HALF)]
        _affect(memory, flags, missing, lists, program, effects, checks, choice)
        moment = _U(memory[following + moment])
        steps += 1
    memory[_at(memory, MOMENT)] = moment
    random[0] = draw
    return steps


@njit(cache=True, nogil=True)
def playouts(memory: Any, games: Any, seed: Any, longest: Any, goals: Any) -> Any:
    """Play random games from where the memory stands; all steps, or what went wrong in one. `goals` (int64, one entry
    a role) are added up. The memory is left as it was, but where something went wrong there."""
    position = memory[_at(memory, FLAGS) : _at(memory, STACK)].copy()
    random = seeded(seed)
    total = 0
    for _ in range(games):
        steps = playout(memory, random, longest)
        if steps >= 0:
            total += steps
            for role in range(len(goals)):
                value = goal(memory, role, len(goals))
                goals[role] += value
                if value == NO_GOAL:
                    steps = NO_GOAL
        if steps < 0:
            return steps
        memory[_at(memory, FLAGS) : _at(memory, STACK)] = position
    return total
