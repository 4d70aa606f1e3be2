"""Many positions at once: an atom is a row of words, a position is one bit in each of them.

The rules of a head are put together, and literals that they share are lifted out:

    reach(2) :- reach(1), owns(2).   reach(2) :- reach(3), owns(2).      reach(2) |= owns(2) & (reach(1) | reach(3))

Levels are worked through in order, a recursive one forwards and backwards until nothing changes in any position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from hexlogic.ground.layout import Layout
from hexlogic.ground.program import GroundProgram

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

__all__ = ["WIDTH", "evaluate", "slice_code", "truth_table", "truths"]

WIDTH = 64
"""Words of 64 bits that are worked on together at most: 4096 positions, for which each rule is read once."""

_Literal = int
"""Twice the number of an atom, and one more for its negation."""


def slice_code(ground: GroundProgram, layout: Layout) -> tuple[Ints, Ints]:
    """The groups of rules as one array of numbers, and where each level's groups are in it.

    A group: head, number of lifted literals, these, number of bodies, and for each body its length and literals. The
    second array has a row for each level: begin and end in a list of groups, and whether the level is recursive; below
    the rows of the levels comes that list, the place of each group in the first array.
    """
    bodies: dict[int, list[frozenset[_Literal]]] = {}
    for rule in ground.rules:
        literals = frozenset((*(2 * part for part in rule.positive), *(2 * part + 1 for part in rule.negative)))
        bodies.setdefault(rule.head, []).append(literals)
    code: list[int] = []
    rows: list[list[int]] = []
    groups: list[int] = []
    for level in range(layout.levels):
        begin = len(groups)
        heads = [head for head in sorted(bodies) if layout.level[head] == level]
        recursive = any(layout.level[part // 2] == level for head in heads for body in bodies[head] for part in body)
        for head in heads:
            for shared, rest in _lift(bodies[head]):
                groups.append(len(code))
                code += [head, len(shared), *sorted(shared), len(rest)]
                for body in rest:
                    code += [len(body), *sorted(body)]
        rows.append([begin, len(groups), int(recursive)])
    table = np.array([*(number for row in rows for number in row), *groups], dtype=np.int32)
    return np.array(code, dtype=np.int32), table


def _lift(bodies: Sequence[frozenset[_Literal]]) -> list[tuple[frozenset[_Literal], list[frozenset[_Literal]]]]:
    """The bodies of one head in groups that share a literal, without it; bodies that share none together at the end."""
    found = []
    waiting = list(bodies)
    while len(waiting) > 1:
        counts = Counter(literal for body in waiting for literal in body)
        literal, count = min(counts.items(), key=lambda item: (-item[1], item[0])) if counts else (0, 0)
        if count < 2:
            break
        family = [body for body in waiting if literal in body]
        shared = frozenset.intersection(*family)
        found.append((shared, [body - shared for body in family]))
        waiting = [body for body in waiting if literal not in body]
    if waiting:
        found.append((frozenset[int](), waiting))
    return found


@njit(cache=True)
def _pass(code: Any, table: Any, offset: Any, begin: Any, end: Any, step: Any, values: Any) -> Any:
    """Apply the groups from `begin` up to `end`, in steps of 1 or -1; whether anything changed anywhere."""
    width = values.shape[1]
    some = np.empty(width, dtype=np.uint64)
    all_ = np.empty(width, dtype=np.uint64)
    full = np.uint64(0xFFFFFFFFFFFFFFFF)
    changed = np.uint64(0)
    group = begin
    while group != end:
        at = table[offset + group]
        group += step
        head = code[at]
        shared = code[at + 1]
        at += 2
        guards = at
        at += shared
        count = code[at]
        at += 1
        for word in range(width):
            some[word] = 0
        for _ in range(count):
            length = code[at]
            at += 1
            if length == 1 and not code[at] & 1:
                row = values[code[at] >> 1]
                for word in range(width):
                    some[word] |= row[word]
            else:
                for word in range(width):
                    all_[word] = full
                for place in range(at, at + length):
                    row = values[code[place] >> 1]
                    if code[place] & 1:
                        for word in range(width):
                            all_[word] &= ~row[word]
                    else:
                        for word in range(width):
                            all_[word] &= row[word]
                for word in range(width):
                    some[word] |= all_[word]
            at += length
        for place in range(guards, guards + shared):
            row = values[code[place] >> 1]
            if code[place] & 1:
                for word in range(width):
                    some[word] &= ~row[word]
            else:
                for word in range(width):
                    some[word] &= row[word]
        row = values[head]
        for word in range(width):
            changed |= some[word] & ~row[word]
            row[word] |= some[word]
    return changed != 0


@njit(cache=True)
def evaluate(code: Any, table: Any, levels: Any, values: Any) -> None:
    """Derive everything: `values[A, words]` uint64 with the rows of the inputs given and all others zero."""
    offset = 3 * levels
    for level in range(levels):
        begin, end = table[3 * level], table[3 * level + 1]
        if begin == end:
            continue
        if not table[3 * level + 2]:
            _pass(code, table, offset, begin, end, 1, values)
            continue
        while _pass(code, table, offset, begin, end, 1, values):
            if not _pass(code, table, offset, end - 1, begin - 1, -1, values):
                break


@njit(cache=True)
def _load(boards: Any, begin: Any, here: Any, kinds: Any, cells: Any, octets: Any) -> None:
    """Write the inputs of `here` positions from row `begin` into a block: position 8 * i + j is bit j of octet i, on
    little-endian machines."""
    gathered = np.empty(cells, dtype=np.uint8)
    for octet in range((here + 7) // 8):
        first = begin + 8 * octet
        for kind in range(1, kinds + 1):
            gathered[:] = 0
            for bit in range(min(8, begin + here - first)):
                row = boards[first + bit]
                for cell in range(cells):
                    gathered[cell] |= np.uint8(row[cell] == kind) << np.uint8(bit)
            for cell in range(cells):
                octets[(kind - 1) * cells + cell, octet] = gathered[cell]


@njit(cache=True)
def truths(
    code: Any, table: Any, levels: Any, atoms: Any, kinds: Any, cells: Any, watch: Any, boards: Any, out: Any
) -> None:
    """Of each position, given as a row of `boards` (uint8, one entry for each of `cells`), the truth of the watched
    atoms: `out[positions]` gets one bit for each.

    An entry of k from 1 to `kinds` makes the input `(k - 1) * cells + cell` true, 0 none.
    """
    positions = boards.shape[0]
    width = max(1, min(WIDTH, (positions + 63) // 64))
    values = np.zeros((atoms, width), dtype=np.uint64)
    octets = values.view(np.uint8)
    for begin in range(0, positions, 64 * width):
        values[:] = 0
        here = min(64 * width, positions - begin)
        _load(boards, begin, here, kinds, cells, octets)
        evaluate(code, table, levels, values)
        for place in range(len(watch)):
            row = octets[watch[place]]
            for position in range(here):
                bit = (row[position >> 3] >> np.uint8(position & 7)) & np.uint8(1)
                out[begin + position] |= bit << np.uint8(place)


@njit(cache=True)
def truth_table(
    code: Any, table: Any, levels: Any, atoms: Any, kinds: Any, cells: Any, watch: Any, boards: Any, out: Any
) -> None:
    """As `truths`, for any number of watched atoms: `out[positions, atoms watched]` (uint8) gets a 1 for each truth."""
    positions = boards.shape[0]
    width = max(1, min(WIDTH, (positions + 63) // 64))
    values = np.zeros((atoms, width), dtype=np.uint64)
    octets = values.view(np.uint8)
    for begin in range(0, positions, 64 * width):
        values[:] = 0
        here = min(64 * width, positions - begin)
        _load(boards, begin, here, kinds, cells, octets)
        evaluate(code, table, levels, values)
        # Eight positions at a time, so that a row of octets is read once and the rows of `out` stay in the cache.
        for octet in range((here + 7) // 8):
            for bit in range(min(8, here - 8 * octet)):
                row = out[begin + 8 * octet + bit]
                for place in range(len(watch)):
                    row[place] = (octets[watch[place], octet] >> np.uint8(bit)) & np.uint8(1)
