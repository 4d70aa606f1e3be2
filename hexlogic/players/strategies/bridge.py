"""`bridge`: the bridge builder (Middag 2015). An intruded bridge is filled; else the shortest path of bridges is
continued; when the path is complete, it is connected.

A path goes from side to side over own stones and empty cells. Two of its cells are neighbours, or a bridge apart with
both cells between empty; it begins and ends at the side itself, a bridge from it (second line), or by the template of
the third line. Connections next to each other on a path share no cell. The length is the number of empty cells on it.
"""

import copy
import heapq
from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count, repeat
from typing import Final

import numpy as np

from hexlogic.games.game import RED, Player, opponent
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.geometry import BLUE_SIGN, RED_SIGN, geometry_of
from hexlogic.players.strategy import Budget, Strategy

_FAR: Final = 10**6
_SIDE: Final = -1  # In the place of a cell: the side where a path begins or ends

_Link = tuple[int, frozenset[int]]  # The cell at the other end (from 0), and the cells that must stay empty


@dataclass(frozen=True, slots=True)
class BridgePath:
    """A path. `missing` are its empty cells in order, `gaps` the cells of its connections; cell numbers."""

    missing: tuple[int, ...]
    gaps: tuple[int, ...]


class BridgePaths:
    """The paths in one position."""

    def __init__(self, state: GameState) -> None:
        self.board: Hex = state.board
        self.cells = bytes(state.cells)
        self._geometry = geometry_of(self.board.rows, self.board.columns)
        self._links = _links(self.board)

    def with_stone(self, player: Player, cell: int) -> "BridgePaths":
        """The paths after one more stone."""
        after = copy.copy(self)
        cells = bytearray(self.cells)
        cells[cell - 1] = _sign(player)
        after.cells = bytes(cells)
        return after

    def length(self, player: Player) -> int:
        """The least number of stones that a path needs; very large when no path is left."""
        path = self.shortest(player)
        return _FAR if path is None else len(path.missing)

    def shortest(self, player: Player) -> BridgePath | None:
        """A shortest path, by uniform-cost search over cells and the connection that led to them; None for none."""
        cells, sign, order = self.cells, _sign(player), count()
        ends = defaultdict[int, list[_Link]](list)
        for cell, carrier in self._ends(player, first=False):
            ends[cell].append((_SIDE, carrier))
        done: set[_Link] = set()
        # length, cells of connections (fewer is safer), tie, and the links up to here
        heap: list[tuple[int, int, int, tuple[_Link, ...]]] = [
            (int(cells[cell] != sign), len(carrier), next(order), ((cell, carrier),))
            for cell, carrier in self._ends(player, first=True)
        ]
        heapq.heapify(heap)
        while heap:
            length, spent, _, links = heapq.heappop(heap)
            cell, carrier = links[-1]
            if cell == _SIDE:
                gaps = [gap + 1 for _, between in links for gap in sorted(between, reverse=True)]
                return BridgePath(tuple(at + 1 for at, _ in links[:-1] if not cells[at]), tuple(gaps))
            if links[-1] in done:
                continue
            done.add(links[-1])
            for far, between in chain(ends.get(cell, ()), self._links[cell]):
                owner = sign if far == _SIDE else cells[far]
                if owner and owner != sign:
                    continue
                if far in carrier or cell in between or not carrier.isdisjoint(between):
                    continue
                if (not between or not any(cells[gap] for gap in between)) and (far, between) not in done:
                    further = (*links, (far, between))
                    heapq.heappush(heap, (length + (owner != sign), spent + len(between), next(order), further))
        return None

    def answer(self, player: Player, last: int | None) -> int | None:
        """The cell that restores a connection of `player` which the stone on `last` intrudes; None when none needs it.
        Of several, the one whose loss would lengthen the player's shortest path most."""
        if last is None or self.cells[last - 1] == _sign(player):
            return None
        intruder = last - 1
        stones = {cell for cell, owner in enumerate(self.cells) if owner == _sign(player)}
        replies: list[int] = []
        for cell in sorted(stones):
            for far, between in self._links[cell]:
                if intruder in between and cell < far and far in stones:
                    (gap,) = between - {intruder}
                    # Two stones that stones join already need no bridge.
                    if not self.cells[gap] and far not in self._reached(cell, stones):
                        replies.append(gap + 1)
        for first in (True, False):
            for cell, carrier in _templates(self.board, player, first):
                free = carrier - {intruder}
                if cell in stones and intruder in carrier and not any(self.cells[gap] for gap in free):
                    # The cells after which the stone still reaches the side, whatever is played.
                    replies += [
                        gap + 1
                        for gap in sorted(free)
                        if self._holds(player, cell, free - {gap}, frozenset({gap}), first)
                    ]
        if not replies:
            return None

        # By reply: the length of the player's path after a stone of the other player there, and after one of its own.
        lengths = {
            gap: [self.with_stone(who, gap).length(player) for who in (opponent(player), player)]
            for gap in dict.fromkeys(replies)
        }
        best = max(lengths, key=lambda gap: (lengths[gap][0], -lengths[gap][1]))
        return best if lengths[best][0] > lengths[best][1] else None

    def _holds(self, player: Player, cell: int, free: frozenset[int], mine: frozenset[int], first: bool) -> bool:
        """Whether the stone on `cell` reaches the side with the opponent to move, within a few free cells."""
        if self._reaches(player, cell, mine, first):
            return True
        if not self._reaches(player, cell, mine | free, first):
            return False
        return all(
            any(self._holds(player, cell, free - {cut, reply}, mine | {reply}, first) for reply in free - {cut})
            for cut in free
        )

    def _reaches(self, player: Player, cell: int, through: frozenset[int], first: bool) -> bool:
        side = _side(player, first)
        return any(side in self._geometry.neighbours[near] for near in self._reached(cell, through))

    def _reached(self, cell: int, through: Set[int]) -> set[int]:
        seen, waiting = {cell}, [cell]
        while waiting:
            following = {int(near) for near in self._geometry.neighbours[waiting.pop()] if near in through} - seen
            seen |= following
            waiting += following
        return seen

    def _ends(self, player: Player, *, first: bool) -> list[_Link]:
        side = _side(player, first)
        beside = np.flatnonzero((self._geometry.neighbours == side).any(axis=1)).tolist()
        return [
            (cell, carrier)
            for cell, carrier in chain(zip(beside, repeat(frozenset[int]())), _templates(self.board, player, first))
            if self.cells[cell] in (0, _sign(player)) and not any(self.cells[gap] for gap in carrier)
        ]


def _sign(player: Player) -> int:
    return RED_SIGN if player == RED else BLUE_SIGN


def _side(player: Player, first: bool) -> int:
    """The number of a side among neighbours, see `Geometry`."""
    return (-1 if first else -2) if player == RED else (-3 if first else -4)


@lru_cache(maxsize=32)
def _links(board: Hex) -> tuple[tuple[_Link, ...], ...]:
    """By cell: its neighbours, and the cells a bridge away."""
    geometry = geometry_of(board.rows, board.columns)
    return tuple(
        (
            *((int(near), frozenset[int]()) for near in geometry.neighbours[cell] if near >= 0),
            *((int(far), frozenset((int(a), int(b)))) for far, a, b in geometry.bridges[cell] if far >= 0),
        )
        for cell in range(board.rows * board.columns)
    )


@lru_cache(maxsize=128)
def _templates(board: Hex, player: Player, first: bool) -> tuple[_Link, ...]:
    """Cells in the second and third line with the empty cells that join them to the side: the bridge, and the two
    forms of the ziggurat, as offsets towards the side and along it."""
    depth_length, along_length = (board.columns, board.rows) if player == RED else (board.rows, board.columns)
    links: list[_Link] = []
    # Towards the first side a step keeps its place along the side or adds one; towards the last, subtracts one.
    lean = 1 if first else -1
    shapes = {
        2: (((1, 0), (1, 1)),),
        3: (
            ((0, -1), (1, -1), (1, 0), (1, 1), (2, -1), (2, 0), (2, 1), (2, 2)),
            ((0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (2, 3)),
        ),
    }
    for line, forms in shapes.items():
        if depth_length <= line:
            continue
        depth = line if first else depth_length - line + 1
        for along in range(1, along_length + 1):
            for form in forms:
                places = [(depth - lean * down, along + lean * right) for down, right in form]
                if all(1 <= place <= along_length for _, place in places):
                    carrier = frozenset(
                        (board.cell(place, deep) if player == RED else board.cell(deep, place)) - 1
                        for deep, place in places
                    )
                    cell = board.cell(along, depth) if player == RED else board.cell(depth, along)
                    links.append((cell - 1, carrier))
    return tuple(links)


class BridgeStrategy(Strategy):
    """The bridge builder."""

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The answer to an intrusion, or the cell of the path that lengthens the opponent's path most."""
        me, other = state.to_move, opponent(state.to_move)
        paths = BridgePaths(state)
        if (answer := paths.answer(me, state.last_cell)) is not None:
            self.note = "an intruded connection"
            return answer
        mine = paths.shortest(me)
        if mine is None:
            self.note = "no path is left"
            return state.empty[0]
        if not mine.missing:
            self.note = "the path is complete"
            return mine.gaps[0]  # connects more of it
        yours = paths.shortest(other)
        candidates = list(mine.missing)
        if yours is not None:
            candidates += [cell for cell in (*yours.missing, *yours.gaps) if cell not in candidates]

        def worth(cell: int) -> tuple[int, int, float]:
            after, board = paths.with_stone(me, cell), state.board
            left, theirs = after.length(me), after.length(other)
            middle = abs(board.row(cell) - (board.rows + 1) / 2) + abs(board.column(cell) - (board.columns + 1) / 2)
            return theirs - left, -left, -middle

        few = len(mine.missing)
        self.note = "one stone is missing" if few == 1 else f"{few} stones are missing"
        return max(candidates, key=worth)


STRATEGY = BridgeStrategy
