"""What players take from virtual connections: the tracker follows games, and the position graph measures them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.games import Hex, Position, opponent
from hexlogic.games.game_state import GameState
from hexlogic.players.connections import Connections
from hexlogic.players.search.tracker import Tracker
from hexlogic.players.strategies.vc_shallow import FAR, position_graph
from tests.players.exhaustive_search import winner
from tests.players.test_alpha_beta import random_state

STATES = st.builds(random_state, st.integers(0, 10**6), st.just(4), st.just(4), st.integers(7, 10))


@settings(deadline=None, max_examples=25)
@given(state=STATES)
def test_what_the_tracker_proves_is_true(state):
    tracker = Tracker()
    tracker.follow(state)
    mover, red, blue = state.to_move, state.stones("red"), state.stones("blue")
    truth = winner(state.board, red, blue, mover)
    if tracker.wins_to_move(mover):
        assert truth == mover
    if tracker.wins_as_second(opponent(mover)):
        assert truth == opponent(mover)
    for cell in state.empty:
        if cell not in tracker.connections.must_play(mover):
            after = state.position.play(mover, cell)
            assert winner(state.board, after.red, after.blue, opponent(mover)) == opponent(mover)
    if (move := tracker.winning_move(mover)) is not None:
        after = state.position.play(mover, move)
        assert winner(state.board, after.red, after.blue, opponent(mover)) == mover


def edges(tracker: Tracker) -> dict[str, set[tuple[str, frozenset[int]]]]:
    return {
        player: {(each.kind, each.carrier) for each in tracker.connections.edge_to_edge(player)}
        for player in ("red", "blue")
    }


@pytest.mark.parametrize("seed", range(4))
def test_a_game_that_is_followed_has_sound_connections(seed):
    """Moves, moves taken back, a swap and a new game: after each, what joins the sides is true."""
    rng = random.Random(seed)
    tracker = Tracker()
    board = Hex(4, 4)
    state = GameState(board)
    for ply in range(8):
        if ply == 1:
            state.play("blue", "swap-pieces")
        else:
            state.play(state.to_move, rng.choice(state.empty))
        if state.winner is not None:
            break
        tracker.follow(state)
        assert tracker.connections.position == state.position
        if ply == 5:
            state.undo()
            state.undo()
            tracker.follow(state)
            assert tracker.connections.position == state.position
    tracker.follow(GameState(board))
    assert tracker.connections.position == Position(board)


def test_entering_and_leaving_restores_the_connections():
    tracker = Tracker()
    state = GameState(Hex(4, 4))
    state.play("red", 6)
    tracker.follow(state)
    before = edges(tracker)
    for path in ([(11, "blue"), (7, "red")], [(11, "blue"), (10, "red"), (3, "blue")], []):
        tracker.enter(path)
        stones = state.position
        for cell, player in path:
            stones = stones.play(player, cell)
        assert tracker.connections.position == stones
    assert edges(tracker) == before


def test_a_winning_connection_is_made_to_the_end():
    """The winner plays what the tracker says, the other anything: the game ends with its chain."""
    board = Hex(5, 5)
    for seed in range(3):
        state = GameState(board)
        state.play("red", board.parse_cell("c3"))
        tracker, rng = Tracker(), random.Random(seed)
        while state.winner is None:
            if state.to_move == "blue":
                state.play("blue", rng.choice(state.empty))
            else:
                tracker.follow(state)
                move = tracker.winning_move("red")
                assert move is not None, state.position.to_text()
                state.play("red", move)
        assert state.winner == "red"


@settings(deadline=None, max_examples=25)
@given(state=STATES)
def test_the_graph_has_no_way_over_stones_of_the_opponent(state):
    connections = Connections(state.position)
    for player in ("red", "blue"):
        graph = position_graph(connections, player)
        assert len(graph.sums) == len(state.cells) + 1
        assert all(graph.sums[cell] == FAR for cell in state.stones(opponent(player)))
        joined = connections.edge_to_edge(player)
        if joined and joined[0].kind == "full":
            # every move of a full connection answers one of the opponent, so that few lengths are left
            assert graph.distance < 0.13 * (joined[0].depth + 1)


def test_the_graph_of_the_mirror_image_is_the_same():
    state = random_state(5, 5, 5, 6)
    mirror = state.position.transposed()
    here, there = Connections(state.position, None, None), Connections(mirror, None, None)
    for player in ("red", "blue"):
        one, two = position_graph(here, player), position_graph(there, opponent(player))
        assert one.distance == pytest.approx(two.distance)
        for cell in state.empty:
            assert one.sums[cell] == pytest.approx(two.sums[state.board.transpose(cell)])


def test_a_stone_brings_the_edges_nearer():
    empty, stone = Connections(Hex(5, 5)), Connections(Hex(5, 5))
    stone.play(13, "red")
    before, after = position_graph(empty, "red").distance, position_graph(stone, "red").distance
    assert after < before
    assert position_graph(stone, "blue").distance >= position_graph(empty, "blue").distance
