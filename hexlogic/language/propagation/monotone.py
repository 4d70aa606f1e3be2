"""Forward chaining for monotone ground programs, in which more inputs mean more facts: insertion only, with a trail.

What is evaluated when an atom becomes true depends on the rules that have the atom in their body:

    h :- a.          h becomes true
    h :- a, b.       h becomes true if b is; nothing is counted
    h :- a, b, c...  the rule misses one literal less; at none, h becomes true

No rule body is evaluated twice for the same change: that is semi-naive evaluation with the joins done ahead.
"""

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from hexlogic.language.ground.program import Layout, as_rows
from hexlogic.language.propagation.memory import pack, true_bits, views_in
from hexlogic.process.kernels import kernel

T = TypeVar("T")


class _Parts(NamedTuple, Generic[T]):
    """The memory of A atoms and R rules, all int32; lists by atom are compressed sparse rows."""

    true: T
    """[A + 2]; the last two are always false and always true."""
    length: T
    """[1]: how many atoms are on the trail."""
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
    """The atoms whose truth `insert` and `retract` answer with."""


AT = _Parts(*range(13))


def monotone_memory(layout: Layout, watch: Sequence[int]) -> NDArray[np.int32]:
    """The memory while no input is true. `insert` and `retract` answer with `watch` (at most 31), a bit each."""
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
            true=[*[0] * (atoms + 1), 1],
            length=[0],
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


@kernel(inline="always")
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


@kernel()
def insert(memory: Any, atom: Any) -> Any:
    """Make an input true, and all that follows; the watched atoms that are true then."""
    length = memory[AT.length]
    memory[length] = propagate(parts(memory), atom, memory[length])
    return true_bits(memory, AT.true, AT.watch)


@kernel()
def retract(memory: Any, atom: Any) -> Any:
    """Take back an input, and all that the trail holds behind it; the watched atoms that are true then."""
    views = parts(memory)
    last = -1
    while last != atom:
        views.length[0] -= 1
        last = views.trail[views.length[0]]
        views.true[last] = 0
        for entry in range(views.longer_start[last], views.longer_start[last + 1]):
            views.missing[views.longer[entry]] += 1
    return true_bits(memory, AT.true, AT.watch)
