"""Minimal winning sets: chains from side to side without a chord.

A set of cells is a minimal winning set of a player exactly when it is a chordless path with one cell on the
player's first side and one on the last: a win holds a shortest path, which is one, and no cell of such a path can
be spared. On n x n boards red has 11, 54, 365, 3848, 68914, 2195830, 126004636 of them for n = 3..9.

Bounds on them: how many cells they have, and how many sweeps over the board, forth and back, follow one. For red,
forward is into the next column or down inside one, back is the reverse; for blue, exchange columns and rows. Every step
of a chain is one or the other, and a flood that goes through the cells in this order follows a whole run of forward
steps in one sweep, and a whole run of back steps in the next, which takes the cells in the reverse order.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from hexlogic.errors import SizeError
from hexlogic.games.game import RED, Player, check_player
from hexlogic.games.kinds.hex import Hex

KNOWN_COUNTS: Final[dict[int, int]] = dict(
    enumerate((1, 3, 11, 54, 365, 3848, 68_914, 2_195_830, 126_004_636), start=1)
)
"""Minimal winning sets on the n x n board, the same number for both players. The tests recount up to n = 7."""

KNOWN_LENGTHS: Final[dict[int, int]] = {1: 1, 2: 2, 3: 5, 4: 8, 5: 11, 6: 16, 7: 23, 8: 30, 9: 37}
"""Cells of the largest minimal winning set on the n x n board, by the same enumeration; recounted up to n = 7."""


def chordless_chains(game: Hex, player: Player) -> Iterator[tuple[int, ...]]:
    """Every minimal winning set as a chain from the player's first side to the last, lazily, in the order of
    depth-first search: lower cell numbers first.

    >>> list(chordless_chains(Hex(2, 2), "red"))
    [(1, 2), (3, 2), (3, 4)]
    """
    first_side, last_side = (_mask(side) for side in game.sides(check_player(player)))
    reaches_last = _flood(game, last_side)
    touching = [0, *(_mask(game.neighbours(cell)) for cell in game.cells)]
    for start in sorted(game.sides(player)[0]):
        if last_side >> start & 1:
            yield (start,)  # the sides coincide: one stone wins
            continue
        # Open cells may still join the chain: not on the first side, touching no cell of it but the tip.
        open_cells = _mask(game.cells) & ~first_side
        chain = [start]
        stack = [(touching[start] & open_cells, open_cells & ~touching[start])]
        while stack:
            choices, open_cells = stack[-1]
            if not choices:
                stack.pop()
                chain.pop()
                continue
            lowest = choices & -choices
            stack[-1] = (choices ^ lowest, open_cells)
            cell = lowest.bit_length() - 1
            if lowest & last_side:
                yield (*chain, cell)
            elif (following := touching[cell] & open_cells) and reaches_last(following, open_cells):
                chain.append(cell)
                stack.append((following, open_cells & ~touching[cell]))


def _mask(cells: Iterable[int]) -> int:
    """The set of cells as an integer with one bit per cell number."""
    return sum(1 << cell for cell in cells)


def _flood(game: Hex, goal: int) -> Callable[[int, int], bool]:
    """The test whether `goal` can be reached from some cells through open ones.

    A search that asks it never enters a dead end, so the next chain is always near: without it the first one on
    9x40 takes forever. On small boards, where dead ends are shallow, it costs about what it saves.
    """
    m = game.columns
    not_first = _mask(cell for cell in game.cells if game.column(cell) > 1)
    not_last = _mask(cell for cell in game.cells if game.column(cell) < m)

    def reaches(cells: int, open_cells: int) -> bool:
        while not cells & goal:
            left, right = cells & not_first, cells & not_last
            grown = cells | right << 1 | left >> 1 | cells << m | cells >> m | left << (m - 1) | right >> (m - 1)
            grown &= open_cells
            if grown == cells:
                return False
            cells = grown
        return True

    return reaches


def winning_sets(game: Hex, player: Player, limit: int | None = None) -> tuple[tuple[int, ...], ...]:
    """All minimal winning sets, each as ascending cell numbers, the smaller sets first, then by their cells.

    Raises `SizeError` that says the count when there are more than `limit`: at once where the count is known
    (square boards up to 9x9), else after the first `limit` sets. Without a limit the count grows about
    thirty-fold from each square board to the next.

    >>> winning_sets(Hex(2, 2), "red")
    ((1, 2), (2, 3), (3, 4))
    >>> winning_sets(Hex(7, 7), "red", limit=10_000)
    Traceback (most recent call last):
    hexlogic.errors.SizeError: 7x7 Hex has 68,914 minimal winning sets for red, more than the limit of 10,000 \
(take a smaller board or raise the limit)
    """
    check_player(player)
    known, smaller = KNOWN_COUNTS.get(game.size or 0), "take a smaller board or raise the limit"
    if limit is not None and known is not None and known > limit:
        many = f"{known:,} minimal winning sets for {player}, more than the limit of {limit:,}"
        raise SizeError(f"{game} has {many}", hint=smaller)
    sets = list(islice(chordless_chains(game, player), None if limit is None else limit + 1))
    if limit is not None and len(sets) > limit:
        many = f"more minimal winning sets for {player} than the limit of {limit:,}"
        raise SizeError(f"{game} has {many}", hint=smaller)
    return tuple(sorted((tuple(sorted(chain)) for chain in sets), key=lambda cells: (len(cells), cells)))


def chain_length_bound(game: Hex, player: Player) -> int:
    """A number of cells that no minimal winning set of `player` exceeds, without enumeration.

    For red on n rows and m columns (blue: exchange the two):

    | board | bound |
    |---|---|
    | n = 1 or m <= 2 | m |
    | m = 3 | n + 2 |
    | otherwise | floor((n*m - n + m) / 2) |

    On n x n boards that is the paper's floor(n*n / 2), except that the paper's figure is too small for n = 1
    (one cell) and for n = 3: `a1 b1 b2 b3 c3` is a chain without a chord and has 5 cells, not 4.

    Proved: all of it. Extend the board to the whole triangular grid. A chordless path of k cells has k - 1 edges,
    each in two triangles, and touches two further triangles at each inner cell and four at each end: 4k + 2 in
    all. With one cell in column 1 and one in column m it touches, besides triangles with a cell in columns 2 to
    m - 1, of which there are 2(n + 1)(m - 1) - 2, three more at each end, or four where the end is a1 or the
    corner opposite. That gives k <= floor((n*m - n + m) / 2) unless the path joins these two corners and touches
    every one of those triangles. Then it fills column 2, since for 2 <= r <= n the triangle (r,1), (r+1,1), (r,2)
    has no other cell for it, and column m - 1 likewise. If m = 3 these are one column: n + 2 cells. If m = 4 they
    touch: a chord. If m >= 5 the path goes on through (n,3), barring the rest of column 3, and, because of the
    triangle below it, through (n,4), barring (n-1,4). The triangle above (1,3) and (1,4) now asks for (1,4), which
    is barred for n = 2, and for n >= 3 can have only (1,5) and (2,4) as its two neighbours on the path: they touch,
    a chord.

    Verified besides by enumeration, in the tests: all boards up to 30 cells, and n x n up to n = 7. Exact for
    n = 1 and m <= 3; n x n has 2, 5, 8, 11, 16, 23, 30 against the bound 2, 5, 8, 12, 18, 24, 32 for n = 2..8.

    >>> [chain_length_bound(Hex.square(n), "red") for n in (1, 2, 3, 4, 9)]
    [1, 2, 5, 8, 40]
    """
    n, m = (game.rows, game.columns) if check_player(player) == RED else (game.columns, game.rows)
    if n == 1 or m <= 2:
        return m
    return n + 2 if m == 3 else (n * m - n + m) // 2


def longest_chain_bound(game: Hex, player: Player) -> int:
    """The most cells that a minimal winning set of `player` may have: exact where it is known, else the proved bound.

    >>> [longest_chain_bound(Hex.square(n), "red") for n in (8, 9, 10)]
    [30, 37, 50]
    """
    known = KNOWN_LENGTHS.get(game.size or 0)
    return chain_length_bound(game, player) if known is None else known


KNOWN_SWEEPS: Final[dict[int, int]] = dict(
    enumerate((1, 1, 1, 3, 5, 7, 11, 15, 21, 29, 35, 41, 49, 59, 71, 83), start=1)
)
"""Sweeps that are enough for every minimal winning set of the n x n board, the same number for both players, by the
dynamic program of `tests/games/most_changes.py`. Up to n = 9 some set needs them all (126,004,636 sets were looked at
for n = 9)."""


def sweep_bound(game: Hex, player: Player) -> int:
    """A number of sweeps that no minimal winning set of `player` exceeds, without enumeration. Square boards have a
    table. On others of n rows and m columns, n, m >= 2, it is for red (blue: exchange the two)

        2 * floor((n - 2) * ceil((m - 2) / 2) / 2) + 1

    Proved: A minimal winning set is a chain without a chord that has one cell in the first column and one in the last.
    The directions of a step are, in circular order, (1,0), (0,1), (-1,1), (-1,0), (0,-1), (1,-1) as (columns, rows);
    forward are (1,-1), (1,0), (0,1). Two steps in a row differ by one place of this circle at the most: by two they
    would close a triangle, which is a chord, by three they would go back. So a chain changes between forward and back
    only between (0,1) and (-1,1), or between (0,-1) and (1,-1): all four lead into another row. Where it does, at a
    cell of row r, one of the cell's two neighbours on the chain is in row r - 1 and the other in row r + 1, both on its
    left or both on its right. Hence 1 < r < n, and the cells beside it in its row are not on the chain, since they
    would be a third neighbour: of the m - 2 inner cells of a row at most every second one is such a cell, and the
    chain's ends, in the outer columns, are none. That is the number of changes; it is even, because the first step
    leaves the first column for good and the last one enters the last, both forward. Sweeps are one more than changes.

    >>> [sweep_bound(Hex.square(n), "red") for n in (3, 9, 11, 19)], sweep_bound(Hex(4, 6), "red")
    ([1, 21, 35, 153], 5)
    """
    n, m = (game.rows, game.columns) if check_player(player) == RED else (game.columns, game.rows)
    if n == m and n in KNOWN_SWEEPS:
        return KNOWN_SWEEPS[n]
    return 1 if n == 1 or m == 1 else (n - 2) * ((m - 1) // 2) // 2 * 2 + 1
