"""The position graph of Pszona 2006: groups and empty cells as nodes, virtual connections as edges, Dijkstra on it.

An edge is as long as the stones that it still needs, and a little longer with its depth; an empty node on the way needs
a stone too. Two evaluations: the distance between the edges, and by node the sum of its distances from both edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.games.game import Player
from hexlogic.players.connections import Connections
from hexlogic.players.connections.store import DEAD, OTHER, OWN, ROWS, SEMI

FAR: Final = 99.0
"""The distance where there is no way."""
_DEPTH: Final = 0.12
"""The length that each move of depth adds to a connection."""
_NOTHING: Final = 1e-9
"""A length of 0 would be no edge."""


@dataclass(frozen=True, slots=True)
class PositionGraph:
    """The shortest distances of one player: the distance between the edges, and by cell number (entry 0 unused) the sum
    of the distances from both; FAR for cells of the opponent and those without a way."""

    distance: float
    sums: NDArray[np.float64]


def position_graph(connections: Connections, player: Player) -> PositionGraph:
    """The graph of a player's connections in the position as it is."""
    store = connections.store(player)
    rows = int(store.counts[ROWS])
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
    low, high = weights.copy(), weights.copy()
    low[-1, :] = np.inf
    high[0, :] = np.inf
    from_low = _distances(low, 0)
    from_high = _distances(high, nodes - 1)
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


@njit(cache=True)
def _distances(weights: NDArray[np.float64], source: int) -> NDArray[np.float64]:
    """Dijkstra on a matrix: entry [i, j] is the length from i to j, inf for no edge. Distances, inf for no way."""
    nodes = len(weights)
    distances = np.full(nodes, np.inf)
    distances[source] = 0.0
    settled = np.zeros(nodes, dtype=np.bool_)
    for _ in range(nodes):
        nearest = -1
        for node in range(nodes):
            if not settled[node] and (nearest < 0 or distances[node] < distances[nearest]):
                nearest = node
        if distances[nearest] == np.inf:
            break
        settled[nearest] = True
        for node in range(nodes):
            distances[node] = min(distances[node], distances[nearest] + weights[nearest, node])
    return distances
