"""Logic programs as players, good ones and broken ones."""

from __future__ import annotations

import pytest

from hexlogic.errors import EngineError, HexlogicError, MoveError
from hexlogic.games import Hex, Position
from hexlogic.games.game_state import GameState
from hexlogic.players import Budget, load_strategy
from hexlogic.players.tournament.run import play_game
from hexlogic.process.files import rules_folder
from tests.players.states import state_of

FREE = "free(X) :- cell(X), not owns(red,X), not owns(blue,X).\n"


def player_of(tmp_path, text: str):
    file = tmp_path / "player.lp"
    file.write_text(text, encoding="utf-8")
    return load_strategy(f"rules:{file}")


def test_a_program_plays(tmp_path):
    player = player_of(tmp_path, FREE + "best(X) :- free(X), not lower(X).\nlower(X) :- free(X), free(Y), Y < X.\n")
    try:
        assert player.choose(GameState(Hex(3, 3)), Budget()) == 1
        assert player.choose(state_of(Position(Hex(2, 4), red=frozenset({1}))), Budget()) == 2
    finally:
        player.close()


def test_a_program_reads_who_moves_and_the_last_stone(tmp_path):
    text = "#defined turn/1.\n#defined played/1.\nbest(X+1) :- played(X), turn(blue).\nbest(9) :- turn(red).\n"
    player = player_of(tmp_path, text)
    state = GameState(Hex(3, 3))
    try:
        assert player.choose(state, Budget()) == 9
        state.play("red", 4)
        assert player.choose(state, Budget()) == 5
    finally:
        player.close()


def test_the_bridge_builder_fills_bridges_builds_and_connects():
    assert (rules_folder() / "strategy" / "bridge-builder.lp").is_file()
    player = load_strategy("rules:bridge-builder")
    board = Hex(5, 5)

    def choice(red, blue):
        state = state_of(Position.of(board, red=red, blue=blue), to_move="red")
        return board.cell_name(player.choose(state, Budget()))

    try:
        # b4 and c2 are a bridge over b3 and c3
        assert choice(["b4", "c2"], ["b3"]) == "c3"
        assert choice(["b4", "c2"], ["c3"]) == "b3"
        # a bridge from b4 to the left side over a4 and a5
        assert choice(["b4"], ["a4"]) == "a5"
        # complete: the cells of its bridges are filled
        assert choice(["b4", "c3", "d2"], ["a1", "e5"]) in {"a4", "a5", "e1", "e2", "c4", "b3", "c2", "d3"}
    finally:
        player.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("best(X) :- cell(X), X > 100.\n", "offers no move (best/1 must hold for an empty cell)"),
        ("best(100).\n", "offers 100, which is no cell"),
        ("best(0).\n", "offers 0, which is no cell"),
    ],
)
def test_programs_without_a_move_are_told(tmp_path, text, message):
    player = player_of(tmp_path, text)
    try:
        with pytest.raises(MoveError) as refused:
            player.choose(GameState(Hex(3, 3)), Budget())
        assert str(refused.value) == f"player.lp {message}"
    finally:
        player.close()


def test_a_taken_cell_loses_the_game(tmp_path):
    player = player_of(tmp_path, "best(1).\n")
    try:
        outcome = play_game(Hex(3, 3), (player, load_strategy("random")), Budget())
    finally:
        player.close()
    assert (outcome.winner, outcome.colour) == (1, "blue")
    assert outcome.reason == "red forfeits: cell a1 is already red"


def test_a_program_that_never_ends_loses_the_game(tmp_path, monkeypatch):
    monkeypatch.setattr("hexlogic.players.strategies.rules._LIMIT_S", 1.0)
    # grounding has no end
    player = player_of(tmp_path, "count(0).\ncount(N+1) :- count(N).\nbest(X) :- count(X), cell(X).\n")
    try:
        with pytest.raises(EngineError, match=r"player.lp gives no move in 1 s"):
            player.choose(GameState(Hex(3, 3)), Budget())
    finally:
        player.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("good(X) :- cell(X).\n", "player.lp:1:1: no rule defines best/1 (best(X) :- ...)"),
        ("best(X) :- .\n", "player.lp:1:12:"),
        ("best(X) :- not cell(X).\n", "player.lp:1:"),
        ("best(X) :- cell(X), not best(X).\n", "player.lp:1:"),
    ],
)
def test_wrong_programs_are_refused_with_their_place(tmp_path, text, message):
    with pytest.raises(HexlogicError) as refused:
        player_of(tmp_path, text)
    assert str(refused.value).startswith(message)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(HexlogicError, match=r"nothing.lp: cannot read the rules: no such file"):
        load_strategy(f"rules:{tmp_path}/nothing.lp")
    with pytest.raises(HexlogicError, match="it needs a file with rules"):
        load_strategy("rules")
