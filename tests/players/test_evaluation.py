"""Evaluations against independent definitions, and against the mirror image of the board."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.games import Hex, Position
from hexlogic.players.evaluation.kernels import EVALUATIONS, FAR, evaluate, joins, potential, potentials
from hexlogic.players.geometry import flat_cells, geometry_of
from tests.players.states import state_of


@st.composite
def positions(draw: st.DrawFn, most: int = 6) -> Position:
    board = Hex(draw(st.integers(2, most)), draw(st.integers(2, most)))
    rng = random.Random(draw(st.integers(0, 10**6)))
    cells = rng.sample(list(board.cells), draw(st.integers(0, len(board.cells) * 2 // 3)))
    return Position(board, frozenset(cells[::2]), frozenset(cells[1::2]))


def value_of(kind: str, position: Position) -> float:
    board = geometry_of(position.game.rows, position.game.columns)
    cells = flat_cells(state_of(position))
    return float(evaluate(EVALUATIONS.index(kind), cells, *board[2:], *board[:2]))


@pytest.mark.parametrize("kind", EVALUATIONS)
@settings(deadline=None)
@given(position=positions())
def test_the_mirror_image_has_the_opposite_value(kind, position):
    assert value_of(kind, position) == pytest.approx(-value_of(kind, position.transposed()), abs=1e-6)


@settings(deadline=None)
@given(position=positions())
def test_count_connected_counts_stones_that_touch_their_own(position):
    def count(stones):
        return sum(any(other in stones for other in position.game.neighbours(cell)) for cell in stones)

    assert value_of("count-connected", position) == count(position.red) - count(position.blue)


@settings(deadline=None)
@given(position=positions())
def test_joins_is_the_referee(position):
    board = position.game
    cells = flat_cells(state_of(position))
    table = geometry_of(board.rows, board.columns).neighbours
    for player in ("red", "blue"):
        stones = position.stones(player)
        found = any(joins(cells, table, cell - 1) for cell in stones)
        assert found == board.has_won(stones, player)


def two_distances(position: Position, player: str, side: frozenset[int]) -> dict[int, int]:
    """By definition, from the outside in: sets of cells within each distance."""
    board, own = position.game, position.stones(player)
    empty = position.empty

    def around(cell):
        found, waiting, seen = set(), [cell], {cell}
        while waiting:
            for other in board.neighbours(waiting.pop()):
                if other not in seen:
                    seen.add(other)
                    if other in own:
                        waiting.append(other)
                    elif other in empty:
                        found.add(other)
        return found, any(other in side for other in seen if other in own or other == cell)

    distance = {cell: 1 for cell in empty if around(cell)[1]}
    for step in range(2, len(board.cells) + 1):
        level = {c for c in empty if c not in distance and sum(o in distance for o in around(c)[0]) >= 2}
        distance |= dict.fromkeys(level, step)
    return distance


@settings(deadline=None)
@given(position=positions(most=5), player=st.sampled_from(["red", "blue"]))
def test_two_distance_is_its_definition(position, player):
    board = position.game
    first, last = board.sides(player)
    one, two = (two_distances(position, player, side) for side in (first, last))
    table = geometry_of(board.rows, board.columns).neighbours
    found = potentials(flat_cells(state_of(position)), table, 1 if player == "red" else 2)
    for cell in position.empty:
        expected = one[cell] + two[cell] if cell in one and cell in two else None
        assert (None if found[cell - 1] >= FAR else found[cell - 1]) == expected


def dense_conductance(position: Position, player: str) -> float:
    """Kirchhoff's equations in full: cells, and the two sides as nodes of potential 1 and 0."""
    board, own, other = position.game, position.stones(player), position.stones("blue" if player == "red" else "red")
    nodes = [cell for cell in board.cells if cell not in other]
    place = {cell: number for number, cell in enumerate([*nodes, "low", "high"])}
    links = np.zeros((len(place), len(place)))

    def link(a, b, value):
        links[place[a], place[b]] += value
        links[place[b], place[a]] += value

    def between(a, b):
        return {0: 0.5, 1: 1.0, 2: 1e4}[sum(end in own or isinstance(end, str) for end in (a, b))]

    sides = dict(zip(("low", "high"), board.sides(player), strict=True))
    for cell in nodes:
        for near in board.neighbours(cell):
            if near in place and near < cell:
                link(cell, near, between(cell, near))
        for far in nodes:
            common = set(board.neighbours(cell)) & set(board.neighbours(far))
            if far < cell and far not in board.neighbours(cell) and len(common) == 2 and common <= position.empty:
                link(cell, far, min(10.0, between(cell, far)))
        for name, side in sides.items():
            touching = 0
            if cell in side:
                # a cell meets a side along two of its edges, at one corner of the side along one
                row, column = board.row(cell), board.column(cell)
                ends = {("red", "low"): row == board.rows, ("red", "high"): row == 1}
                ends |= {("blue", "low"): column == board.columns, ("blue", "high"): column == 1}
                touching = 1 if ends[player, name] else 2
            for _ in range(touching):
                link(cell, name, between(cell, name))
            length = board.columns if player == "red" else board.rows
            depth = board.column(cell) if player == "red" else board.row(cell)
            line = depth if name == "low" else length - depth + 1
            if line == 2 and length > 2:
                gaps = [near for near in board.neighbours(cell) if near in side and near in position.empty]
                if len(gaps) >= 2:
                    link(cell, name, 10.0 if cell in own else 1.0)
    laplacian = np.diag(links.sum(axis=1)) - links + 1e-12 * np.eye(len(place))
    inside = len(nodes)
    potential = np.linalg.solve(laplacian[:inside, :inside], links[:inside, place["low"]])
    return float((links[:inside, place["low"]] * (1 - potential)).sum())


@settings(deadline=None)
@given(position=positions(most=5), player=st.sampled_from(["red", "blue"]))
def test_conductance_solves_kirchhoffs_equations(position, player):
    board = position.game
    tables = geometry_of(board.rows, board.columns)
    cells = flat_cells(state_of(position))
    found = potential(cells, *tables[2:], *tables[:2], 1 if player == "red" else 2)[1]
    assert math.log(max(found, 1e-9)) == pytest.approx(
        math.log(max(dense_conductance(position, player), 1e-9)), abs=1e-3
    )
