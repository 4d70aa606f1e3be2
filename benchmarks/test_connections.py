"""Connections by deduction: the kernel against a plain fixed point and clingo; positions a second.

pytest benchmarks/test_connections.py -s
"""

from __future__ import annotations

import time
from itertools import combinations

import pytest

from hexlogic.games import RED, Hex, Position
from hexlogic.players.connections import Connections
from hexlogic.players.solver import Solver
from hexlogic.players.solver.memory import VISITED
from tests.players.by_rules import connections_by_rules

Found = dict[tuple[int, int], set[frozenset[int]]]


def plain_fixed_point(board: Hex, player: str = RED) -> tuple[Found, Found]:
    """The same rules on an empty board without a work-list: all pairs again until nothing is new.

    Parallel by twos and threes.
    """
    last = board.rows * board.columns + 1
    full: Found = {}
    semi: Found = {}
    first, second = board.sides(player)  # type: ignore[arg-type]

    def add(found: Found, x: int, y: int, carrier: frozenset[int]) -> bool:
        known = found.setdefault((min(x, y), max(x, y)), set())
        if any(other <= carrier for other in known):
            return False
        known -= {other for other in known if carrier <= other}
        known.add(carrier)
        return True

    for cell in board.cells:
        for other in board.neighbours(cell):
            add(full, cell, other, frozenset())
        if cell in first:
            add(full, 0, cell, frozenset())
        if cell in second:
            add(full, cell, last, frozenset())
    changed = True
    while changed:
        changed = False
        ends: dict[int, list[tuple[int, frozenset[int]]]] = {}
        for (x, y), carriers in full.items():
            for carrier in carriers:
                ends.setdefault(x, []).append((y, carrier))
                ends.setdefault(y, []).append((x, carrier))
        for middle in board.cells:
            for (x, one), (y, two) in combinations(ends[middle], 2):
                if x != y and x not in two and y not in one and not one & two:
                    carrier = one | two | {middle}
                    if not any(other <= carrier for other in full.get((min(x, y), max(x, y)), ())):
                        changed |= add(semi, x, y, carrier)
        for (x, y), carriers in semi.items():
            ordered = sorted(carriers, key=len)
            for some in (*combinations(ordered, 2), *combinations(ordered, 3)):
                if not frozenset.intersection(*some):
                    changed |= add(full, x, y, frozenset.union(*some))
    return full, semi


@pytest.mark.parametrize("size", [9, 11, 14])
def test_empty_board_and_a_move(benchmark: object, size: int) -> None:
    connections = Connections(Hex(size, size))
    begin = time.process_time()
    for _ in range(5):
        Connections(Hex(size, size))
    print(f"\n{size}x{size}, both players: {200 * (time.process_time() - begin):.1f} ms of processor time")
    centre = size * size // 2 + 1

    def move() -> None:
        connections.play(centre, RED)
        connections.undo()

    benchmark(move)  # type: ignore[operator]
    assert connections.full(RED)


def test_against_a_plain_fixed_point() -> None:
    """Both on the empty 6x6 board, both players; the plain one knows the parallel rule for two and three only."""
    begin = time.process_time()
    found = {player: plain_fixed_point(Hex(6, 6), player)[0] for player in ("red", "blue")}
    plain_s = time.process_time() - begin
    begin = time.process_time()
    connections = Connections(Hex(6, 6), None, None, captured=False)
    kernel_s = time.process_time() - begin
    print(f"\n6x6: plain fixed point {plain_s:.2f} s, kernel {1e3 * kernel_s:.1f} ms, {plain_s / kernel_s:.0f} times")
    for player, carriers in found.items():
        ours: Found = {}
        for connection in connections.full(player):  # type: ignore[arg-type]
            ours.setdefault(connection.ends, set()).add(connection.carrier)
        for ends, known in carriers.items():
            assert all(any(mine <= theirs for mine in ours[ends]) for theirs in known)
    assert plain_s > kernel_s


def test_against_clingo_on_a_small_board() -> None:
    position = Position.of(Hex(3, 3), red=["b2"], blue=["c3"])
    begin = time.process_time()
    by_rules = connections_by_rules(position, RED)
    clingo_s = time.process_time() - begin
    begin = time.process_time()
    connections = Connections(position, None, None)
    kernel_s = time.process_time() - begin
    assert len(by_rules) == len(connections.full(RED)) + len(connections.semi(RED))
    print(f"\n3x3 with 7 empty cells: clingo {clingo_s:.2f} s, kernel (both players) {1e3 * kernel_s:.2f} ms")
    assert clingo_s > kernel_s


@pytest.mark.parametrize("size", [4, 5, 6])
def test_positions_a_second(size: int) -> None:
    """The solver on openings near the centre: positions expanded in a second of processor time."""
    Solver(Hex.square(2)).solve(Position(Hex.square(2)))
    board = Hex.square(size)
    solver = Solver(board)
    begin = time.process_time()
    for cell in board.cells[size * (size // 2 - 1) : size * (size // 2 + 1)]:
        assert solver.solve(Position(board, frozenset([cell]))) is not None
    spent = time.process_time() - begin
    positions = solver.table.counts[VISITED]
    print(f"\n{size}x{size}: {positions} positions in {spent:.2f} s, {positions / spent:.0f}/s")
