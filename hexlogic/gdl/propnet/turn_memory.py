"""A game in turns whose facts come and go, in arrays: the propositional network of its formulas under delete and
rederive, whose inputs are the facts that are not autonomous; the choice lists; and tables by phase and choice.

A *choice* is a move in a phase, numbered through all phases. A condition is 2a where node a is true, 2a + 1 where it is
false; one node never is true.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import numpy as np

from hexlogic.gdl.propnet.choice_lists import AT as LISTS
from hexlogic.gdl.propnet.choice_lists import ChoiceLists
from hexlogic.gdl.propnet.control import ControlAutomaton
from hexlogic.gdl.propnet.formulas import TRUE
from hexlogic.ground.layout import lay_out
from hexlogic.ground.program import GroundProgram, GroundRule
from hexlogic.logic.syntax import Atom, Integer
from hexlogic.propagation.delete_rederive import AT as NETWORK
from hexlogic.propagation.delete_rederive import delete_rederive_memory
from hexlogic.propagation.memory import pack, part, unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

__all__ = ["AT", "inputs_of", "turn_memory"]

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
    row_facts: T
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


def inputs_of(game: ControlAutomaton) -> tuple[int, ...]:
    """The facts that are inputs of the network, in their order."""
    return tuple(fact for fact, node in enumerate(game.fact_nodes) if node)


def turn_memory(game: ControlAutomaton) -> Ints:
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
    facts = len(inputs_of(game))
    never = len(number)
    names = tuple(Atom("node", (Integer(place),)) for place in range(never + 1))
    network = delete_rederive_memory(lay_out(GroundProgram(names, facts, tuple(rules), frozenset())), ())
    true = part(network, NETWORK.true)

    def condition(literal: int) -> int:
        if abs(literal) == TRUE:
            return 2 * never + (literal == TRUE)
        return 2 * number[abs(literal)] + (literal < 0)

    lists = ChoiceLists(never + 1)
    first, effects, rows = [0], [], dict[tuple[tuple[int, int], ...], int]()
    for phase in game.phases:
        if phase.role < 0:
            lists.add(None)
        else:
            legal = [condition(choice.literal) for choice in phase.choices]
            lists.add(legal, [bool(true[one >> 1]) != bool(one & 1) for one in legal])
        first.append(first[-1] + len(phase.choices))
        for choice in phase.choices:
            row = tuple((number[game.fact_nodes[fact]], condition(literal)) for fact, literal in choice.effects)
            effects.append(rows.setdefault(row, len(rows)))
    goals = [own for phase in game.phases for own in phase.goals]
    tables = _TurnParts(
        phase=[0],
        changed=np.zeros(facts),
        lists=lists.of_phase,
        first=first,
        chooser=[len(phase.forced) if phase.role < 0 else phase.role for phase in game.phases],
        effects=effects,
        rows=[0, *itertools.accumulate(map(len, rows))],
        row_facts=[fact for row in rows for fact, _ in row],
        row_conditions=[one for row in rows for _, one in row],
        end=[condition(phase.terminal) for phase in game.phases],
        goals=[0, *itertools.accumulate(map(len, goals))],
        values=[value for own in goals for value, _ in own],
        value_conditions=[condition(literal) for own in goals for _, literal in own],
        following=[phase.following for phase in game.phases],
    )
    return pack([*unpack(network, len(NETWORK)), *lists.parts(), *tables], np.int32)


def _numbers(game: ControlAutomaton) -> dict[int, int]:
    """The network's number of each node that some phase depends on, the facts first."""
    nodes = [node for node in game.fact_nodes if node]
    waiting = [phase.terminal for phase in game.phases]
    waiting += [choice.literal for phase in game.phases for choice in phase.choices]
    waiting += [one for phase in game.phases for choice in phase.choices for _, one in choice.effects]
    waiting += [one for phase in game.phases for goals in phase.goals for _, one in goals]
    found = dict.fromkeys(nodes)
    while waiting:
        node = abs(waiting.pop())
        if node not in found and node != TRUE:
            found[node] = None
            waiting += [one for body in game.formulas.bodies[node] or () for one in body]
    return {node: place for place, node in enumerate(found)}
