"""Every connection that is claimed can be carried out: judged by playing the game inside its carrier."""

from __future__ import annotations

import random

import pytest

from hexlogic.games import PLAYERS, Hex, Position
from hexlogic.players.connections import Connection, Connections
from tests.players.carrier_game import holds_connection


def random_position(chance: random.Random, board: Hex, stones: int) -> Position:
    cells = chance.sample(list(board.cells), stones)
    return Position(board, frozenset(cells[::2]), frozenset(cells[1::2]))


def check_sound(connections: Connections, *, most: int, sample: random.Random | None = None, many: int = 0) -> int:
    """Judge all connections of at most `most` cells, or `many` of them; how many were judged."""
    position = connections.position
    judged = 0
    for player in PLAYERS:
        claimed = [c for c in connections.full(player) + connections.semi(player) if len(c.carrier) <= most]
        if sample is not None and len(claimed) > many:
            claimed = sample.sample(claimed, many)
        for connection in claimed:
            assert connection.carrier <= position.empty
            assert not connection.carrier & set(connection.ends)
            assert judge(position, connection), f"{connection}\n{position.to_text()}"
            judged += 1
    return judged


def judge(position: Position, connection: Connection) -> bool:
    board = position.game
    assert isinstance(board, Hex)
    return holds_connection(
        board,
        connection.player,
        position.stones(connection.player),
        connection.ends,
        connection.carrier,
        moves_first=connection.kind == "semi",
    )


@pytest.mark.parametrize("board", [Hex(3, 3), Hex(4, 4), Hex(3, 5)], ids=str)
def test_all_connections_of_empty_boards_are_sound(board: Hex) -> None:
    assert check_sound(Connections(board), most=25) > 50


@pytest.mark.slow
def test_all_connections_of_the_empty_5x5_board_are_sound() -> None:
    assert check_sound(Connections(Hex(5, 5)), most=25) > 500


@pytest.mark.parametrize("captured", [False, True])
def test_connections_of_random_positions_are_sound(captured: bool) -> None:
    chance = random.Random(2006)
    judged = 0
    for _ in range(30):
        board = Hex(chance.randint(2, 5), chance.randint(2, 5))
        position = random_position(chance, board, chance.randint(0, board.rows * board.columns - 1))
        connections = Connections(position, captured=captured)
        judged += check_sound(connections, most=14, sample=chance, many=60)
    assert judged > 600


def test_connections_kept_over_moves_are_sound() -> None:
    """After each move of random games, and once more after each undo."""
    chance = random.Random(7)
    judged = 0
    for _ in range(4):
        board = Hex(chance.randint(3, 5), chance.randint(3, 5))
        connections = Connections(board)
        for ply, cell in enumerate(chance.sample(list(board.cells), board.rows * board.columns // 2)):
            connections.play(cell, PLAYERS[ply % 2] if chance.random() < 0.8 else PLAYERS[0])
            judged += check_sound(connections, most=12, sample=chance, many=15)
    assert judged > 200


@pytest.mark.takes_seconds
@pytest.mark.parametrize("captured", [False, True])
def test_small_carriers_on_larger_boards_are_sound(captured: bool) -> None:
    chance = random.Random(11)
    judged = 0
    for _ in range(6):
        board = Hex(7, chance.randint(6, 8))
        position = random_position(chance, board, chance.randint(4, 24))
        connections = Connections(position, captured=captured)
        judged += check_sound(connections, most=14, sample=chance, many=40)
    assert judged > 200
