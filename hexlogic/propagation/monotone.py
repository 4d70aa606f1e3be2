"""The kernel for programs in which more inputs mean more facts: insertion only, and a trail to take it back.

What an atom that becomes true looks at depends on the rules that have it in their body:

    h :- a.          h becomes true
    h :- a, b.       h becomes true if b is; nothing is counted
    h :- a, b, c...  the rule misses one literal less; at none, h becomes true

No rule body is evaluated twice for the same change: that is semi-naive evaluation with the joins done ahead. Everything
lies in one array of int32 that begins with the offsets of its parts, so that a call from Python passes one object.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from hexlogic.ground.layout import Layout, as_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

__all__ = ["LENGTH", "clear", "grow", "growing_memory", "insert", "parts", "retract", "rule_arrays", "watched"]

_PARTS = 13
LENGTH = _PARTS + 1
"""Where the length of the trail is kept."""
_FIRST = LENGTH + 1


def growing_memory(layout: Layout, watch: Sequence[int]) -> Ints:
    """The memory of a machine in its first state: what holds without inputs is true. `watch` are the atoms (at most 31)
    whose truth `insert` and `retract` answer with, one bit each.

    The parts: those of `rule_arrays`, then watch.
    """
    arrays = [*rule_arrays(len(layout.atoms), layout.bodies()), np.array(watch, dtype=np.int32)]
    assert len(arrays) == _PARTS
    ends = _FIRST + np.cumsum([0, *map(len, arrays)])
    memory = np.concatenate([ends, [0], *arrays]).astype(np.int32)
    for rule in np.flatnonzero(layout.missing == 0):
        insert(memory, layout.head[rule])
    return memory


def rule_arrays(atoms: int, bodies: Iterable[tuple[int, tuple[int, ...]]]) -> list[Ints]:
    """Rules over that many atoms, each its head and the atoms of its body, as `grow` reads them, nothing being true.

    true[A], trail[A], missing[R], missing at first[R], single heads by atom (start[A + 1], heads), pairs by
    atom (start[A + 1], others, heads), longer rules by atom (start[A + 1], rules), head[R].
    """
    single: list[list[int]] = [[] for _ in range(atoms)]
    pair: list[list[tuple[int, int]]] = [[] for _ in range(atoms)]
    longer: list[list[int]] = [[] for _ in range(atoms)]
    heads, missing = [], []
    for number, (head, body) in enumerate(bodies):
        heads.append(head)
        missing.append(len(body))
        if len(body) == 1:
            single[body[0]].append(head)
        elif len(body) == 2:
            one, other = body
            pair[one].append((other, head))
            pair[other].append((one, head))
        else:
            for part in body:
                longer[part].append(number)
    single_start, single_heads = as_rows(single)
    pair_start, others = as_rows([[other for other, _ in entries] for entries in pair])
    _, pair_heads = as_rows([[head for _, head in entries] for entries in pair])
    longer_start, rules = as_rows(longer)
    return [
        np.zeros(atoms, dtype=np.int32),
        np.zeros(atoms, dtype=np.int32),
        np.array(missing, dtype=np.int32),
        np.array(missing, dtype=np.int32),
        single_start,
        single_heads,
        pair_start,
        others,
        pair_heads,
        longer_start,
        rules,
        np.array(heads, dtype=np.int32),
    ]


@njit(cache=True, inline="always")
def parts(memory: Any) -> Any:
    """The parts of a memory, as views, in the order of `growing_memory`."""
    return (
        memory[memory[0] : memory[1]],
        memory[memory[1] : memory[2]],
        memory[memory[2] : memory[3]],
        memory[memory[3] : memory[4]],
        memory[memory[4] : memory[5]],
        memory[memory[5] : memory[6]],
        memory[memory[6] : memory[7]],
        memory[memory[7] : memory[8]],
        memory[memory[8] : memory[9]],
        memory[memory[9] : memory[10]],
        memory[memory[10] : memory[11]],
        memory[memory[11] : memory[12]],
        memory[memory[12] : memory[13]],
    )


@njit(cache=True, inline="always")
def grow(views: Any, atom: Any, length: Any) -> Any:
    """Make an atom true, and all that follows; `views` are the parts of a memory. The new length of the trail."""
    true, trail, missing, _, single_start, single, pair_start, others, pair_heads, longer_start, rules, head, _ = views
    if true[atom]:
        return length
    true[atom] = 1
    trail[length] = atom
    end = length + 1
    while length < end:
        done = trail[length]
        length += 1
        for place in range(single_start[done], single_start[done + 1]):
            new = single[place]
            if not true[new]:
                true[new] = 1
                trail[end] = new
                end += 1
        for place in range(pair_start[done], pair_start[done + 1]):
            if true[others[place]]:
                new = pair_heads[place]
                if not true[new]:
                    true[new] = 1
                    trail[end] = new
                    end += 1
        for place in range(longer_start[done], longer_start[done + 1]):
            rule = rules[place]
            missing[rule] -= 1
            if missing[rule] == 0:
                new = head[rule]
                if not true[new]:
                    true[new] = 1
                    trail[end] = new
                    end += 1
    return end


@njit(cache=True)
def watched(memory: Any) -> Any:
    """The watched atoms that are true, one bit each."""
    found = 0
    for place in range(memory[12], memory[13]):
        if memory[memory[0] + memory[place]]:
            found |= 1 << (place - memory[12])
    return found


@njit(cache=True)
def insert(memory: Any, atom: Any) -> Any:
    """Make an input true, and all that follows; the watched atoms that are true then."""
    memory[LENGTH] = grow(parts(memory), atom, memory[LENGTH])
    return watched(memory)


@njit(cache=True)
def retract(memory: Any, length: Any) -> Any:
    """Take back what the trail holds beyond `length`; the watched atoms that are true then."""
    true, trail, missing, _, _, _, _, _, _, longer_start, rules, _, _ = parts(memory)
    for place in range(memory[LENGTH] - 1, length - 1, -1):
        atom = trail[place]
        true[atom] = 0
        for entry in range(longer_start[atom], longer_start[atom + 1]):
            missing[rules[entry]] += 1
    memory[LENGTH] = length
    return watched(memory)


@njit(cache=True, inline="always")
def clear(views: Any, length: Any, to: Any) -> Any:
    """Take back everything beyond `to` at once, as `retract` does, when no rule is long; the new length."""
    true, trail = views[0], views[1]
    for place in range(to, length):
        true[trail[place]] = 0
    return to
