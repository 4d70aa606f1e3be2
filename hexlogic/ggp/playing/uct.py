"""UCT: a tree in flat arrays, searched by compiled code (a game in numba's memory) or from Python (any machine).

Roles move at once in GDL, so each role keeps the figures of its own moves and chooses by them (decoupled UCT); a role
that has one move, as `noop` in a game by turns, has no choice. Each playout goes down the tree, plays on at random from
where it leaves it, and reports the goals to every node on its way. Source: Kocsis and Szepesvari 2006; Finnsson and
Bjornsson 2008 for general games.

A node is a position that playouts went through. It is *expanded* when enough of them did: then it has an *edge* for
each option of each role, with how often it was tried and the sum of the goals it led to. The child after a joint move
is found by a hash of the node and the number of the joint move, which are compared exactly.
"""

from math import log, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.machines.game import goal, is_over, option, options, play, playout, restore
from hexlogic.ggp.propnet.filling_kernel import GAMES, worth
from hexlogic.ggp.propnet.random_games import NO_GOAL, NO_MOVE, OVERFLOW
from hexlogic.language.propagation.lanes import draw_below
from hexlogic.process.kernels import kernel

EXPLORATION: Final = 0.4
"""How much a move that was seldom tried is preferred, where goals are counted from 0 to 1. Against 0.7 it got 66 of 100
points in connect four, 55 and 50 in Hex 7x7 with 1,000 and 5,000 playouts, 52 in breakthrough, in 40 matches each."""
HASTE: Final = 0.999
"""What a goal is worth for each step that it takes to get there, so that a won game is ended and not put off."""
NO_GOAL_COUNTS: Final = 50
"""The goal that counts where a sheet gives a role none."""
EXPANDED_AT: Final = 8
"""Playouts that go through a node before it is expanded."""
DEEPEST: Final = 2_000
"""Steps in the tree; playouts go on from there."""
_WIDEST: Final = float(1 << 60)
"""Joint moves of a node that is expanded, so that their numbers are exact."""
NODES, EDGES, EXPANDED = range(3)


class Nodes(NamedTuple):
    """A tree of at most N nodes, R roles and E edges. Node 0 is the root; children have larger numbers."""

    parent: NDArray[np.int32]
    joint: NDArray[np.int64]
    """By node: the number of the joint move that leads to it, in the mixed radix of its parent's options."""
    link: NDArray[np.int32]
    """By node: the next one with the same hash, or -1."""
    first: NDArray[np.int32]
    """By node: its first edge, or -1."""
    visits: NDArray[np.int32]
    widths: NDArray[np.int32]
    """By node and role: how many edges."""
    moves: NDArray[np.int64]
    """By edge: the option."""
    counts: NDArray[np.int32]
    totals: NDArray[np.float64]
    """By edge: the sum of goals, each from 0 to 1."""
    means: NDArray[np.float32]
    spreads: NDArray[np.float32]
    """By edge: the mean goal, and one over the root of the count, infinite where it was not tried. They are kept, so
    that a choice need not work them out for every edge."""
    heads: NDArray[np.int32]
    """By hash: a node, or -1; as many as a power of two."""
    expanded: NDArray[np.int32]
    """The expanded nodes, in the order of their edges."""
    used: NDArray[np.int64]
    """How many nodes, edges and expanded nodes there are."""
    without_goal: NDArray[np.int64]
    """[1]: the games at whose ends a role had no goal, or several."""


def new_nodes(roles: int, nodes: int, edges: int) -> Nodes:
    """An empty tree with a root. Memory is taken from the system as the tree grows."""
    tree = Nodes(
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int64),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty((nodes, roles), np.int32),
        np.empty(edges, np.int64),
        np.empty(edges, np.int32),
        np.empty(edges, np.float64),
        np.empty(edges, np.float32),
        np.empty(edges, np.float32),
        np.empty(1 << (nodes - 1).bit_length(), np.int32),
        np.empty(nodes, np.int32),
        np.zeros(3, np.int64),
        np.zeros(1, np.int64),
    )
    keep(tree, -1)
    return tree


def new_way(roles: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Room for a joint move, and for the nodes and the edges of a playout's way."""
    return np.zeros(roles, np.int64), np.empty(DEEPEST + 1, np.int64), np.empty((DEEPEST, roles), np.int64)


@kernel(inline="always")
def _hash(tree: Any, node: Any, joint: Any) -> Any:
    mixed = np.uint64(node) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(joint) * np.uint64(0xC2B2AE3D27D4EB4F)
    return np.int64((mixed ^ mixed >> np.uint64(29)) & np.uint64(len(tree.heads) - 1))


@kernel(interpreted=False)
def child_of(tree: Any, node: Any, joint: Any) -> Any:
    """The node after a joint move; -1 when no playout went there."""
    child = np.int64(tree.heads[_hash(tree, node, joint)])
    while child >= 0 and (tree.parent[child] != node or tree.joint[child] != joint):
        child = np.int64(tree.link[child])
    return child


@kernel(interpreted=False)
def _enter(tree: Any, child: Any) -> None:
    """Put a node where `child_of` finds it."""
    place = _hash(tree, tree.parent[child], tree.joint[child])
    tree.link[child] = tree.heads[place]
    tree.heads[place] = child


@kernel(interpreted=False)
def add(tree: Any, node: Any, joint: Any) -> Any:
    """A new node below another; -1 when there is no room."""
    child = tree.used[NODES]
    if child == len(tree.parent):
        return np.int64(-1)
    tree.used[NODES] += 1
    tree.parent[child], tree.joint[child] = node, joint
    tree.first[child] = -1
    tree.visits[child] = 0
    _enter(tree, child)
    return child


@kernel(interpreted=False)
def expand(tree: Any, node: Any, latches: Any, narrow: Any, wide: Any, counts: Any, random: Any) -> Any:
    """Give a node its edges, those of a role in random order: the options of a game, or without one (`latches` is None)
    so many for each role as `counts` (int64[roles]) says. 1 when it has them, 0 when there is no room, NO_MOVE where a
    role has no option."""
    roles = tree.widths.shape[1]
    begin = tree.used[EDGES]
    at, joints = begin, 1.0
    for role in range(roles):
        width = counts[role] if latches is None else options(latches, narrow, wide, role)
        if width < 0:
            return NO_MOVE
        joints *= max(width, 1)
        if at + width > len(tree.moves) or joints > _WIDEST:
            return 0
        tree.widths[node, role] = width
        for place in range(width):
            other = at + draw_below(random, place + 1)
            tree.moves[at + place] = tree.moves[other]
            tree.moves[other] = place if latches is None else option(latches, narrow, wide, role, place)
        at += width
    for edge in range(begin, at):
        tree.counts[edge], tree.totals[edge], tree.means[edge], tree.spreads[edge] = 0, 0, 0, np.inf
    tree.first[node] = begin
    tree.expanded[tree.used[EXPANDED]] = node
    tree.used[EXPANDED] += 1
    tree.used[EDGES] = at
    return 1


@kernel(interpreted=False)
def _choose(tree: Any, begin: Any, end: Any, visits: Any, exploration: Any) -> Any:
    """The edge with the highest upper bound; the first one that was not tried yet, as long as there are some."""
    chosen = begin
    if end > begin + 1:
        widest = np.float32(exploration * sqrt(log(visits + 1)))
        best = np.float32(-1)
        for edge in range(begin, end):
            bound = tree.means[edge] + widest * tree.spreads[edge]
            if bound > best:
                best, chosen = bound, edge
    return chosen


@kernel(inline="always", interpreted=False)  # a call takes a sixth of the time in tic-tac-toe
def backup(tree: Any, nodes: Any, edges: Any, depth: Any, worth: Any, rewards: Any) -> None:
    """Report goals, each counted `worth` times, to the nodes and edges of a way."""
    for role in range(len(rewards)):
        reward = rewards[role] * worth
        for at in range(depth):
            edge = edges[at, role]
            if edge >= 0:
                tree.counts[edge] += 1
                tree.totals[edge] += reward
                tree.means[edge] = tree.totals[edge] / tree.counts[edge]
                tree.spreads[edge] = 1 / sqrt(tree.counts[edge])
    for at in range(depth + 1):
        if nodes[at] >= 0:
            tree.visits[nodes[at]] += 1


@kernel(interpreted=False)
def _finish(latches: Any, narrow: Any, wide: Any, leaf: Any, random: Any, longest: Any, rewards: Any, tree: Any) -> Any:
    """Play from a leaf of the tree to the end: one random game, or a batch of 64 where there is a `Leaf`; the mean
    goals are written to `rewards` (float64[roles]). How many steps, or what went wrong."""
    if leaf is not None and not is_over(latches, narrow, wide):
        totals = np.zeros(len(rewards), np.int64)
        steps = worth(latches, leaf, totals)
        if steps != NO_GOAL:
            for role in range(len(rewards)):
                rewards[role] = totals[role] / GAMES
            return steps
    steps = playout(latches, narrow, wide, random, longest)
    return steps if steps < 0 else _ended(latches, narrow, wide, steps, rewards, tree)


@kernel(interpreted=False)
def _ended(latches: Any, narrow: Any, wide: Any, steps: Any, rewards: Any, tree: Any) -> Any:
    """Write the goals at an end to `rewards`, `NO_GOAL_COUNTS` (and count the game) for no single goal; `steps`."""
    lacks_one = False
    for role in range(len(rewards)):
        reward = goal(latches, narrow, wide, role, len(rewards))
        if reward == NO_GOAL:
            lacks_one = True
            reward = NO_GOAL_COUNTS
        rewards[role] = reward
    tree.without_goal[0] += lacks_one
    return np.int64(steps)


@kernel(interpreted=False, nogil=True)
def search(
    tree: Any,
    start: Any,
    latches: Any,
    narrow: Any,
    wide: Any,
    leaf: Any,
    random: Any,
    games: Any,
    longest: Any,
    exploration: Any,
    ripe_at: Any,
    joint: Any,
    nodes: Any,
    edges: Any,
) -> Any:
    """Run `games` playouts from the game `start`, the position of the root; 0, or what went wrong in one. The arrays
    are those of a copy of it, to play on. `leaf` is None or evaluates leaves by a batch of 64 games; a node that
    `ripe_at` playouts went through is expanded. `joint`, `nodes` and `edges` (see `new_way`) get the way of a playout.

    Without a game (`latches` is None) only go down the tree, to a node without edges or to a joint move that leads to
    no node yet; the depth. The last entry of the way is the node, or -1 - j for the joint move of number j."""
    rewards = np.zeros(len(joint), np.float64)
    for _ in range(games):
        if latches is not None and restore(latches, narrow, wide, start) < 0:
            return OVERFLOW
        node, depth, steps, ended = np.int64(0), 0, np.int64(0), True
        while latches is None or not is_over(latches, narrow, wide):
            if tree.first[node] < 0 or (latches is None and depth == DEEPEST):
                grown = 0
                if latches is not None and depth < DEEPEST and (node == 0 or tree.visits[node] >= ripe_at):
                    grown = expand(tree, node, latches, narrow, wide, joint, random)
                if grown < 0:
                    return grown
                if grown == 0:
                    ended = False
                    break
            number, end = np.int64(0), np.int64(tree.first[node])
            for role in range(len(joint)):
                begin, width = end, tree.widths[node, role]
                end = begin + width
                edges[depth, role] = -1
                if width:
                    edge = _choose(tree, begin, end, tree.visits[node], exploration)
                    joint[role] = tree.moves[edge]
                    edges[depth, role] = edge
                    number = number * width + (edge - begin)
            nodes[depth] = node
            depth += 1
            if latches is not None and play(latches, narrow, wide, joint) < 0:
                return OVERFLOW
            child = child_of(tree, node, number)
            if child < 0:
                child = -1 - number if latches is None else add(tree, node, number)
            node = child
            if node < 0:
                ended = False
                break
        nodes[depth] = node
        if latches is None:
            return depth
        if ended:
            steps = _ended(latches, narrow, wide, steps, rewards, tree)
        else:
            steps = _finish(latches, narrow, wide, leaf, random, longest, rewards, tree)
        if steps < 0:
            return steps
        backup(tree, nodes, edges, depth, HASTE ** (depth + steps) / 100, rewards)
    return 0


@kernel(interpreted=False)
def keep(tree: Any, root: Any) -> Any:
    """Make a node the root and forget what is not below it, all for -1. The new number of each node, -1 for gone."""
    tree.heads[:] = -1
    nodes, done = tree.used[NODES], tree.used[EXPANDED]
    tree.used[:] = 0
    if root < 0:
        root, nodes, done = 0, 1, 0
        tree.visits[0], tree.first[0] = 0, -1
    number = np.full(nodes, -1, np.int32)  # the new number of each node that stays
    number[root] = 0
    size = 1
    for node in range(root + 1, nodes):
        if number[tree.parent[node]] >= 0:
            number[node] = size
            size += 1
    edges = kept = 0
    for place in range(done):
        node = tree.expanded[place]
        if number[node] >= 0:
            begin, width = tree.first[node], tree.widths[node].sum()
            for step in range(width):
                tree.moves[edges + step] = tree.moves[begin + step]
                tree.counts[edges + step] = tree.counts[begin + step]
                tree.totals[edges + step] = tree.totals[begin + step]
                tree.means[edges + step] = tree.means[begin + step]
                tree.spreads[edges + step] = tree.spreads[begin + step]
            tree.first[node] = edges
            edges += width
            tree.expanded[kept] = number[node]
            kept += 1
    for node in range(root, nodes):
        new = number[node]
        if new >= 0:
            tree.parent[new] = -1 if node == root else number[tree.parent[node]]
            tree.joint[new] = -1 if node == root else tree.joint[node]
            tree.first[new] = tree.first[node]
            tree.visits[new] = tree.visits[node]
            for role in range(tree.widths.shape[1]):
                tree.widths[new, role] = tree.widths[node, role]
            if new:
                _enter(tree, np.int64(new))
    tree.used[NODES], tree.used[EDGES], tree.used[EXPANDED] = size, edges, kept
    return number
