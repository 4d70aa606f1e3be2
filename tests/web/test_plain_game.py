"""Games on any board: random games against the referee, turns taken back, swap, and moves by playouts."""

from __future__ import annotations

import random

import pytest

from hexlogic.errors import MoveError
from hexlogic.games import load_game, winner
from hexlogic.games.game_state import PlainGame
from hexlogic.web.thinkers import choose_by_playouts, choose_by_uct


@pytest.mark.parametrize(("name", "size"), [("y", 4), ("havannah", 3), ("tic-tac-toe-3d", 3)])
@pytest.mark.parametrize("seed", range(5))
def test_random_games_end_where_the_referee_says_and_can_be_taken_back(name: str, size: int, seed: int) -> None:
    game, draw = PlainGame(load_game(name).of_size(size)), random.Random(seed)
    seen = []
    while game.winner is None and game.empty:
        assert winner(game.position) is None
        seen.append((game.position, game.to_move))
        game.play(game.to_move, draw.choice(game.empty))
    assert game.winner == winner(game.position)
    while seen:
        game.undo()
        assert (game.position, game.to_move) == seen.pop()
    with pytest.raises(MoveError, match="no move to undo"):
        game.undo()


def test_swap_takes_the_stone_where_it_is() -> None:
    game = PlainGame(load_game("y").of_size(3))
    with pytest.raises(MoveError, match="only for the second turn"):
        game.play("red", "swap-pieces")
    game.play("red", 4)
    game.play("blue", "swap-pieces")
    assert (game.position.red, game.position.blue, game.to_move) == (frozenset(), {4}, "red")
    with pytest.raises(MoveError, match="already blue"):
        game.play("red", 4)


@pytest.mark.parametrize(
    ("name", "size", "moves"), [("y", 3, ["a2", "a1", "b2", "a3"]), ("tic-tac-toe-3d", 2, ["a11", "b11"])]
)
def test_the_general_player_takes_a_win_at_once(name: str, size: int, moves: list[str]) -> None:
    board = load_game(name).of_size(size)
    game = PlainGame(board)
    for move in moves:
        game.play(game.to_move, board.parse_cell(move))
    mover = game.to_move
    cell, note = choose_by_uct("uct:1000", game, 1, 60)
    assert board.has_won(game.position.stones(mover) | {cell}, mover)
    assert note == "1,000 playouts"


def test_the_general_player_goes_on_after_a_swap() -> None:
    game = PlainGame(load_game("y").of_size(3))
    game.play("red", 4)
    game.play("blue", "swap-pieces")
    assert choose_by_uct("uct:100", game, 1, 60)[0] in game.empty


@pytest.mark.parametrize("seed", range(3))
def test_playouts_take_a_win_at_once(seed: int) -> None:
    board = load_game("y").of_size(4)
    game = PlainGame(board)
    for name in ("a4", "a1", "b4", "a2", "c4", "b2"):
        game.play(game.to_move, board.parse_cell(name))
    cell, note = choose_by_playouts(game, seed, 0.2)
    assert board.has_won(game.position.stones("red") | {cell}, "red")
    assert note.endswith(" playouts")
