"""The evaluation of a leaf of a search tree by 64 random games at once, where the order of moves does not matter.

A `Leaf` holds what is the same for all positions after the root; the position is that of a game on latches.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.ggp.propnet.filling_game import FillingEncoding, FillingGame
from hexlogic.ggp.propnet.filling_kernel import fill_playouts
from hexlogic.ggp.propnet.latch_game import LatchEncoding
from hexlogic.ggp.propnet.latch_memory import AT
from hexlogic.language.propagation.lane_masks import seeded_words
from hexlogic.language.propagation.lanes import WIDTH
from hexlogic.language.propagation.memory import offsets_in

GAMES: Final = 64
"""Random games from each leaf."""

_offsets = offsets_in(AT, np.uint64)


class Leaf(NamedTuple):
    """Of a game with F facts that moves change, P phases and C cells."""

    filling: FillingGame
    """The state from which the search begins; its rows are worked on."""
    rows: NDArray[np.int32]
    """[F]: the row of each fact."""
    initial: NDArray[np.bool_]
    """[F]: whether it is true while its latch is not set."""
    latches: NDArray[np.int64]
    """[F]"""
    cells: NDArray[np.int32]
    """Pairs of a fact and a cell, that is filled where the fact has the value of `filled`."""
    places: NDArray[np.int32]
    filled: NDArray[np.bool_]
    kinds: NDArray[np.int32]
    """[P, C]: by phase and step from it: the kind of the stone."""
    random: NDArray[np.uint64]
    free: NDArray[np.int32]
    """[C]: room for the cells that are not filled."""


def leaf_of(encoding: LatchEncoding, filling: FillingEncoding, true: frozenset[int], seed: int) -> Leaf | None:
    """What a search from a state needs; None where the order of moves may matter in it."""
    game = filling.game(true)
    if game is None:
        return None
    facts = [fact for fact in encoding.inputs if encoding.latches[fact]]
    place = {fact: number for number, fact in enumerate(facts)}
    keys = [(place[fact], cell, value) for fact, cell, value in filling.signs()]
    return Leaf(
        game,
        np.array([filling.row_of_fact(fact) for fact in facts], dtype=np.int32),
        np.array([fact in encoding.initial for fact in facts], dtype=np.bool_),
        np.array([encoding.latches[fact] for fact in facts], dtype=np.int64),
        np.array([fact for fact, _, _ in keys], dtype=np.int32),
        np.array([cell for _, cell, _ in keys], dtype=np.int32),
        np.array([value for _, _, value in keys], dtype=np.bool_),
        np.pad(filling.kinds_by_phase(), ((encoding.recurring, 0), (0, 0))),
        seeded_words(seed),
        np.zeros(game.stones.shape[1], dtype=np.int32),
    )


@njit(cache=True)
def worth(memory: Any, leaf: Any, totals: Any) -> Any:
    """Add up the goals (int64[roles]) of `GAMES` random games from a position on latches. How many cells were
    free, or what went wrong in a game, as `fill_playouts` tells."""
    at, values, filling = _offsets(memory), leaf.filling.values, leaf.filling
    for fact in range(len(leaf.rows)):
        true = leaf.initial[fact] != (memory[at.flags + np.uint64(leaf.latches[fact])] != 0)
        values[leaf.rows[fact]] = np.uint64(0xFFFFFFFFFFFFFFFF) if true else np.uint64(0)
    filled = np.zeros(len(leaf.free), np.bool_)
    for pair in range(len(leaf.cells)):
        fact = leaf.cells[pair]
        true = leaf.initial[fact] != (memory[at.flags + np.uint64(leaf.latches[fact])] != 0)
        if true == leaf.filled[pair]:
            filled[leaf.places[pair]] = True
    count = 0
    for cell in range(len(filled)):
        if filled[cell]:
            for kind in range(2):
                for word in range(WIDTH):
                    values[filling.stones[kind, cell], word] = 0
        else:
            leaf.free[count] = cell
            count += 1
    free, kinds = leaf.free[:count], leaf.kinds[memory[at.phase]]
    done = fill_playouts(filling, free, kinds, GAMES, False, leaf.random, totals)
    return done if done < 0 else np.int64(count)
