"""The search that a policy leads: what it proves against brute force, what it keeps, when it ends."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from hexlogic.games import Hex, opponent
from hexlogic.games.game_state import GameState
from hexlogic.players.evaluation.policy import log_odds
from hexlogic.players.search import policy_tree
from hexlogic.players.search.policy_tree import Node, PolicyTree
from hexlogic.players.strategies.policy_vc import PolicyVcStrategy
from hexlogic.players.strategy import Budget
from tests.players.exhaustive_search import winner


def nodes_below(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children.values():
        yield from nodes_below(child)


def wins_to_move(board: Hex, node: Node) -> bool:
    """By the solver, or by who has joined his sides."""
    state = GameState(board)
    state.cells[:] = node.cells.tolist()
    position = state.position
    for player in ("red", "blue"):
        if board.has_won(position.stones(player), player):
            return player == node.mover
    return winner(board, position.red, position.blue, node.mover) == node.mover


def check(tree: PolicyTree) -> int:
    """What is known of each node is true; how much is known."""
    known = 0
    for node in nodes_below(tree.root):
        if node.known is not None:
            known += 1
            assert node.known == wins_to_move(tree.board, node)
        for place, child in node.children.items():
            assert child.parent == (node, place)
        for place in np.flatnonzero(node.closed < 0) if node.known is None else ():
            cells = node.cells.copy()
            cells[node.moves[place]] = 1 if node.mover == "red" else 2
            assert wins_to_move(tree.board, Node(cells, opponent(node.mover)))
            known += 1
    return known


@pytest.mark.parametrize("seed", range(6))
def test_what_a_search_knows_is_true(seed: int) -> None:
    """Also when it goes on after moves that it had closed."""
    draw = random.Random(seed)
    known = 0
    for _ in range(4):
        board = Hex(*draw.choice([(3, 3), (4, 3), (3, 4)]))
        state, player = GameState(board), PolicyVcStrategy(None, seed)
        while state.winner is None:
            chosen = player.choose(state, Budget(playouts=draw.choice([5, 90, 400])))
            if player._tree is not None and bytes(player._tree.root.cells) == bytes(state.cells):
                known += check(player._tree)
            assert isinstance(chosen, int)
            state.play(state.to_move, draw.choice(state.empty) if draw.random() < 0.4 else chosen)
    assert known > 20


def test_a_search_to_the_end_knows_the_winner() -> None:
    for seed in range(12):
        draw, state = random.Random(seed), GameState(Hex(3, 3))
        for cell in draw.sample(state.board.cells, 3):
            state.play(state.to_move, cell)
        if state.winner is None:
            tree = PolicyTree(state, None)
            tree.run(Budget(playouts=5000), lambda node: None, 10**9)
            assert tree.root.known == wins_to_move(state.board, tree.root)
            assert tree.visits < 5000
            cell, share = tree.best()
            assert share == float(tree.root.known)
            if tree.root.known:
                state.play(state.to_move, cell)
                assert (state.winner or winner(state.board, *stones(state), state.to_move)) != state.to_move


def stones(state: GameState) -> tuple[frozenset[int], frozenset[int]]:
    return frozenset(state.stones("red")), frozenset(state.stones("blue"))


def test_a_later_search_begins_with_the_visits_below_the_moves_made() -> None:
    state = GameState(Hex(4, 5))
    tree = PolicyTree(state, None)
    tree.run(Budget(playouts=600), lambda node: None, 10**9)
    first, _ = tree.best()
    state.play("red", first)
    place = int(np.flatnonzero(tree.root.moves == first - 1)[0])
    below = tree.root.children[place]
    visits = below.visits.copy()
    later = PolicyTree(state, None, tree)
    assert later.root is below
    assert later.root.parent is None
    later.run(Budget(playouts=100), lambda node: None, 10**9)
    assert later.root.visits.sum() == visits.sum() + 100
    assert (later.root.visits >= visits).all()


@pytest.mark.parametrize("wins", [True, False])
def test_a_position_that_is_proved_without_a_move_is_searched_on(wins: bool) -> None:
    """Connections prove who wins; which move does it they do not say."""
    state = GameState(Hex(5, 5))
    tree = PolicyTree(state, None)
    tree.run(Budget(playouts=300), lambda node: None, 10**9)
    state.play("red", tree.best()[0])
    below = tree.node_of(state)
    assert below is not None
    below.prove(wins)
    later = PolicyTree(state, None, tree)
    assert later.root is below
    later.run(Budget(playouts=50), lambda node: None, 10**9)
    assert later.visits == 50


def test_another_game_begins_anew() -> None:
    state = GameState(Hex(4, 4))
    tree = PolicyTree(state, None)
    tree.run(Budget(playouts=200), lambda node: None, 10**9)
    assert tree.node_of(state) is tree.root
    assert tree.node_of(GameState(Hex(5, 5))) is None
    state.play("red", tree.best()[0])
    assert tree.node_of(state) is not None
    after = PolicyTree(state, None, tree)
    assert after.node_of(GameState(Hex(4, 4))) is None
    state.play("blue", "swap-pieces")
    assert after.node_of(state) is None
    assert tree.node_of(state) is None


def test_equal_searches_are_equal() -> None:
    trees = [PolicyTree(GameState(Hex(5, 5)), None) for _ in range(2)]
    for tree in trees:
        tree.run(Budget(playouts=300), lambda node: None, 40)
    assert np.array_equal(trees[0].root.visits, trees[1].root.visits)
    assert trees[0].root.visits.sum() == trees[0].visits == 300


def test_only_moves_that_are_kept_are_visited() -> None:
    tree = PolicyTree(GameState(Hex(5, 5)), None)
    tree.keep(tree.root, {3, 13, 14})
    tree.run(Budget(playouts=200), lambda node: None, 10**9)
    assert {int(tree.root.moves[place]) + 1 for place in np.flatnonzero(tree.root.visits)} <= {3, 13, 14}
    assert tree.best()[0] in {3, 13, 14}
    tree.keep(tree.root, set())
    assert tree.root.known is False
    assert 1 <= tree.best()[0] <= 25


def test_the_nodes_that_are_looked_at_are_open_and_have_the_visits() -> None:
    tree = PolicyTree(GameState(Hex(5, 5)), None)
    looked: list[Node] = []

    def look(node: Node) -> None:
        assert node.known is None
        looked.append(node)

    tree.run(Budget(playouts=500), look, 30)
    assert len(looked) > 3
    assert len({id(node) for node in looked}) == len(looked)
    assert all(node.visits.sum() >= 30 for node in looked)
    state = GameState(Hex(5, 5))
    for cell, player in tree.path(looked[-1]):
        state.play(player, cell)
    assert bytes(state.cells) == bytes(looked[-1].cells)


def test_a_search_ends_where_its_memory_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_tree, "_NODES", 300)
    tree = PolicyTree(GameState(Hex(6, 6)), None)
    tree.run(Budget(playouts=10**6), lambda node: None, 10**9)
    assert 280 < sum(1 for _ in nodes_below(tree.root)) <= 308


def test_before_its_first_visit_a_move_is_worth_what_the_policy_says() -> None:
    state = GameState(Hex(4, 6))
    state.play("red", 9)
    root = PolicyTree(state, None).root
    values = log_odds(state)[root.moves]
    assert np.allclose(root.win, 1 / (1 + np.exp(-values)), atol=1e-6)
    assert root.prior.argmax() == values.argmax()
    assert abs(root.prior.sum() - 1) < 1e-6
