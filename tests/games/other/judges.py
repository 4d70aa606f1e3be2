"""Second opinions on who has won, by other algorithms than the referees of the games."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable

import networkx as nx

from hexlogic.games import Game, Player
from hexlogic.games.kinds.havannah import Havannah
from hexlogic.games.kinds.tic_tac_toe_3d import TicTacToe3D
from hexlogic.games.kinds.y import Y

Judge = Callable[[Game, frozenset[int], Player], bool]


def parts_of(game: Game, stones: frozenset[int]) -> list[set[int]]:
    """Connected components, where cells are adjacent when their drawn centres are one unit apart."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(stones)
    graph.add_edges_from(pair for pair in itertools.combinations(stones, 2) if distance(game, *pair) < 1.01)
    return [set(part) for part in nx.connected_components(graph)]


def distance(game: Game, one: int, other: int) -> float:
    (x, y), (u, v) = game.centre(one), game.centre(other)
    return float(((x - u) ** 2 + (y - v) ** 2) ** 0.5)


def judge_sides(game: Game, stones: frozenset[int], player: Player) -> bool:
    """Hex and Crossing: the two sides by the extremes of the text's lines."""
    lines = game.lines_of_text
    if player == "red":
        first, last = {line[0] for line in lines}, {line[-1] for line in lines}
    else:
        first, last = set(lines[0]), set(lines[-1])
    return any(part & first and part & last for part in parts_of(game, stones))


def judge_y(game: Game, stones: frozenset[int], player: Player) -> bool:
    """Three sides: the first cells, the last cells, the last line."""
    assert isinstance(game, Y)
    lines = game.lines_of_text
    sides = [{line[0] for line in lines}, {line[-1] for line in lines}, set(lines[-1])]
    return any(all(part & side for side in sides) for part in parts_of(game, stones))


def judge_cube(game: Game, stones: frozenset[int], player: Player) -> bool:
    """Every set of n cells is tried: a line when it can be sorted so that one step leads from each to the next."""
    assert isinstance(game, TicTacToe3D)
    return any(line <= stones for line in all_lines(game))


@functools.lru_cache
def all_lines(game: TicTacToe3D) -> frozenset[frozenset[int]]:
    found = set()
    for cells in itertools.combinations(game.cells, game.size):
        places = sorted(game.place(cell) for cell in cells)
        steps = {tuple(b - a for a, b in zip(*pair, strict=True)) for pair in itertools.pairwise(places)}
        if len(steps) == 1:
            found.add(frozenset(cells))
    return frozenset(found)


def judge_havannah(game: Game, stones: frozenset[int], player: Player) -> bool:
    """Corners have three neighbours, sides four; rings are looked up among all loops of the board."""
    assert isinstance(game, Havannah)
    edge = {cell: len(game.neighbours(cell)) for cell in game.cells}
    corners = {cell for cell, touching in edge.items() if touching == 3}
    sides = parts_of(game, frozenset(cell for cell, touching in edge.items() if touching == 4))
    for part in parts_of(game, stones):
        if len(part & corners) >= 2 or sum(bool(part & side) for side in sides) >= 3:
            return True
    return any(ring <= stones for ring in all_rings(game))


@functools.lru_cache
def all_rings(game: Havannah) -> tuple[frozenset[int], ...]:
    """The smallest rings: chordless loops with a cell inside, by the winding of a polygon around its centre.

    A loop with a chord is left out: the chord cuts it in two, and what was inside is inside one of them.
    """
    graph: nx.Graph[int] = nx.Graph()
    graph.add_edges_from((cell, other) for cell in game.cells for other in game.neighbours(cell))
    loops = (list(loop) for loop in nx.chordless_cycles(graph) if len(loop) >= 6)
    return tuple(frozenset(loop) for loop in loops if any(inside(game, loop, cell) for cell in game.cells))


def inside(game: Game, loop: list[int], cell: int) -> bool:
    """Whether a cell off the loop is enclosed: a ray to the right crosses the loop an odd number of times."""
    if cell in loop:
        return False
    x, y = game.centre(cell)
    y += 1e-6  # off the rows of centres
    odd = False
    for a, b in itertools.pairwise([*loop, loop[0]]):
        (x1, y1), (x2, y2) = game.centre(a), game.centre(b)
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            odd = not odd
    return odd
