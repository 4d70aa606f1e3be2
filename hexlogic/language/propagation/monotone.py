"""Forward chaining for monotone ground programs, in which more inputs mean more facts: insertion only, with a trail.

What is evaluated when an atom becomes true depends on the rules that have the atom in their body:

    h :- a.          h becomes true
    h :- a, b.       h becomes true if b is; nothing is counted
    h :- a, b, c...  the rule misses one literal less; at none, h becomes true

No rule body is evaluated twice for the same change: that is semi-naive evaluation with the joins done ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.language.ground.layout import Layout, as_rows
from hexlogic.language.propagation.memory import pack, views_in

T = TypeVar("T")


class _Parts(NamedTuple, Generic[T]):
    """The memory of A atoms and R rules, all int32; lists by atom are compressed sparse rows."""

    length: T
    """[1]: how many atoms are on the trail."""
    true: T
    """[A]"""
    trail: T
    """[A]: the atoms that are true, in the order in which they became so."""
    missing: T
    """[R]: body atoms of the rule that are not true; counted for rules with three or more, and with none."""
    single_start: T
    """[A + 1]"""
    single_heads: T
    """The heads of rules with the atom alone in their body."""
    pair_start: T
    """[A + 1]"""
    pair_others: T
    """Of rules with the atom and one other in their body, the other."""
    pair_heads: T
    """The heads of these rules."""
    longer_start: T
    """[A + 1]"""
    longer: T
    """The longer rules with the atom in their body."""
    head: T
    """[R]"""
    watch: T
    """The atoms whose truth `watched` answers with."""


AT = _Parts(*range(13))
LENGTH = len(AT) + 1
"""Where the length of the trail is: at the beginning of the first part."""


def monotone_memory(layout: Layout, watch: Sequence[int]) -> NDArray[np.int32]:
    """The memory of a ground program in its first state: what holds without inputs is true. `watch` are the atoms (at
    most 31) whose truth `insert` and `retract` answer with, one bit each."""
    atoms = len(layout.atoms)
    single: list[list[int]] = [[] for _ in range(atoms)]
    pair: list[list[tuple[int, int]]] = [[] for _ in range(atoms)]
    longer: list[list[int]] = [[] for _ in range(atoms)]
    for number, (head, body) in enumerate(layout.bodies()):
        if len(body) == 1:
            single[body[0]].append(head)
        elif len(body) == 2:
            for atom, other in (body, body[::-1]):
                pair[atom].append((other, head))
        else:
            for atom in body:
                longer[atom].append(number)
    single_start, single_heads = as_rows(single)
    pair_start, pair_others = as_rows([[other for other, _ in entries] for entries in pair])
    _, pair_heads = as_rows([[head for _, head in entries] for entries in pair])
    longer_start, longer_rules = as_rows(longer)
    memory = pack(
        _Parts(
            length=[0],
            true=np.zeros(atoms),
            trail=np.zeros(atoms),
            missing=layout.missing,
            single_start=single_start,
            single_heads=single_heads,
            pair_start=pair_start,
            pair_others=pair_others,
            pair_heads=pair_heads,
            longer_start=longer_start,
            longer=longer_rules,
            head=layout.head,
            watch=watch,
        ),
        np.int32,
    )
    for rule in np.flatnonzero(layout.missing == 0):
        insert(memory, layout.head[rule])
    return memory


parts = views_in(AT)


@njit(cache=True, inline="always")
def propagate(views: Any, atom: Any, length: Any) -> Any:
    """Make an atom true, and all that follows; `views` are the parts of a memory. The new length of the trail."""
    # The insertion is written out three times: as a function it makes games inside a loop seven times slower.
    true, trail = views.true, views.trail
    if true[atom]:
        return length
    true[atom] = 1
    trail[length] = atom
    end = length + 1
    while length < end:
        done = trail[length]
        length += 1
        for place in range(views.single_start[done], views.single_start[done + 1]):
            new = views.single_heads[place]
            if not true[new]:
                true[new] = 1
                trail[end] = new
                end += 1
        for place in range(views.pair_start[done], views.pair_start[done + 1]):
            if true[views.pair_others[place]]:
                new = views.pair_heads[place]
                if not true[new]:
                    true[new] = 1
                    trail[end] = new
                    end += 1
        for place in range(views.longer_start[done], views.longer_start[done + 1]):
            rule = views.longer[place]
            views.missing[rule] -= 1
            if views.missing[rule] == 0:
                new = views.head[rule]
                if not true[new]:
                    true[new] = 1
                    trail[end] = new
                    end += 1
    return end


@njit(cache=True)
def watched(memory: Any) -> Any:
    """The watched atoms that are true, one bit each."""
    true, watch = memory[AT.true], memory[AT.watch]
    bits = 0
    for place in range(watch, memory[AT.watch + 1]):
        if memory[true + memory[place]]:
            bits |= 1 << (place - watch)
    return bits


@njit(cache=True)
def insert(memory: Any, atom: Any) -> Any:
    """Make an input true, and all that follows; the watched atoms that are true then."""
    memory[LENGTH] = propagate(parts(memory), atom, memory[LENGTH])
    return watched(memory)


@njit(cache=True)
def retract(memory: Any, length: Any) -> Any:
    """Take back what the trail holds beyond `length`; the watched atoms that are true then."""
    views = parts(memory)
    for place in range(memory[LENGTH] - 1, length - 1, -1):
        atom = views.trail[place]
        views.true[atom] = 0
        for entry in range(views.longer_start[atom], views.longer_start[atom + 1]):
            views.missing[views.longer[entry]] += 1
    memory[LENGTH] = length
    return watched(memory)


@njit(cache=True, inline="always")
def clear(views: Any, length: Any, to: Any) -> Any:
    """Take back everything beyond `to` at once, as `retract` does, when no rule is long; the new length."""
    for place in range(to, length):
        views.true[views.trail[place]] = 0
    return to
