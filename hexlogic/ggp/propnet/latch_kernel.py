"""The kernel for games on a latch network, and states of a ground sheet as its games: a latch is set once, so no rule
is looked at twice in a game.

A *choice* is a move in a phase of the control automaton, numbered through all phases. `latch_memory` says how the
memory is laid out, which the functions take in place of the game (see `hexlogic.ggp.machines.game`).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.propnet.control import ControlAutomaton
from hexlogic.ggp.propnet.latch_memory import ASSIGNED, AT, CHECK, NO_NUMBER, PAIRS, SINGLE, latch_memory
from hexlogic.ggp.propnet.latch_network import LatchNetwork
from hexlogic.ggp.propnet.random_games import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.language.propagation.lanes import FACTOR, HALF, STEP
from hexlogic.language.propagation.memory import offsets_in, part
from hexlogic.process.kernels import kernel

_U = np.uint64
_offsets = offsets_in(AT, np.uint64)
_CHECK, _ZERO, _ONE, _TWO, _THREE = map(_U, (CHECK, 0, 1, 2, 3))


@kernel(inline="always")
def _holds(memory: Any, at: Any, condition: Any) -> Any:
    """Whether a literal of latches, or a check, holds."""
    if condition < _CHECK:
        return memory[at.flags + (condition >> _ONE)] != (condition & _ONE)
    check = condition - _CHECK
    for case in range(_U(memory[at.checks + check]), _U(memory[at.checks + check + _ONE])):
        found = True
        for place in range(_U(memory[at.cases + case]), _U(memory[at.cases + case + _ONE])):
            literal = memory[at.literals + place]
            if memory[at.flags + (literal >> _ONE)] == (literal & _ONE):
                found = False
                break
        if found:
            return True
    return False


@kernel(inline="always")
def _move(memory: Any, at: Any, change: Any, choice: Any) -> None:
    """Let a choice leave (2l) or enter (2l + 1) list l, by changing places with the one at the edge."""
    number = change >> _ONE
    begin = _U(memory[at.begins + number])
    if change & _ONE:
        edge = _U(memory[at.counts + number])
        memory[at.counts + number] = edge + _ONE
    else:
        edge = memory[at.counts + number] - _ONE
        memory[at.counts + number] = edge
    place = memory[at.places + begin + choice]
    other = memory[at.order + begin + edge]
    memory[at.order + begin + edge] = choice
    memory[at.order + begin + place] = other
    memory[at.places + begin + choice] = edge
    memory[at.places + begin + other] = place


@kernel(inline="always")
def _push(memory: Any, flags: Any, top: Any, head: Any, holds: Any) -> Any:
    """Set a latch where `holds` is 1; the top of the stack then. Where branches would be as good as random, there are
    none: a head is put on the stack in any case, and the stack grows only if the head is new."""
    memory[top] = head
    top += _U(holds & (_ONE ^ memory[flags + head]))
    memory[flags + head] |= holds
    return top


@kernel(interpreted=False)
def _set(memory: Any, waiting: Any) -> None:
    """Set the latches that wait from this place on, and all that follow from them."""
    at = _offsets(memory)
    flags, stack, missing = at.flags, at.stack, at.missing
    top = stack
    while waiting < at.start:
        top = _push(memory, flags, top, memory[waiting], _ONE)
        waiting += _ONE
    while top > stack:
        top -= _ONE
        place = at.code + memory[at.start + memory[top]]
        end = place + memory[place] + _ONE
        place += _ONE
        while place < end:  # heads
            top = _push(memory, flags, top, memory[place], _ONE)
            place += _ONE
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
            top = _push(memory, flags, top, head, some)
        end = place + _ONE + _U(memory[place]) * _TWO
        place += _ONE
        while place < end:  # both
            top = _push(memory, flags, top, memory[place], _U(memory[flags + memory[place + _ONE]]))
            place += _TWO
        many = memory[place]
        place += _ONE
        for _ in range(many):  # leaves
            head = memory[place]
            if not memory[flags + head]:
                memory[flags + head] = 1
                _move(memory, at, memory[place + _ONE], memory[place + _TWO])
            place += _THREE
        many = memory[place]
        place += _ONE
        for _ in range(many):  # counters
            rule = memory[place]
            place += _ONE
            memory[missing + rule] -= 1
            if memory[missing + rule] == 0:
                top = _push(memory, flags, top, memory[at.heads + rule], _ONE)
        many = memory[place]
        place += _ONE
        for _ in range(many):  # lists
            _move(memory, at, memory[place], memory[place + _ONE])
            place += _TWO


@kernel(interpreted=False)
def _assign(memory: Any, row: Any) -> None:
    """Set the latches of a row whose conditions hold, and no others of the row. Where one that is set must not be, the
    flags of facts are brought up to date, and all that follows is derived anew."""
    at = _offsets(memory)
    waiting, is_lost = at.start, False
    for place in range(_U(memory[at.rows + row]), _U(memory[at.rows + row + _ONE])):
        latch = memory[at.row_targets + place]
        holds = _holds(memory, at, memory[at.row_conditions + place])
        if holds != (memory[at.flags + latch] != 0):
            waiting -= _ONE
            memory[waiting] = latch
            is_lost |= not holds
    if is_lost:
        while waiting < at.start:
            memory[at.flags + memory[waiting]] ^= 1
            waiting += _ONE
        for place in range(at.facts, at.pristine):
            if memory[at.flags + memory[place]]:
                waiting -= _ONE
                memory[waiting] = memory[place]
        phase = memory[at.phase]
        for place in range(at.stack - at.flags):
            memory[at.flags + place] = memory[at.pristine + place]
        memory[at.phase] = phase
    _set(memory, waiting)


@kernel(inline="always")
def _affect(memory: Any, at: Any, choice: Any) -> None:
    """Set the latches of a choice. All conditions are evaluated before any latch is set; until then the latches wait at
    the end of the stack."""
    effect = memory[at.effects + choice]
    row = _U(effect >> _TWO)
    if effect & _THREE == ASSIGNED:
        _assign(memory, row)
        return
    waiting = at.start
    if effect & _THREE == SINGLE:
        waiting -= _ONE
        memory[waiting] = row
    elif effect & _THREE == PAIRS:  # without branches, as `_push`
        for place in range(_U(memory[at.rows + row]), _U(memory[at.rows + row + _ONE])):
            latch = memory[at.row_targets + place]
            first, second = memory[at.row_conditions + place], memory[at.row_others + place]
            holds = memory[at.flags + (first >> _ONE)] ^ first & _ONE
            holds &= memory[at.flags + (second >> _ONE)] ^ second & _ONE
            memory[waiting - _ONE] = latch
            waiting -= _U(holds & (_ONE ^ memory[at.flags + latch]))
    else:
        for place in range(_U(memory[at.rows + row]), _U(memory[at.rows + row + _ONE])):
            latch = memory[at.row_targets + place]
            if not memory[at.flags + latch] and _holds(memory, at, memory[at.row_conditions + place]):
                waiting -= _ONE
                memory[waiting] = latch
    _set(memory, waiting)


@kernel(interpreted=False)
def set_latch(memory: Any, latch: Any) -> None:
    """Set one latch, and all that follow from it: how a state is set up."""
    waiting = _U(memory[AT.start]) - _ONE
    memory[waiting] = latch
    _set(memory, waiting)


@kernel(interpreted=False)
def restore(memory: Any, start: Any) -> None:
    """As `game.restore`."""
    for place in range(_U(memory[AT.flags]), _U(memory[AT.stack])):
        memory[place] = start[place]


@kernel(interpreted=False)
def is_over(memory: Any) -> Any:
    """As `game.is_over`."""
    at = _offsets(memory)
    return _holds(memory, at, _U(memory[at.end + memory[at.phase]]))


@kernel(interpreted=False)
def options(memory: Any, role: Any) -> Any:
    """As `game.options`."""
    at = _offsets(memory)
    number = _U(memory[at.lists + memory[at.phase]])
    count = np.int64(1) if number == _ZERO else np.int64(memory[at.counts + number - _ONE])
    if count == 0:
        return np.int64(-1)
    return count if memory[at.chooser + memory[at.phase]] == role else np.int64(0)


@kernel(interpreted=False)
def option(memory: Any, role: Any, place: Any) -> Any:
    """As `game.option`: a choice of the phase."""
    at = _offsets(memory)
    phase = _U(memory[at.phase])
    number = _U(memory[at.lists + phase])
    choice = _U(memory[at.first + phase])
    if number != _ZERO:
        choice += memory[at.order + memory[at.begins + number - _ONE] + _U(place)]
    return np.int64(choice)


@kernel(interpreted=False)
def play(memory: Any, joint: Any) -> None:
    """As `game.play`."""
    at = _offsets(memory)
    role = memory[at.chooser + memory[at.phase]]
    _affect(memory, at, _U(joint[role] if role < len(joint) else memory[at.first + memory[at.phase]]))
    memory[at.phase] = memory[at.following + memory[at.phase]]


@kernel(interpreted=False)
def playout(memory: Any, random: Any, longest: Any) -> Any:
    """As `game.playout`; a number is drawn for a single choice too, which is faster than to ask. The phase and the
    state of the generator are kept in registers."""
    at = _offsets(memory)
    phase, draw, steps = _U(memory[at.phase]), random[0], 0
    while not _holds(memory, at, _U(memory[at.end + phase])):
        if steps == longest:
            steps = ENDLESS
            break
        choice = _U(memory[at.first + phase])
        number = _U(memory[at.lists + phase])
        if number != _ZERO:
            number -= _ONE
            count = _U(memory[at.counts + number])
            if count == _ZERO:
                steps = NO_MOVE
                break
            draw = draw * FACTOR + STEP
            choice += memory[at.order + memory[at.begins + number] + (((draw >> HALF) * count) >> HALF)]
        _affect(memory, at, choice)
        phase = _U(memory[at.following + phase])
        steps += 1
    memory[at.phase] = phase
    random[0] = draw
    return steps


@kernel(interpreted=False)
def goal(memory: Any, role: Any, roles: Any) -> Any:
    """As `game.goal`."""
    at = _offsets(memory)
    row = _U(memory[at.phase]) * _U(roles) + _U(role)
    found = np.int64(NO_GOAL)
    for place in range(_U(memory[at.goals + row]), _U(memory[at.goals + row + _ONE])):
        if _holds(memory, at, _U(memory[at.value_conditions + place])):
            if found != NO_GOAL:
                return np.int64(NO_GOAL)
            found = np.int64(memory[at.values + place])
            if found == NO_NUMBER:
                return np.int64(NO_GOAL)
    return found


class LatchEncoding:
    """A game in turns on the kernel for latches. Raises LatchError."""

    def __init__(self, control: ControlAutomaton, initial: frozenset[int]) -> None:
        self._control = control
        self.phases, self.inputs, self.recurring = control.phases, control.inputs, control.recurring
        self.network = LatchNetwork(control, initial)
        self.initial = self.network.initial.intersection(self.inputs)
        self.latches = {fact: self.network.literal(control.fact_nodes[fact]) >> 1 for fact in self.inputs}
        """By fact the latch that is set where it has not its initial value."""
        self._first = latch_memory(control, self.network, [latch for latch in self.latches.values() if latch])
        """No latch is set."""
        self.moves = [choice.move for phase in self.phases for choice in phase.choices]
        """By choice: the number of its move."""

    def game(self, true: frozenset[int]) -> NDArray[np.uint32] | None:
        """The memory of a game in a state; None for a state that legal moves never lead to."""
        phase = self._control.phase_of(true)
        latches = [self.latches[fact] for fact in self.inputs if (fact in true) != (fact in self.initial)]
        if phase is None or not all(latches):
            return None
        memory = self._first.copy()
        part(memory, AT.phase)[0] = phase
        for latch in latches:
            set_latch(memory, latch)
        return memory

    def facts(self, memory: NDArray[np.uint32]) -> frozenset[int]:
        """The state of a game."""
        flags = part(memory, AT.flags)
        changed = {fact for fact in self.inputs if flags[self.latches[fact]]}
        return self.phases[int(part(memory, AT.phase)[0])].facts | (self.initial ^ changed)
