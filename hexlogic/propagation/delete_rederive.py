"""The kernel for all stratified programs: inputs come and go, facts come and go with them.

Level by level, for the rules whose bodies changed below:

    deletion      a fact goes when the rule that is its reason no longer holds, and with it what it is the reason of
    rederivation  a deleted fact comes back when some other rule for it holds
    insertion     a rule that holds makes its head true, and is its reason

Each reason was true before what it gave, so no fact can keep itself alive in a cycle. Source: delete and rederive
(Gupta, Mumick and Subrahmanian 1993), with one recorded reason for each fact instead of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from hexlogic.ground.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

__all__ = ["PARTS", "change", "changing_memory", "part", "settle", "tell"]

PARTS = 20
"""Parts of a memory; the offset of what follows them is the last of its first PARTS + 1 numbers."""


def changing_memory(layout: Layout, watch: Sequence[int]) -> Ints:
    """The memory of a machine while no input is true. `watch` are the atoms (at most 31) whose truth `change` answers
    with, one bit each.

    The parts: true[A], reason[A] (a rule, or -1), missing[R], head[R], level[A], by atom the rules with it in the body
    (start[A + 1], rules), with its negation (start, rules), and with it as head (start, rules); watch; then room for
    work: the first pending rule of each level, the next one of each rule, rules at hand, atoms at hand, atoms touched,
    and marks on atoms and rules; last, how many derived atoms the last `settle` changed, and which.
    """
    atoms, rules = len(layout.atoms), len(layout.head)
    arrays = [
        np.zeros(atoms, dtype=np.int32),
        np.full(atoms, -1, dtype=np.int32),
        layout.missing,
        layout.head,
        layout.level,
        layout.positive_start,
        layout.positive,
        layout.negative_start,
        layout.negative,
        layout.rules_start,
        layout.rules,
        np.array(watch, dtype=np.int32),
        np.full(layout.levels + 1, -1, dtype=np.int32),
        np.zeros(rules, dtype=np.int32),
        np.zeros(rules, dtype=np.int32),
        np.zeros(atoms, dtype=np.int32),
        np.zeros(atoms, dtype=np.int32),
        np.zeros(atoms, dtype=np.int32),
        np.zeros(rules, dtype=np.int32),
        np.zeros(atoms + 1, dtype=np.int32),
    ]
    assert len(arrays) == PARTS
    ends = PARTS + 1 + np.cumsum([0, *map(len, arrays)])
    memory = np.concatenate([ends, *arrays]).astype(np.int32)
    _begin(memory)
    return memory


@njit(cache=True, inline="always")
def part(memory: Any, number: Any) -> Any:
    """A part of a memory, as a view."""
    return memory[memory[number] : memory[number + 1]]


@njit(cache=True)
def _push(rule: Any, head: Any, level: Any, first: Any, following: Any, waits: Any) -> None:
    """Let a rule wait to be looked at when its head's level is worked through."""
    if not waits[rule]:
        waits[rule] = 1
        at = level[head[rule]]
        following[rule] = first[at]
        first[at] = rule


@njit(cache=True)
def tell(memory: Any, atom: Any) -> None:
    """Let the rules above the atom's level count that its truth has changed."""
    true, missing, head, level = part(memory, 0), part(memory, 2), part(memory, 3), part(memory, 4)
    first, following, waits = part(memory, 12), part(memory, 13), part(memory, 18)
    less = 1 if true[atom] else -1
    start, rules = part(memory, 5), part(memory, 6)
    for place in range(start[atom], start[atom + 1]):
        rule = rules[place]
        if level[head[rule]] > level[atom]:
            missing[rule] -= less
            _push(rule, head, level, first, following, waits)
    start, rules = part(memory, 7), part(memory, 8)
    for place in range(start[atom], start[atom + 1]):
        rule = rules[place]
        missing[rule] += less
        _push(rule, head, level, first, following, waits)


@njit(cache=True)
def _work_through(memory: Any, at: Any) -> None:
    """Bring one level up to date: delete, rederive, insert, and tell the levels above."""
    true, reason, missing, head, level = (
        part(memory, 0),
        part(memory, 1),
        part(memory, 2),
        part(memory, 3),
        part(memory, 4),
    )
    start, rules = part(memory, 5), part(memory, 6)
    own_start, own = part(memory, 9), part(memory, 10)
    first, following, hand = part(memory, 12), part(memory, 13), part(memory, 14)
    queue, touched, mark, waits = part(memory, 15), part(memory, 16), part(memory, 17), part(memory, 18)
    log = part(memory, 19)

    count = 0
    rule = first[at]
    first[at] = -1
    while rule >= 0:
        waits[rule] = 0
        hand[count] = rule
        count += 1
        rule = following[rule]

    # Deletion. `mark` is 1 for a touched atom that was true, 2 for one that was false.
    end = changed = 0
    for place in range(count):
        rule = hand[place]
        atom = head[rule]
        if missing[rule] and true[atom] and reason[atom] == rule:
            true[atom] = 0
            mark[atom] = 1
            queue[end] = touched[changed] = atom
            end += 1
            changed += 1
    done = 0
    while done < end:
        gone = queue[done]
        done += 1
        for place in range(start[gone], start[gone + 1]):
            rule = rules[place]
            atom = head[rule]
            if level[atom] == at:
                if missing[rule] == 0 and true[atom] and reason[atom] == rule:
                    true[atom] = 0
                    mark[atom] = 1
                    queue[end] = touched[changed] = atom
                    end += 1
                    changed += 1
                missing[rule] += 1

    # Insertion of what holds now, of deleted facts that hold for another reason, and of what follows.
    deleted = changed
    end = 0
    for place in range(count):
        rule = hand[place]
        atom = head[rule]
        if missing[rule] == 0 and not true[atom]:
            true[atom] = 1
            reason[atom] = rule
            if not mark[atom]:
                mark[atom] = 2
                touched[changed] = atom
                changed += 1
            queue[end] = atom
            end += 1
    for place in range(deleted):
        atom = touched[place]
        if true[atom]:
            continue
        for entry in range(own_start[atom], own_start[atom + 1]):
            if missing[own[entry]] == 0:
                true[atom] = 1
                reason[atom] = own[entry]
                queue[end] = atom
                end += 1
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
                    true[atom] = 1
                    reason[atom] = rule
                    if not mark[atom]:
                        mark[atom] = 2
                        touched[changed] = atom
                        changed += 1
                    queue[end] = atom
                    end += 1

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
    levels = memory[13] - memory[12] - 1
    part(memory, 19)[0] = 0
    for at in range(levels):
        if memory[memory[12] + at] >= 0:
            _work_through(memory, at)
    true, watch = part(memory, 0), part(memory, 11)
    found = 0
    for place in range(len(watch)):
        if true[watch[place]]:
            found |= 1 << place
    return found


@njit(cache=True)
def _begin(memory: Any) -> None:
    """Derive what holds while no input is true."""
    missing, head, level = part(memory, 2), part(memory, 3), part(memory, 4)
    first, following, waits = part(memory, 12), part(memory, 13), part(memory, 18)
    for rule in range(len(missing)):
        if missing[rule] == 0:
            _push(rule, head, level, first, following, waits)
    settle(memory)


@njit(cache=True)
def change(memory: Any, atom: Any, value: Any) -> Any:
    """Make an input true (1) or false (0), and all that follows; the watched atoms that are true then."""
    true = part(memory, 0)
    if true[atom] != value:
        true[atom] = value
        tell(memory, atom)
    return settle(memory)
