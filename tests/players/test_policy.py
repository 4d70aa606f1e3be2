"""The policy network: its arithmetic, its view of the board, and labels of moves against brute force."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest

from benchmarks.policy_examples import (
    UNKNOWN,
    SolvedMoves,
    connected_moves,
    example_of,
    examples,
    random_positions,
)
from hexlogic.errors import HexlogicError
from hexlogic.games import BLUE, RED, Hex, opponent
from hexlogic.games.game_state import GameState
from hexlogic.players.evaluation import policy as network
from hexlogic.players.search.monte_carlo import MonteCarlo
from hexlogic.players.search.tracker import Tracker
from hexlogic.players.search.uct import LOST, WON
from hexlogic.players.strategies.mcts_vc import MctsVcStrategy
from hexlogic.players.strategy import Budget


def wins_by_brute_force(state: GameState, known: dict[bytes, dict[int, bool]] | None = None) -> dict[int, bool]:
    """By cell whether the move wins with perfect play, by trying everything."""
    known = {} if known is None else known
    mover, key = state.to_move, bytes(state.cells)
    if key in known:
        return known[key]
    outcome = {}
    for cell in state.empty:
        state.play(mover, cell)
        answers = {} if state.winner is not None else wins_by_brute_force(state, known)
        outcome[cell] = not any(answers.values()) if state.winner is None else state.winner == mover
        state.undo()
    return known.setdefault(key, outcome)


def states(rows: int, columns: int, seed: int, stones: int, count: int) -> list[GameState]:
    made = random_positions(Hex(rows, columns), random.Random(seed))
    return list(islice((state for state in made if len(state.turns) >= stones), count))


@pytest.mark.parametrize(("rows", "columns", "stones"), [(3, 3, 1), (3, 4, 3), (4, 3, 4), (4, 4, 7)])
def test_solved_moves_are_those_of_brute_force(rows: int, columns: int, stones: int) -> None:
    solved = SolvedMoves.on(Hex(rows, columns))
    for state in states(rows, columns, 1, stones, 25):
        wins = solved.wins(state)
        assert wins is not None
        expected = wins_by_brute_force(state)
        assert {cell: bool(wins[cell - 1]) for cell in state.empty} == expected
        assert all(wins[cell] == UNKNOWN for cell, owner in enumerate(state.cells) if owner)


def test_moves_that_connections_know_are_right() -> None:
    known = 0
    for state in states(4, 4, 2, 6, 40):
        wins, expected = connected_moves(state, Tracker()), wins_by_brute_force(state)
        known += int(np.count_nonzero(wins != UNKNOWN))
        assert all(wins[cell - 1] in (UNKNOWN, won) for cell, won in expected.items())
    assert known > 200


def test_a_mirrored_position_has_mirrored_values() -> None:
    for state in states(4, 6, 3, 2, 10):
        mirror = GameState(Hex(6, 4))
        if len(state.turns) % 2 == 0:
            state.play(state.to_move, state.empty[0])
        for turn in state.turns:
            assert isinstance(turn.action, int)
            row, column = divmod(turn.action - 1, 6)
            mirror.to_move = BLUE if turn.player == RED else RED
            mirror.play(mirror.to_move, column * 4 + row + 1)
        values = network.log_odds(state).reshape(4, 6)
        assert np.array_equal(network.log_odds(mirror).reshape(6, 4).T, values)
        shown, mirrored = (example_of(each, np.zeros(24, np.int8), each.empty[0]) for each in (state, mirror))
        assert np.array_equal(shown.cells, mirrored.cells)
        assert shown.cells[shown.chosen] == 0


def test_the_network_is_a_convolution_over_hexagons() -> None:
    rows, columns, draw = 3, 5, np.random.default_rng(4)
    cells = draw.integers(0, 3, rows * columns).astype(np.uint8)
    shown = {
        (row, column): network.planes_of(rows, columns, cells[None])[0, row, column]
        for row in range(rows + 2)
        for column in range(columns + 2)
    }
    policy = network.policy()
    for step, (weights, bias) in zip(network.STEPS[: len(policy.layers)], policy.layers, strict=True):
        channels = len(weights) // len(network.DIRECTIONS)
        after = {}
        for row, column in shown:
            seen = [
                shown.get((row + step * down, column + step * right), np.zeros(channels, np.float32))
                for down, right in network.DIRECTIONS
            ]
            summed = np.concatenate(seen) @ weights + bias
            after[row, column] = np.maximum(0, summed + shown[row, column] if channels == len(bias) else summed)
        shown = after
    expected = [policy.output @ shown[row + 1, column + 1] for row in range(rows) for column in range(columns)]
    assert np.allclose(policy.evaluate(rows, columns, cells[None]), [expected], rtol=1e-3, atol=1e-3)


def test_its_first_choice_wins_where_a_move_wins_and_another_loses() -> None:
    """Positions that it was not trained on: their seed differs."""
    right = asked = 0
    for example in islice(examples("random", Hex(5, 5), "", random.Random(991)), 150):
        (values,) = network.policy().evaluate(example.rows, example.columns, example.cells[None])
        chosen = int(np.argmax(np.where(example.cells == 0, values, -np.inf)))
        if {0, 1} <= set(example.wins.tolist()):
            asked += 1
            right += int(example.wins[chosen] == 1)
    assert asked > 40
    assert right >= 0.9 * asked


def test_layers_of_zeros_change_nothing() -> None:
    """So a network that is trained may get more of them."""
    policy = network.policy()
    few = network.Network(policy.layers[:3], policy.output)
    weights, bias = policy.layers[1]
    more = network.Network((*few.layers, (np.zeros_like(weights), np.zeros_like(bias))), policy.output)
    cells = np.random.default_rng(2).integers(0, 3, (2, 30)).astype(np.uint8)
    assert np.array_equal(few.evaluate(5, 6, cells), more.evaluate(5, 6, cells))


def test_other_files_are_no_weights() -> None:
    with pytest.raises(HexlogicError, match=r"w\.npz: no weights of a policy"):
        network.network_of(b"something else", "w.npz")


def ended_nodes(state: GameState, strategy: MctsVcStrategy) -> int:
    """How many nodes the search looks at whose game is over; what it knows of each is checked."""
    ended, mover, tree = 0, state.to_move, MonteCarlo(state, strategy.settings, 1)

    def look(node: int) -> None:
        nonlocal ended
        strategy._look(tree, node, mover)
        game = state.copy()
        for cell in tree.path(node):
            game.play(game.to_move, cell)
        if game.winner is not None:
            ended += 1
            wins = game.winner == opponent(game.to_move)
            assert tree.tree.known[node] == (WON if wins else LOST)

    tree.run(Budget(playouts=600), look)
    return ended


@pytest.mark.parametrize("visits", [1, 20])
def test_at_nodes_where_a_game_has_ended_its_winner_is_known(visits: int) -> None:
    """The tree goes on there, and the policy is not asked."""
    strategy = MctsVcStrategy(seed=1)
    strategy.settings = strategy.settings._replace(prior_at=visits, wanted_at=0)
    assert sum(ended_nodes(state, strategy) for state in states(3, 3, 5, 3, 10)) > 20


def test_the_network_is_evaluated_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads wait for each other on a busy machine: 19 ms of processor time in place of 0.4."""
    from threadpoolctl import threadpool_info

    threads = []
    maximum = np.maximum

    def told(*arrays, **options):
        threads.extend(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")
        return maximum(*arrays, **options)

    monkeypatch.setattr(np, "maximum", told)
    network.log_odds(GameState(Hex(5, 5)))
    assert threads
    assert set(threads) == {1}
