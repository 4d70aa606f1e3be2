"""Any ground sheet in arrays: its propositional network under delete and rederive, whose inputs are the facts and what
is done; the choice lists; and tables.

An *option* is a move of a role, numbered through all roles in the order of their `does` atoms. There is a list of the
legal options for each role, and behind these the list of the facts whose next value is another one. Atoms of tables may
be ALWAYS or NEVER.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import numpy as np

from hexlogic.gdl.propnet.choice_lists import AT as LISTS
from hexlogic.gdl.propnet.choice_lists import ChoiceLists
from hexlogic.gdl.propnet.ground_sheet import ALWAYS, GroundSheet
from hexlogic.gdl.propnet.outcomes import whole_goal
from hexlogic.propagation.delete_rederive import AT as NETWORK
from hexlogic.propagation.delete_rederive import delete_rederive_memory
from hexlogic.propagation.memory import pack, unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

__all__ = ["AT", "network_memory"]

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


def network_memory(sheet: GroundSheet) -> Ints:
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
