"""The kernel for games in turns whose facts come and go: the effects of each choice are worked out ahead, and delete
and rederive derives what follows from them.

The memory is the propositional network of the game's formulas, whose inputs are the facts that are not autonomous; the
choice lists; and tables by phase and choice. A *choice* is a move in a phase, numbered through all phases. A condition
is 2a where node a is true, 2a + 1 where it is false; one node never is true.
"""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.ggp.propnet.choice_lists import AT as LISTS
from hexlogic.ggp.propnet.choice_lists import ChoiceLists, legal, legal_at, note
from hexlogic.ggp.propnet.control import ControlAutomaton
from hexlogic.ggp.propnet.formulas import TRUE
from hexlogic.ggp.propnet.outcomes import NO_GOAL
from hexlogic.ggp.propnet.phase_tables import phase_tables
from hexlogic.language.ground.layout import lay_out
from hexlogic.language.ground.program import GroundProgram, GroundRule
from hexlogic.language.propagation.delete_rederive import AT as NETWORK
from hexlogic.language.propagation.delete_rederive import delete_rederive_memory, settle, tell
from hexlogic.language.propagation.memory import offsets_in, pack, part, restore_parts, unpack
from hexlogic.language.syntax import Atom, Integer

T = TypeVar("T")


class _TurnParts(NamedTuple, Generic[T]):
    """The tables of F inputs, P phases, C choices and R roles."""

    phase: T
    """[1]: the number of the phase. The state ends here."""
    changed: T
    """[F]: room for the inputs that a step changes."""
    lists: T
    """[P]: the phase's choice list, from 1; 0 where no role has a choice."""
    first: T
    """[P + 1]: the first choice of the phase."""
    chooser: T
    """[P]: the role that chooses, R where none does."""
    effects: T
    """[C]: the row of the choice's effects."""
    rows: T
    """Where each row begins."""
    row_targets: T
    """The inputs that the choice may change."""
    row_conditions: T
    """Under which condition the input is true next."""
    end: T
    """[P]: the condition of the end of the game."""
    goals: T
    """[P * R + 1]: where the values of each phase and role begin."""
    values: T
    value_conditions: T
    following: T
    """[P]: the phase after this one."""


AT = _TurnParts(*range(LISTS.places + 1, LISTS.places + 15))


def turn_memory(game: ControlAutomaton) -> NDArray[np.int32]:
    """The memory of a game in which none of its facts is true yet."""
    number = _numbers(game)
    bodies = game.formulas.bodies
    rules = [
        GroundRule(
            place,
            tuple(sorted(number[one] for one in body if one > 0)),
            tuple(sorted(number[-one] for one in body if one < 0)),
        )
        for node, place in number.items()
        for body in bodies[node] or ()
    ]
    facts = len(game.inputs)
    never = len(number)
    names = tuple(Atom("node", (Integer(place),)) for place in range(never + 1))
    network = delete_rederive_memory(lay_out(GroundProgram(names, facts, tuple(rules), frozenset())), ())
    true = part(network, NETWORK.true)

    def condition(literal: int) -> int:
        if abs(literal) == TRUE:
            return 2 * never + (literal == TRUE)
        return 2 * number[abs(literal)] + (literal < 0)

    def legality(literal: int) -> tuple[int, bool]:
        cause = condition(literal)
        return cause, bool(true[cause >> 1]) != bool(cause & 1)

    lists = ChoiceLists(never + 1)
    effects = (
        tuple((number[game.fact_nodes[fact]], condition(literal)) for fact, literal in choice.effects)
        for phase in game.phases
        for choice in phase.choices
    )
    shared = phase_tables(game, lists, effects, condition, legality)
    tables = _TurnParts(phase=[0], changed=np.zeros(facts), **shared)
    return pack([*unpack(network, len(NETWORK)), *lists.parts(), *tables], np.int32)


def _numbers(game: ControlAutomaton) -> dict[int, int]:
    """The network's number of each node that some phase depends on, the facts first."""
    nodes = [node for node in game.fact_nodes if node]
    waiting = game.asked()
    waiting += [one for phase in game.phases for choice in phase.choices for _, one in choice.effects]
    found = dict.fromkeys(nodes)
    while waiting:
        node = abs(waiting.pop())
        if node not in found and node != TRUE:
            found[node] = None
            waiting += [one for body in game.formulas.bodies[node] or () for one in body]
    return {node: place for place, node in enumerate(found)}


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
        fact = memory[at.row_targets + place]
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
