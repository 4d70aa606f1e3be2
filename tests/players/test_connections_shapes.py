"""Named shapes: the deduction finds each of them, in exactly its cells, and nothing when one cell is missing.

The shapes are those of hexwiki.net (interior and edge templates), here with every other cell the opponent's.
"""

from __future__ import annotations

import pytest

from hexlogic.games import BLUE, RED, Hex, Position
from hexlogic.players.connections import Connection, Connections
from tests.players.by_rules import check_derivation
from tests.players.carrier_game import holds_connection

# Stones of red and empty cells, away from the edges of a 6x8 board; the connected ends are the first and last stone.
INTERIOR = {
    "bridge": ("c4 d2", "c3 d3"),
    "trapezoid": ("c2 e2 c4 d4", "c3 d2 d3 e3"),
    "crescent": ("c2 c4 d4 e3", "c3 d2 d3 e2"),
    "span": ("c3 c4 e4 f3", "d2 d3 d4 e2 e3 f2"),
    "parallelogram": ("c3 c4 f2 f3", "d2 d3 d4 e2 e3 e4"),
    "box": ("d2 c4 e4 f2", "c3 d3 d4 e2 e3 f3"),
}
# The pair of ends that needs the whole shape.
WHOLE = {
    "bridge": ("c4", "d2"),
    "trapezoid": ("c2", "c4"),
    "crescent": ("c2", "e3"),
    "span": ("c3", "f3"),
    "parallelogram": ("c3", "f2"),
    "box": ("d2", "f2"),
}
WHEEL = ("c4 d2 e3", "c3 d3 d4 e2")
# A blue stone and the empty cells between it and the bottom edge.
EDGE = {
    "second row": (Hex(2, 4), "c1", "b2 c2"),
    "ziggurat": (Hex(3, 5), "c1", "d1 b2 c2 d2 a3 b3 c3 d3"),
}


def only(board: Hex, player: str, stones: set[int], empty: set[int]) -> Connections:
    rest = sorted(set(board.cells) - stones - empty)
    own, other = sorted(stones), rest
    red, blue = (own, other) if player == RED else (other, own)
    return Connections(Position(board, frozenset(red), frozenset(blue)), None, None)


def cells(board: Hex, names: str) -> set[int]:
    return {board.parse_cell(name) for name in names.split()}


def between(connections: Connections, player: str, ends: tuple[int, int]) -> list[Connection]:
    wanted = tuple(sorted(ends))
    return [c for c in connections.full(player) if c.ends == wanted]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(INTERIOR))
def test_interior_shapes_are_found_and_minimal(name: str) -> None:
    board = Hex(6, 8)
    stones, empty = (cells(board, names) for names in INTERIOR[name])
    connections = only(board, RED, stones, empty)
    ends = tuple(connections.node(board.parse_cell(end)) for end in WHOLE[name])
    (found,) = between(connections, RED, ends)
    assert found.carrier == empty
    assert check_derivation(connections.position, found, connections.why(found)) == []
    for missing in sorted(empty):
        assert not between(only(board, RED, stones, empty - {missing}), RED, ends)
        assert not holds_connection(board, RED, stones, ends, empty - {missing}, moves_first=False)


def test_the_wheel_is_three_bridges() -> None:
    """Every two of its stones are joined by a bridge. That all three hold at once is not the claim of a pair."""
    board = Hex(6, 8)
    stones, empty = (cells(board, names) for names in WHEEL)
    connections = only(board, RED, stones, empty)
    first, second, third = sorted(stones)
    found = [between(connections, RED, ends) for ends in ((first, second), (first, third), (second, third))]
    assert [len(pair) for pair in found] == [1, 1, 1]
    assert all(len(pair[0].carrier) == 2 for pair in found)
    assert frozenset().union(*(pair[0].carrier for pair in found)) == empty


@pytest.mark.parametrize("name", sorted(EDGE))
def test_edge_templates_are_found_and_minimal(name: str) -> None:
    board, stone, names = EDGE[name]
    stones, empty = cells(board, stone), cells(board, names)
    ends = (min(stones), len(board.cells) + 1)
    connections = only(board, BLUE, stones, empty)
    (found,) = between(connections, BLUE, ends)
    assert found.carrier == empty
    for missing in sorted(empty):
        assert not between(only(board, BLUE, stones, empty - {missing}), BLUE, ends)
        assert not holds_connection(board, BLUE, stones, ends, empty - {missing}, moves_first=False)


def template_iv_a() -> tuple[Hex, int, Connection]:
    """The smallest connection of a stone on the fourth row to the edge of a wide empty board."""
    board = Hex(4, 9)
    stone = board.parse_cell("f1")
    found = between(Connections(Position(board, blue=frozenset({stone}))), BLUE, (stone, len(board.cells) + 1))
    return board, stone, min(found, key=lambda c: len(c.carrier))


def test_template_iv_a_is_found_and_minimal() -> None:
    board, stone, found = template_iv_a()
    assert len(found.carrier) == 19
    for missing in sorted(found.carrier):
        rest = set(found.carrier) - {missing}
        assert not between(only(board, BLUE, {stone}, rest), BLUE, found.ends)


@pytest.mark.slow
def test_template_iv_a_by_brute_force() -> None:
    board, stone, found = template_iv_a()
    assert holds_connection(board, BLUE, {stone}, found.ends, found.carrier, moves_first=False)
    for missing in sorted(found.carrier):
        rest = found.carrier - {missing}
        assert not holds_connection(board, BLUE, {stone}, found.ends, rest, moves_first=False)
