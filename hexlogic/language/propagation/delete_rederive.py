"""Delete and rederive: the least model of a stratified ground program, kept up to date while inputs change.

Level by level, for the rules whose bodies changed below:

    deletion      a fact goes when the rule that is its reason no longer holds, and with it what it is the reason of
    rederivation  a deleted fact comes back when some other rule for it holds
    insertion     a rule that holds makes its head true, and is its reason

Each reason was true before what it gave, so no fact can keep itself alive in a cycle. Source: delete and rederive
(Gupta, Mumick and Subrahmanian 1993), with one recorded reason for each fact instead of all of them.
"""

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from hexlogic.language.ground.program import Layout
from hexlogic.language.propagation.memory import offsets_in, pack, true_bits
from hexlogic.process.kernels import kernel

T = TypeVar("T")


class _Parts(NamedTuple, Generic[T]):
    """The memory of A atoms and R rules in L levels: state, rules by atom in compressed sparse rows, room for work."""

    true: T
    """[A + 2]; the last two are always false and always true."""
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
    """The atoms whose truth `flip` answers with."""
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


AT = _Parts(*range(19))


def delete_rederive_memory(layout: Layout, watch: Sequence[int]) -> NDArray[np.int32]:
    """The memory while no input is true. `flip` answers with the truth of `watch` (at most 31 atoms), a bit each."""
    atoms, rules = len(layout.atoms), len(layout.head)
    memory = pack(
        _Parts(
            true=[*[0] * (atoms + 1), 1],
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
        ),
        np.int32,
    )
    _begin(memory)
    return memory


_offsets = offsets_in(AT, np.int64)


@kernel(inline="always")
def _wait(memory: Any, at: Any, rule: Any) -> None:
    """Let a rule wait for the work on its head's level."""
    if not memory[at.waits + rule]:
        memory[at.waits + rule] = 1
        level = memory[at.level + memory[at.head + rule]]
        memory[at.following + rule] = memory[at.pending + level]
        memory[at.pending + level] = rule


@kernel()
def _tell(memory: Any, atom: Any) -> None:
    """Let the rules above the atom's level count that its truth has changed."""
    at = _offsets(memory)
    less = 1 if memory[at.true + atom] else -1
    level = memory[at.level + atom]
    for place in range(memory[at.positive_start + atom], memory[at.positive_start + atom + 1]):
        rule = memory[at.positive + place]
        if memory[at.level + memory[at.head + rule]] > level:
            memory[at.missing + rule] -= less
            _wait(memory, at, rule)
    for place in range(memory[at.negative_start + atom], memory[at.negative_start + atom + 1]):
        rule = memory[at.negative + place]
        memory[at.missing + rule] += less
        _wait(memory, at, rule)


@kernel(inline="always")
def _is_reason(memory: Any, at: Any, rule: Any, atom: Any) -> Any:
    return memory[at.true + atom] and memory[at.reason + atom] == rule


@kernel(inline="always")
def _delete(memory: Any, at: Any, changed: Any, atom: Any) -> Any:
    """Make an atom false; how many atoms are touched then."""
    memory[at.true + atom] = 0
    memory[at.mark + atom] = 1
    memory[at.touched + changed] = atom
    return changed + 1


@kernel(inline="always")
def _insert(memory: Any, at: Any, changed: Any, end: Any, rule: Any, atom: Any) -> Any:
    """Make an atom true by a rule, at the end of the queue; how many atoms are touched then."""
    memory[at.true + atom] = 1
    memory[at.reason + atom] = rule
    memory[at.queue + end] = atom
    if memory[at.mark + atom]:
        return changed
    memory[at.mark + atom] = 2
    memory[at.touched + changed] = atom
    return changed + 1


@kernel()
def _work_through(memory: Any, level: Any) -> None:
    """Bring one level up to date: delete, rederive, insert, and tell the levels above."""
    at = _offsets(memory)
    count = 0
    rule = memory[at.pending + level]
    memory[at.pending + level] = -1
    while rule >= 0:
        memory[at.waits + rule] = 0
        memory[at.at_hand + count] = rule
        count += 1
        rule = memory[at.following + rule]

    # Deletion of what has lost its reason, and of what that is the reason of.
    changed = 0
    for place in range(count):
        rule = memory[at.at_hand + place]
        atom = memory[at.head + rule]
        if memory[at.missing + rule] and _is_reason(memory, at, rule, atom):
            changed = _delete(memory, at, changed, atom)
    done = 0
    while done < changed:
        gone = memory[at.touched + done]
        done += 1
        for place in range(memory[at.positive_start + gone], memory[at.positive_start + gone + 1]):
            rule = memory[at.positive + place]
            atom = memory[at.head + rule]
            if memory[at.level + atom] == level:
                if memory[at.missing + rule] == 0 and _is_reason(memory, at, rule, atom):
                    changed = _delete(memory, at, changed, atom)
                memory[at.missing + rule] += 1

    # Insertion of what holds now, of deleted atoms that hold for another reason, and of what follows from both.
    deleted = changed
    end = 0
    for place in range(count):
        rule = memory[at.at_hand + place]
        atom = memory[at.head + rule]
        if memory[at.missing + rule] == 0 and not memory[at.true + atom]:
            changed = _insert(memory, at, changed, end, rule, atom)
            end += 1
    for place in range(deleted):
        atom = memory[at.touched + place]
        if memory[at.true + atom]:
            continue
        for entry in range(memory[at.rules_start + atom], memory[at.rules_start + atom + 1]):
            rule = memory[at.rules + entry]
            if memory[at.missing + rule] == 0:
                changed = _insert(memory, at, changed, end, rule, atom)
                end += 1
                break
    done = 0
    while done < end:
        new = memory[at.queue + done]
        done += 1
        for place in range(memory[at.positive_start + new], memory[at.positive_start + new + 1]):
            rule = memory[at.positive + place]
            atom = memory[at.head + rule]
            if memory[at.level + atom] == level:
                memory[at.missing + rule] -= 1
                if memory[at.missing + rule] == 0 and not memory[at.true + atom]:
                    changed = _insert(memory, at, changed, end, rule, atom)
                    end += 1

    for place in range(changed):
        atom = memory[at.touched + place]
        if (memory[at.mark + atom] == 1) != (memory[at.true + atom] == 1):
            _tell(memory, np.int64(atom))
        memory[at.mark + atom] = 0


@kernel()
def _settle(memory: Any) -> None:
    """Work through all levels where rules wait."""
    at = _offsets(memory)
    for level in range(at.following - at.pending - 1):
        if memory[at.pending + level] >= 0:
            _work_through(memory, level)


@kernel()
def _begin(memory: Any) -> None:
    """Derive what holds while no input is true."""
    at = _offsets(memory)
    for rule in range(at.head - at.missing):
        if memory[at.missing + rule] == 0:
            _wait(memory, at, rule)
    _settle(memory)


@kernel()
def flip(memory: Any, atom: Any) -> Any:
    """Change the truth of an input, and all that follows; the watched atoms that are true then."""
    memory[memory[AT.true] + atom] ^= 1
    _tell(memory, atom)
    _settle(memory)
    return true_bits(memory, AT.true, AT.watch)
