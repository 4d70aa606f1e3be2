"""Monte Carlo search: solved boards, knowledge written into the tree, counts with several threads."""

from __future__ import annotations

import numpy as np
import pytest

from hexlogic.games import Hex
from hexlogic.games.game_state import GameState
from hexlogic.players import Budget
from hexlogic.players.search.monte_carlo import PLAIN, RAVE, MonteCarlo
from hexlogic.players.search.uct import OPEN, WON
from hexlogic.players.strategies.mcts_vc import MctsVcStrategy
from tests.players.exhaustive_search import winner


def searched(state: GameState, settings=RAVE, playouts: int = 3000, threads: int = 1) -> MonteCarlo:
    tree = MonteCarlo(state, settings, seed=5)
    tree.run(Budget(playouts=playouts, threads=threads))
    return tree


@pytest.mark.parametrize("settings", [PLAIN, RAVE], ids=["plain", "rave"])
def test_the_move_wins_on_small_boards(settings):
    board = Hex(3, 4)
    for cell in board.cells:
        state = GameState(board)
        state.play("red", cell)
        if winner(board, frozenset({cell}), frozenset(), "blue") == "blue":
            move, _ = searched(state, settings).best()
            assert winner(board, frozenset({cell}), frozenset({move}), "red") == "blue", (cell, move)


def test_every_playout_is_counted_once_by_two_threads():
    tree = searched(GameState(Hex(5, 5)), RAVE, 20_000, threads=2)
    arrays = tree.tree
    # expansion is begun by a few playouts of the constructor
    first = 2 + RAVE.expand_at
    assert int(arrays.visits[0]) == 20_000 + first
    for node in range(int(arrays.counters[0])):
        children = tree.children(node)
        assert int(arrays.visits[node]) >= sum(int(arrays.visits[child]) for child in children)
        assert 0 <= int(arrays.wins[node]) <= int(arrays.visits[node])
        assert len({tree.cell(child) for child in children}) == len(children)


def test_closed_moves_are_not_played():
    tree = MonteCarlo(GameState(Hex(4, 4)), RAVE, seed=1)
    tree.close(0, {1, 7})
    tree.run(Budget(playouts=500))
    assert tree.best()[0] in {1, 7}
    for child in tree.children():
        if tree.cell(child) not in {1, 7}:
            assert int(tree.tree.visits[child]) <= 2 + RAVE.expand_at


def test_a_known_win_ends_the_search():
    tree = MonteCarlo(GameState(Hex(4, 4)), RAVE, seed=1)
    node = tree.children()[5]
    tree.set_known(node, wins=True)
    tree.run(Budget(playouts=10_000))
    assert tree.best() == (tree.cell(node), 1.0)
    assert int(tree.tree.visits[0]) < 1000


def test_the_path_of_a_node_is_its_moves():
    tree = searched(GameState(Hex(4, 4)))
    deep = int(np.flatnonzero(tree.tree.parent[: int(tree.tree.counters[0])])[-1])
    cells = tree.path(deep)
    node = 0
    for cell in cells:
        (node,) = [child for child in tree.children(node) if tree.cell(child) == cell]
    assert node == deep


def test_equal_seeds_give_equal_searches():
    one, two = (searched(GameState(Hex(5, 5)), PLAIN, 2000) for _ in range(2))
    assert np.array_equal(one.tree.visits, two.tree.visits)


def test_what_lies_below_a_won_position_is_not_looked_at():
    state = GameState(Hex(3, 3))
    for cell in ("a2", "a1", "b2", "b1"):
        state.play(state.to_move, state.board.parse_cell(cell))
    player = MctsVcStrategy()
    search = MonteCarlo(state, player.settings._replace(prior_at=100_000), 1)
    search.run(Budget(playouts=500))
    won = next(child for child in search.children() if search.cell(child) == state.board.parse_cell("c2"))
    below = search.children(won)[0]
    player._look(search, below, "red")
    assert int(search.tree.known[won]) == WON
    assert int(search.tree.known[below]) == OPEN
    assert search.path(below)[0] == state.board.parse_cell("c2")
