"""Many games at once, as arrays: at random, or between players.

A game is its order of cells (from 0) and how many of them were played: it stops when a player has won.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.games import BLUE, PLAYERS, RED, Hex, Player
from hexlogic.players.budget import Budget
from hexlogic.players.evaluation.chain import joins
from hexlogic.players.geometry import geometry_of, mirror_cells
from hexlogic.players.registry import load_strategy
from hexlogic.players.tournament.game import play_game


@dataclass(frozen=True, eq=False)
class Games:
    """G games on one board: `orders[G, cells]` (int32 cells from 0, in the order of play; all cells of the board),
    `lengths[G]` (stones at the end) and `winners[G]` (1 red, 2 blue). `first` moved first in all of them."""

    board: Hex
    first: Player
    orders: NDArray[np.int32]
    lengths: NDArray[np.int64]
    winners: NDArray[np.uint8]


@njit(cache=True)
def _play_out(orders: Any, neighbours: Any, first: Any, lengths: Any, winners: Any) -> None:
    """Play each row of `orders` until a player has won; `first` is the sign of the first mover."""
    cells = np.zeros(orders.shape[1], np.int8)
    for game in range(orders.shape[0]):
        cells[:] = 0
        for ply in range(orders.shape[1]):
            sign = first if ply % 2 == 0 else 3 - first
            cell = orders[game, ply]
            cells[cell] = sign
            if joins(cells, neighbours, cell):
                lengths[game] = ply + 1
                winners[game] = sign
                break


def play_random(board: Hex, games: int, first: Player, random: np.random.Generator) -> Games:
    """Games of uniformly random moves that stop at the win."""
    cells = len(board.cells)
    orders = random.permuted(np.tile(np.arange(cells, dtype=np.int32), (games, 1)), axis=1)
    lengths, winners = np.zeros(games, np.int64), np.zeros(games, np.uint8)
    play: Any = _play_out
    play(orders, geometry_of(board.rows, board.columns).neighbours, PLAYERS.index(first) + 1, lengths, winners)
    return Games(board, first, orders, lengths, winners)


def boards_after(games: Games, stones: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The boards `[G, cells]` after so many stones of each game, and who is to move then (1 red, 2 blue)."""
    cells = games.orders.shape[1]
    first = PLAYERS.index(games.first) + 1
    signs = np.where(np.arange(cells) % 2 == 0, first, 3 - first).astype(np.uint8)
    placed = np.where(np.arange(cells)[None, :] < stones[:, None], signs[None, :], 0).astype(np.uint8)
    boards = np.zeros_like(placed)
    np.put_along_axis(boards, games.orders.astype(np.int64), placed, axis=1)
    to_move = np.where(stones % 2 == 0, first, 3 - first).astype(np.uint8)
    return boards, to_move


def play_players(
    board: Hex,
    games: int,
    first: Player,
    players: Sequence[str],
    opening: int,
    random: np.random.Generator,
    report: Callable[[int], None] = lambda done: None,
) -> Games:
    """Games between strategies by name, two drawn for each game, after `opening` random stones.

    The library's games begin with red; where blue is to be first, the mirror images are taken, in which the players
    change roles. `report` hears how many games are done. Raises UnknownNameError for a strategy.
    """
    seats = {name: load_strategy(name, int(random.integers(2**31))) for name in sorted(set(players))}
    cells = len(board.cells)
    orders: NDArray[np.int32] = np.zeros((games, cells), np.int32)
    lengths: NDArray[np.int64] = np.zeros(games, np.int64)
    winners: NDArray[np.uint8] = np.zeros(games, np.uint8)
    for strategy in seats.values():
        strategy.prepare(board)
    try:
        for game in range(games):
            start = (random.permutation(cells)[:opening] + 1).tolist()
            names = [players[int(place)] for place in random.integers(len(players), size=2)]
            for name in names:
                seats[name].reset(int(random.integers(2**31)))
            budget = Budget()
            outcome = play_game(board, [seats[name] for name in names], [budget, budget], opening=start)
            played = [turn.action - 1 for turn in outcome.turns if isinstance(turn.action, int)]
            rest = sorted(set(range(cells)) - set(played))
            orders[game] = [*played, *rest]
            lengths[game], winners[game] = len(played), PLAYERS.index(outcome.colour) + 1
            report(game + 1)
    finally:
        for strategy in seats.values():
            strategy.close()
    if first == BLUE:
        orders, winners = mirror_cells(board.rows)[orders], (3 - winners).astype(np.uint8)
    assert first in (RED, BLUE)
    return Games(board, first, orders, lengths, winners)
