"""Moves that the solver leaves out, and proofs that answer them, against brute force."""

from __future__ import annotations

import random

import numpy as np

from hexlogic.games import PLAYERS, Hex, Player, Position, has_won, opponent
from hexlogic.players.connections import codes
from hexlogic.players.connections.store import Store, new_store
from hexlogic.players.solver import Solver
from hexlogic.players.solver.inferior import better_moves, with_killers
from hexlogic.players.solver.solver import cells_of_mask, mask_of
from tests.players.exhaustive_search import winner


def stores_of(position: Position, mover: Player) -> list[Store]:
    """The stores of the mover and of the opponent, with the stones alone."""
    stores = [new_store(position.game, player, 16) for player in (mover, opponent(mover))]  # type: ignore[arg-type]
    for player, store in zip((mover, opponent(mover)), stores, strict=True):
        store.nodes[[0, len(store.near) - 1], codes.OWNER] = codes.OWN
        for cell in position.red | position.blue:
            store.nodes[cell, codes.OWNER] = codes.OWN if cell in position.stones(player) else codes.OTHER
    return stores


def filled(position: Position) -> Position:
    """The position with its fill-in."""
    stones = {player: set(position.stones(player)) for player in PLAYERS}
    for player, cells in Solver(position.game, 16).fill(mask_of(position.red), mask_of(position.blue)):  # type: ignore[arg-type]
        stones[player] |= set(cells)
    return Position(position.game, frozenset(stones["red"]), frozenset(stones["blue"]))


def wins(position: Position, mover: Player, given: set[int], to_move: Player) -> bool:
    """Whether the mover wins when these empty cells are his stones."""
    mine, other = position.stones(mover) | given, position.stones(opponent(mover))
    red, blue = (mine, other) if mover == "red" else (other, mine)
    return winner(position.game, red, blue, to_move) == mover


def moves_that_may_win(position: Position, mover: Player, cells: set[int], given: set[int]) -> set[int]:
    """The moves to some cells that win when other empty cells are the mover's stones."""
    return {cell for cell in cells if wins(position, mover, given | {cell}, opponent(mover))}


def test_left_out_moves_are_answered() -> None:
    """If a position is won, so it is by a move that is kept; if it is lost in a set of cells by all moves that are not
    vulnerable, so it is by all moves in that set with the killers."""
    chance = random.Random(5)
    won = lost = grown = 0
    for _ in range(1500):
        board = chance.choice([Hex(3, 4), Hex(4, 3), Hex(4, 4), Hex(5, 4), Hex(3, 6)])
        stones = chance.sample(list(board.cells), len(board.cells) - chance.randint(3, 9))
        cut = chance.randint(0, len(stones))
        position = filled(Position(board, frozenset(stones[:cut]), frozenset(stones[cut:])))
        empty = set(position.empty)
        if has_won(position, "red") or has_won(position, "blue") or not empty:
            continue
        for mover in PLAYERS:
            own, other = stores_of(position, mover)
            words = better_moves(own, other, np.uint64(mask_of(frozenset(empty))))
            kept, vulnerable = (set(cells_of_mask(int(word))) for word in words)
            winning = moves_that_may_win(position, mover, empty, set())
            if winning:
                assert winning & kept, position.to_text()
                won += len(winning - kept)
                continue
            if not vulnerable:
                continue
            needed = set(empty)
            for cell in chance.sample(sorted(empty), len(empty)):
                fewer = needed - {cell}
                given = empty - fewer
                if not wins(position, mover, given, opponent(mover)) and not moves_that_may_win(
                    position, mover, fewer - vulnerable, given
                ):
                    needed = fewer
            masks = (np.uint64(mask_of(frozenset(cells))) for cells in (needed, vulnerable))
            proof = set(cells_of_mask(int(with_killers(other, *masks))))
            assert not wins(position, mover, empty - proof, mover), position.to_text()
            lost += 1
            grown += wins(position, mover, empty - needed, mover)
    assert won > 20, won
    assert lost > 20, lost
    assert grown > 0, grown
