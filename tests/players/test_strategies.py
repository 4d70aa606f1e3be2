"""Every registered strategy plays whole games on any board; a new one is a file and a case here."""

from __future__ import annotations

import random

import pytest

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.games import Hex, Position
from hexlogic.games.game_state import GameRecord, GameState
from hexlogic.players import Budget, load_strategy, strategy_names
from hexlogic.players.tournament.run import play_game
from tests.players.exhaustive_search import winner
from tests.players.states import state_of

pytestmark = pytest.mark.many_cases(keep=2)

CASES = {
    "alpha-beta": "alpha-beta:1:two-distance",
    "best": "best:5",
    "bridge": "bridge",
    "count-connected": "count-connected",
    "mcts": "mcts:300",
    "mcts-vc": "mcts-vc:200",
    "openspiel": "openspiel:50",
    "policy": "policy",
    "policy-vc": "policy-vc:100",
    "random": "random",
    "resistance": "resistance:1",
    "rules": "rules:bridge-builder",
    "solver": "solver",
    "tm": "tm:FILE",
    "two-distance": "two-distance",
    "vc-shallow": "vc-shallow:1:4",
    "vc-very-shallow": "vc-very-shallow:5",
}
BUDGET = Budget(playouts=200)
# `tm` needs a file with a model for one board: test_tm.py.
HERE = [name for name in sorted(CASES) if name in strategy_names() and name != "tm"]


def test_every_strategy_has_a_case():
    assert set(strategy_names()) <= set(CASES)


def made(name: str, seed: int = 0):
    if name == "openspiel":
        pytest.importorskip("pyspiel")
    return load_strategy(CASES[name], seed)


def test_best_resigns_where_no_move_breaks_a_connection_and_the_solver_plays_on():
    state = GameState(Hex(5, 5))
    for cell in ("c3", "a1", "c2", "a5"):  # red c3 has a bridge to either side, and two stones more
        state.play(state.to_move, state.board.parse_cell(cell))
    state.play("red", state.board.parse_cell("c4"))
    assert load_strategy("best").choose(state, Budget(playouts=100)) == "resign"
    assert load_strategy("solver").choose(state, Budget(playouts=100)) in state.empty


@pytest.mark.parametrize("board", [Hex(5, 5), Hex(7, 7)], ids=lambda board: board.size_text)
def test_a_won_game_gets_shorter_with_each_move(board):
    """After the opening in the middle, which wins, best needs no more stones than its smallest connection has pairs."""
    state = GameState(board)
    state.play("red", len(board.cells) // 2 + 1)
    best, other = load_strategy("best", 1), load_strategy("random", 3)
    while state.winner is None:
        player = best if state.to_move == "red" else other
        state.play(state.to_move, player.choose(state, Budget(playouts=100)))
    assert state.winner == "red"
    assert len(state.stones("red")) <= 2 * board.columns


@pytest.mark.parametrize("name", HERE)
@pytest.mark.parametrize("board", [Hex(4, 4), Hex(3, 5), Hex(5, 3), Hex(1, 3)], ids=lambda board: board.size_text)
def test_a_strategy_plays_to_the_end_on_any_board(name, board):
    if name == "openspiel" and board.rows == 1:
        pytest.skip("OpenSpiel crashes on boards of one row")
    player, other = made(name), load_strategy("random", 3)
    try:
        for seats in ((player, other), (other, player)):
            outcome = play_game(board, seats, BUDGET, swap=True)
            assert outcome.reason == "connection", outcome
            assert board.has_won(GameRecord(board, outcome.turns).final_state().stones(outcome.colour), outcome.colour)
    finally:
        player.close()


@pytest.mark.parametrize("name", HERE)
def test_equal_seeds_play_equal_games(name):
    games = []
    for _ in range(2):
        player = made(name, seed=7)
        try:
            games.append(play_game(Hex(4, 4), (player, load_strategy("random", 1)), BUDGET).turns)
        finally:
            player.close()
    assert games[0] == games[1]


def test_a_search_with_counted_playouts_repeats_exactly_on_a_larger_board():
    state = GameState(Hex(7, 7))
    notes = set()
    for _ in range(2):
        player = load_strategy("mcts-vc:1500", seed=3)
        notes.add((player.choose(state, Budget()), player.note))
    assert len(notes) == 1


@pytest.mark.parametrize("name", [name for name in HERE if name not in ("random", "bridge", "rules", "best")])
def test_a_strategy_takes_a_win_in_one(name):
    # red needs d2 between c2 and the right side of a board of four columns; blue threatens nothing
    position = Position.of(Hex(4, 4), red=["a2", "b2", "c2"], blue=["a4", "b4", "d1"])
    state = state_of(position)
    player = made(name)
    try:
        player.prepare(state.board)
        cell = player.choose(state, BUDGET)
        assert isinstance(cell, int)
        # d2 wins at once; c3 or another cell may keep the bridge, but no connection of blue's may be left
        assert winner(position.game, position.red | {cell}, position.blue, "blue") == "red"
    finally:
        player.close()


@pytest.mark.parametrize("name", ["mcts-vc", "policy-vc", "vc-shallow", "vc-very-shallow"])
def test_connections_win_every_won_position_of_a_small_board(name):
    board = Hex(4, 4)
    player = made(name)
    rng = random.Random(1)
    for _ in range(12):
        cells = rng.sample(list(board.cells), 6)
        state = state_of(Position(board, frozenset(cells[::2]), frozenset(cells[1::2])))
        if state.winner is None and winner(board, *map(state.stones, ("red", "blue")), "red") == "red":
            cell = player.choose(state, Budget(playouts=3000))
            assert winner(board, state.stones("red") | {cell}, state.stones("blue"), "blue") == "red"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bridg", "unknown player 'bridg' (did you mean bridge?)"),
        ("bridge:3", "player bridge:3: it takes no option, such as '3'"),
        ("mcts:many", "player mcts:many: 'many' is no number of playouts (a number from 1 to 1000000000)"),
        ("mcts:0", "player mcts:0: '0' is no number of playouts"),
        ("best:10", "player best:10: '10' is no level (a number from 1 to 9)"),
        ("alpha-beta:2:luck", "unknown evaluation 'luck'"),
        ("vc-shallow:4:6:8:1", "player vc-shallow:4:6:8:1: '4:6:8:1' is more than three numbers"),
    ],
)
def test_wrong_names_are_told(text, message):
    with pytest.raises(HexlogicError) as refused:
        load_strategy(text)
    assert message in str(refused.value)
    assert isinstance(refused.value, UnknownNameError) or ":" in str(refused.value)


def test_bridge_and_very_shallow_search_beat_random():
    for name in ("bridge", "vc-very-shallow:10"):
        player = load_strategy(name)
        for seed in range(4):
            seats = [player, load_strategy("random", seed)]
            first = seed % 2
            outcome = play_game(Hex(7, 7), seats if first == 0 else seats[::-1], BUDGET)
            assert outcome.winner == first, (name, seed)


def test_levels_get_stronger():
    def score(one: str, two: str) -> int:
        won = 0
        for seed in range(8):
            seats = [load_strategy(one, seed), load_strategy(two, seed + 50)]
            outcome = play_game(Hex(5, 5), seats if seed % 2 else seats[::-1], BUDGET)
            won += outcome.winner == (0 if seed % 2 else 1)
        return won

    assert score("best:1", "random") >= 6
    assert score("best:6", "best:1") >= 6


def test_openspiel_refuses_boards_on_which_it_crashes():
    player = made("openspiel")
    with pytest.raises(HexlogicError, match="OpenSpiel plays no 1x3 Hex"):
        player.choose(GameState(Hex(1, 3)), BUDGET)
