"""The deduction carried out to its end, in memory that grows as needed."""

from __future__ import annotations

from collections.abc import Iterable

from hexlogic.players.connections import kernel
from hexlogic.players.connections.store import STOP, Store, grow_store


def cells_of(words: Iterable[int]) -> list[int]:
    """The cells of a carrier in words of 64 bits, ascending."""
    number = sum(int(word) << (64 * place) for place, word in enumerate(words))
    return [cell for cell in range(number.bit_length()) if number >> cell & 1]


def roomy(store: Store, rows: int) -> Store:
    """The same memory with room for at least so many rows."""
    while store.size.shape[0] < rows:
        store = grow_store(store)
    return store


def finish(store: Store) -> Store:
    """Work the queue off, with as much memory as it takes."""
    kernel.run(store)
    while store.counts[STOP]:
        store = grow_store(store)
        store.counts[STOP] = 0
        kernel.run(store)
    return store
