"""The modular numbering against geometry: axial coordinates on the triangular grid, cells at distance one."""

from __future__ import annotations

import networkx as nx
import pytest

from hexlogic.errors import PositionError, SizeError, UnknownNameError
from hexlogic.games import BLUE, RED, Hex, check_player, column_name, opponent

SIZES = [(n, m) for n in range(1, 9) for m in range(1, 9)]


def axial_distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Hexagonal distance; rows lean so that the third axis is the sum of row and column."""
    dr, dc = a[0] - b[0], a[1] - b[1]
    return max(abs(dr), abs(dc), abs(dr + dc))


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_neighbours_are_the_cells_at_distance_one(rows: int, columns: int) -> None:
    game = Hex(rows, columns)
    place = {c: ((c - 1) // columns, (c - 1) % columns) for c in game.cells}
    for cell in game.cells:
        near = tuple(c for c in game.cells if axial_distance(place[c], place[cell]) == 1)
        assert game.neighbours(cell) == near
        assert (game.row(cell) - 1, game.column(cell) - 1) == place[cell]
        assert all(cell in game.neighbours(other) for other in near)


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_sides_and_transposition(rows: int, columns: int) -> None:
    game = Hex(rows, columns)
    first, last = game.sides(RED)
    assert first == {c for c in game.cells if game.column(c) == 1}
    assert last == {c for c in game.cells if game.column(c) == columns}
    mirrored = game.transposed
    for player in (RED, BLUE):
        images = tuple(frozenset(map(game.transpose, side)) for side in game.sides(player))
        assert images == mirrored.sides(opponent(player))
    for cell in game.cells:
        assert mirrored.transpose(game.transpose(cell)) == cell
        image = tuple(sorted(map(game.transpose, game.neighbours(cell))))
        assert image == mirrored.neighbours(game.transpose(cell))


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 4), (9, 9), (2, 40), (40, 30)])
def test_cell_names_round_trip(rows: int, columns: int) -> None:
    game = Hex(rows, columns)
    names = [game.cell_name(c) for c in game.cells]
    assert len(set(names)) == len(names)
    assert [game.parse_cell(name) for name in names] == list(game.cells)
    assert [game.parse_cell(name.upper()) for name in names] == list(game.cells)


def test_the_board_is_planar_with_the_edges_of_hex() -> None:
    game = Hex(5, 7)
    graph = nx.Graph((c, d) for c in game.cells for d in game.neighbours(c))
    assert graph.number_of_edges() == 5 * 6 + 4 * 7 + 4 * 6
    assert nx.check_planarity(graph)[0]


def test_names_of_the_design() -> None:
    game = Hex.square(9)
    assert (game.cell_name(1), game.parse_cell("f6"), game.cell(6, 6)) == ("a1", 51, 51)
    assert (game.name, game.size, Hex(2, 3).size, str(game)) == ("hex", 9, None, "9x9 Hex")
    assert column_name(703) == "aaa"
    assert [opponent(RED), opponent(BLUE)] == [BLUE, RED]


@pytest.mark.parametrize("size", [0, -1, 65, 10**9, 2.0, "9", True, None])
def test_sizes_that_no_board_has(size: object) -> None:
    with pytest.raises(SizeError, match="cannot have"):
        Hex(size, 3)  # type: ignore[arg-type]
    with pytest.raises(SizeError, match="cannot have"):
        Hex(3, size)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ["", "6f", "f", "6", "f 6", "a0", "j1", "a10", "aa1", "zzzzzzzzz1", "a" + "9" * 9999, "é1", "a²"]
)
def test_names_that_are_no_cell(name: str) -> None:
    with pytest.raises(PositionError):
        Hex.square(9).parse_cell(name)


@pytest.mark.parametrize("cell", [0, -1, 10, True, "a1", 1.0])
def test_numbers_that_are_no_cell(cell: int) -> None:
    game = Hex.square(3)
    for ask in (game.neighbours, game.row, game.column, game.cell_name, game.transpose):
        with pytest.raises(PositionError, match="off the 3x3 board"):
            ask(cell)


def test_rows_and_columns_off_the_board() -> None:
    with pytest.raises(PositionError):
        Hex(2, 3).cell(3, 1)


def test_unknown_player() -> None:
    with pytest.raises(UnknownNameError, match="unknown player 'green'"):
        check_player("green")
    with pytest.raises(UnknownNameError):
        Hex(2, 2).sides("Red")  # type: ignore[arg-type]
