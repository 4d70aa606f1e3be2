"""Delete and rederive: the least model of a stratified ground program, kept up to date while inputs change.

Level by level, for the rules whose bodies changed below:

    deletion      a fact goes when the rule that is its reason no longer holds, and with it what it is the reason of
    rederivation  a deleted fact comes back when some other rule for it holds
    insertion     a rule that holds makes its head true, and is its reason

Each reason was true before what it gave, so no fact can keep itself alive in a cycle. Source: delete and rederive
(Gupta, Mumick and Subrahmanian 1993), with one recorded reason for each fact instead of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np
from numba import njit

from hexlogic.ground.layout import Layout
from hexlogic.propagation.memory import pack, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

__all__ = ["AT", "change", "delete_rederive_memory", "restore_network", "settle", "tell"]

T = TypeVar("T")


class _Parts(NamedTuple, Generic[T]):
    """The memory of A atoms and R rules in L levels: state, rules by atom in compressed sparse rows, room for work."""

    true: T
    """[A]"""
    reason: T
    """[A]: the rule that made the atom true, or -1."""
    missing: T
    """[R]: body literals that do not hold. The state ends here."""
    head: T
    """[R]"""
    level: T
    """[A]"""
    positive_start: T
    """[A + 1]"""
    positive: T
    """The rules with the atom in their body."""
    negative_start: T
    """[A + 1]"""
    negative: T
    """The rules with its negation in their body."""
    rules_start: T
    """[A + 1]"""
    rules: T
    """The rules with the atom as head."""
    watch: T
    """The atoms whose truth `settle` answers with."""
    pending: T
    """[L + 1]: the first rule that waits for the level, or -1."""
    following: T
    """[R]: the next rule that waits for the same level, or -1."""
    at_hand: T
    """[R]: the rules that waited for the level at work."""
    queue: T
    """[A]: atoms that became true, in their order."""
    touched: T
    """[A]: atoms of the level at work that were changed, deleted ones first."""
    mark: T
    """[A]: 1 for a touched atom that was true, 2 for one that was false, else 0."""
    waits: T
    """[R]: whether the rule waits."""
    changed: T
    """[A + 1]: how many derived atoms the last `settle` changed, and which."""


AT = _Parts(*range(20))


def delete_rederive_memory(layout: Layout, watch: Sequence[int]) -> Ints:
    """The memory of a ground program while no input is true. `watch` are the atoms (at most 31) whose truth `change`
    answers with, one bit each."""
    atoms, rules = len(layout.atoms), len(layout.head)
    memory = pack(
        _Parts(
            true=np.zeros(atoms),
            reason=np.full(atoms, -1),
            missing=layout.missing,
            head=layout.head,
            level=layout.level,
            positive_start=layout.positive_start,
            positive=layout.positive,
            negative_start=layout.negative_start,
            negative=layout.negative,
            rules_start=layout.rules_start,
            rules=layout.rules,
            watch=watch,
            pending=np.full(layout.levels + 1, -1),
            following=np.zeros(rules),
            at_hand=np.zeros(rules),
            queue=np.zeros(atoms),
            touched=np.zeros(atoms),
            mark=np.zeros(atoms),
            waits=np.zeros(rules),
            changed=np.zeros(atoms + 1),
        ),
        np.int32,
    )
    _begin(memory)
    return memory


@njit(cache=True)
def restore_network(memory: Any, start: Any) -> None:
    """Make the state of a memory that of `start`, of which it is a copy; neither has rules that wait."""
    memory[memory[AT.true] : memory[AT.head]] = start[start[AT.true] : start[AT.head]]


@njit(cache=True)
def _wait(rule: Any, head: Any, level: Any, pending: Any, following: Any, waits: Any) -> None:
    """Let a rule wait for the work on its head's level."""
    if not waits[rule]:
        waits[rule] = 1
        at = level[head[rule]]
        following[rule] = pending[at]
        pending[at] = rule


@njit(cache=True)
def tell(memory: Any, atom: Any) -> None:
    """Let the rules above the atom's level count that its truth has changed."""
    true, missing, head, level = (
        part(memory, AT.true),
        part(memory, AT.missing),
        part(memory, AT.head),
        part(memory, AT.level),
    )
    pending, following, waits = part(memory, AT.pending), part(memory, AT.following), part(memory, AT.waits)
    less = 1 if true[atom] else -1
    start, rules = part(memory, AT.positive_start), part(memory, AT.positive)
    for place in range(start[atom], start[atom + 1]):
        rule = rules[place]
        if level[head[rule]] > level[atom]:
            missing[rule] -= less
            _wait(rule, head, level, pending, following, waits)
    start, rules = part(memory, AT.negative_start), part(memory, AT.negative)
    for place in range(start[atom], start[atom + 1]):
        rule = rules[place]
        missing[rule] += less
        _wait(rule, head, level, pending, following, waits)


@njit(cache=True)
def _delete(true: Any, mark: Any, touched: Any, changed: Any, atom: Any) -> Any:
    """Make an atom false; how many atoms are touched then."""
    true[atom] = 0
    mark[atom] = 1
    touched[changed] = atom
    return changed + 1


@njit(cache=True)
def _insert(
    true: Any, reason: Any, mark: Any, touched: Any, changed: Any, queue: Any, end: Any, rule: Any, atom: Any
) -> Any:
    """Make an atom true by a rule; how many atoms are touched then, and how many are in the queue."""
    true[atom] = 1
    reason[atom] = rule
    if not mark[atom]:
        mark[atom] = 2
        touched[changed] = atom
        changed += 1
    queue[end] = atom
    return changed, end + 1


@njit(cache=True)
def _work_through(memory: Any, at: Any) -> None:
    """Bring one level up to date: delete, rederive, insert, and tell the levels above."""
    true, reason, missing = part(memory, AT.true), part(memory, AT.reason), part(memory, AT.missing)
    head, level = part(memory, AT.head), part(memory, AT.level)
    start, rules = part(memory, AT.positive_start), part(memory, AT.positive)
    own_start, own = part(memory, AT.rules_start), part(memory, AT.rules)
    pending, following, at_hand = part(memory, AT.pending), part(memory, AT.following), part(memory, AT.at_hand)
    queue, touched, mark = part(memory, AT.queue), part(memory, AT.touched), part(memory, AT.mark)
    waits, log = part(memory, AT.waits), part(memory, AT.changed)

    count = 0
    rule = pending[at]
    pending[at] = -1
    while rule >= 0:
        waits[rule] = 0
        at_hand[count] = rule
        count += 1
        rule = following[rule]

    # Deletion of what has lost its reason, and of what that is the reason of.
    changed = 0
    for place in range(count):
        rule = at_hand[place]
        atom = head[rule]
        if missing[rule] and true[atom] and reason[atom] == rule:
            changed = _delete(true, mark, touched, changed, atom)
    done = 0
    while done < changed:
        gone = touched[done]
        done += 1
        for place in range(start[gone], start[gone + 1]):
            rule = rules[place]
            atom = head[rule]
            if level[atom] == at:
                if missing[rule] == 0 and true[atom] and reason[atom] == rule:
                    changed = _delete(true, mark, touched, changed, atom)
                missing[rule] += 1

    # Insertion of what holds now, of deleted atoms that hold for another reason, and of what follows from both.
    deleted = changed
    end = 0
    for place in range(count):
        rule = at_hand[place]
        atom = head[rule]
        if missing[rule] == 0 and not true[atom]:
            changed, end = _insert(true, reason, mark, touched, changed, queue, end, rule, atom)
    for place in range(deleted):
        atom = touched[place]
        if true[atom]:
            continue
        for entry in range(own_start[atom], own_start[atom + 1]):
            if missing[own[entry]] == 0:
                changed, end = _insert(true, reason, mark, touched, changed, queue, end, own[entry], atom)
                break
    done = 0
    while done < end:
        new = queue[done]
        done += 1
        for place in range(start[new], start[new + 1]):
            rule = rules[place]
            atom = head[rule]
            if level[atom] == at:
                missing[rule] -= 1
                if missing[rule] == 0 and not true[atom]:
                    changed, end = _insert(true, reason, mark, touched, changed, queue, end, rule, atom)

    for place in range(changed):
        atom = touched[place]
        if (mark[atom] == 1) != (true[atom] == 1):
            tell(memory, atom)
            log[0] += 1
            log[log[0]] = atom
        mark[atom] = 0


@njit(cache=True)
def settle(memory: Any) -> Any:
    """Work through all levels where rules wait; the watched atoms that are true then."""
    pending, levels = memory[AT.pending], memory[AT.following] - memory[AT.pending] - 1
    memory[memory[AT.changed]] = 0
    for at in range(levels):
        if memory[pending + at] >= 0:
            _work_through(memory, at)
    true, watch = part(memory, AT.true), part(memory, AT.watch)
    found = 0
    for place in range(len(watch)):
        if true[watch[place]]:
            found |= 1 << place
    return found


@njit(cache=True)
def _begin(memory: Any) -> None:
    """Derive what holds while no input is true."""
    missing, head, level = part(memory, AT.missing), part(memory, AT.head), part(memory, AT.level)
    pending, following, waits = part(memory, AT.pending), part(memory, AT.following), part(memory, AT.waits)
    for rule in range(len(missing)):
        if missing[rule] == 0:
            _wait(rule, head, level, pending, following, waits)
    settle(memory)


@njit(cache=True)
def change(memory: Any, atom: Any, value: Any) -> Any:
    """Make an input true (1) or false (0), and all that follows; the watched atoms that are true then."""
    true = part(memory, AT.true)
    if true[atom] != value:
        true[atom] = value
        tell(memory, atom)
    return settle(memory)
