"""The position graph of Pszona 2006: groups and empty cells as nodes, virtual connections as edges, Dijkstra on it.

An edge is as long as the stones that it still needs, and a little longer with its depth; an empty node on the way needs
a stone too. Two evaluations: the distance between the edges, and by node the sum of its distances from both edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse.csgraph import dijkstra

from hexlogic.games.players import Player
from hexlogic.players.connections import Connections
from hexlogic.players.connections.store import DEAD, OTHER, OWN, SEMI

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FAR", "PositionGraph", "position_graph"]

FAR: Final = 99.0
"""The distance where there is no way."""
_DEPTH: Final = 0.12
"""What a move of depth adds to the length of a connection."""
_NOTHING: Final = 1e-9
"""A length of 0 would be no edge."""


@dataclass(frozen=True, slots=True)
class PositionGraph:
    """What Dijkstra finds for one player: the distance between the edges, and by cell number (entry 0 unused) the sum
    of the distances from both; FAR for cells of the opponent and those without a way."""

    distance: float
    sums: NDArray[np.float64]


def position_graph(connections: Connections, player: Player) -> PositionGraph:
    """The graph of a player's connections in the position as it is."""
    store = connections.store(player)
    rows = int(store.counts[0])
    alive = np.flatnonzero(store.state[:rows] != DEAD)
    nodes = len(connections.board.cells) + 2
    owner = store.owner[:nodes]
    ends = store.ends[alive]
    length = np.where(store.kind[alive] == SEMI, 1.0 - _DEPTH, 0.0) + _DEPTH * store.depth[alive] + _NOTHING
    link = np.full((nodes, nodes), np.inf)
    np.minimum.at(link, (ends[:, 0], ends[:, 1]), length)
    link = np.minimum(link, link.T)
    enter = np.ones(nodes)
    enter[0] = enter[-1] = 0.0
    enter[owner == OWN] = 0.0
    enter[owner == OTHER] = np.inf
    # Edges of the board are no stones to go through: only into them.
    weights = link + enter[None, :]
    weights[~np.isfinite(weights)] = 0.0
    low, high = weights.copy(), weights.copy()
    low[-1, :] = 0.0
    high[0, :] = 0.0
    from_low = dijkstra(low, indices=0)
    from_high = dijkstra(high, indices=nodes - 1)
    sums = from_low + from_high - np.where(np.isfinite(enter), enter, 0.0)
    sums[~np.isfinite(sums)] = FAR
    group = store.group[:nodes]
    for cell in range(1, nodes - 1):
        if owner[cell] == OWN:
            sums[cell] = sums[group[cell]]
        elif owner[cell] == OTHER:
            sums[cell] = FAR
    distance = float(from_low[nodes - 1])
    return PositionGraph(distance if np.isfinite(distance) else FAR, sums[: nodes - 1])
