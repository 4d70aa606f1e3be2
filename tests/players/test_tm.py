"""The strategy `tm`: its votes are those of the model, it wins at once where it can, bad models are refused."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.games.game_state import GameState
from hexlogic.players.evaluation.clause_model import ClauseModel, Predictor, read_model, write_model
from hexlogic.players.evaluation.prediction_file import ModelCard, View
from hexlogic.players.evaluation.symbols import SymbolSet
from hexlogic.players.strategies import load_strategy
from hexlogic.players.strategies.tm import TmStrategy
from hexlogic.players.strategy import Budget

BOARD = Hex.square(4)


def random_model(view: View, seed: int = 3) -> ClauseModel:
    """Clauses of one to three random literals."""
    text = "pairs+occupancy+won+bridges+to-move+circuit"
    symbols = SymbolSet(text, BOARD).names
    chance = np.random.default_rng(seed)
    lengths = chance.integers(1, 4, 200)
    return ClauseModel(
        BOARD,
        symbols,
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
        chance.integers(0, 2 * len(symbols), int(lengths.sum())).astype(np.int32),
        chance.integers(-9, 10, 200).astype(np.int32),
        ModelCard(200, text, view),
        {name: np.zeros((0, 16) if name == "boards" else 0, np.uint8) for name in ("boards", "to_move", "winners")},
    )


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize("view", ["plain", "mover", "twins"])
def test_one_ply_takes_a_move_with_most_votes(view: View, tmp_path: Path) -> None:
    write_model(random_model(view), tmp_path / "a.model")
    predictor = Predictor(read_model(tmp_path / "a.model"))
    player = TmStrategy(str(tmp_path / "a.model"))
    state = GameState(BOARD)
    for cell in (6, 11, 1):
        votes = {}
        sign = 1 if state.to_move == "red" else 2
        for move in BOARD.cells:
            if not state.cells[move - 1]:
                cells = np.frombuffer(bytes(state.cells), np.uint8).copy()
                cells[move - 1] = sign
                red = int(predictor.votes(cells[None], np.array([3 - sign], np.uint8))[0])
                votes[move] = red if sign == 1 else -red
        assert votes[player.choose(state, Budget())] == max(votes.values())
        assert len(set(votes.values())) > 3
        state.play(state.to_move, cell)


@pytest.mark.parametrize("option", ["", ":30"])
def test_it_takes_a_win_and_plays_legal_games(option: str, tmp_path: Path) -> None:
    write_model(random_model("plain"), tmp_path / "a.model")
    player = load_strategy(f"tm:{tmp_path / 'a.model'}{option}", 5)
    player.prepare(BOARD)
    state = GameState(BOARD)
    for cell in (5, 1, 6, 2, 7, 3):
        state.play(state.to_move, cell)
    if not option:
        # Red has a2, b2, c2 and wins at d2 or, over the short diagonal, at d1.
        assert player.choose(state, Budget()) in (8, 4)
    state = GameState(BOARD)
    while state.winner is None:
        state.play(state.to_move, player.choose(state, Budget()))
    assert state.winner in ("red", "blue")


def test_the_search_ends_with_the_time_of_the_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that goes on by a second at each look, a search of a thousand positions ends after the fifth."""
    write_model(random_model("plain"), tmp_path / "a.model")
    player = TmStrategy(f"{tmp_path / 'a.model'}:1000")
    looks = itertools.count()
    monkeypatch.setattr(Budget, "now", lambda budget: float(next(looks)))
    player.choose(GameState(BOARD), Budget(seconds=5))
    assert player.note.endswith("of 5 positions")


def test_bad_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HexlogicError, match="player tm: it needs a model"):
        load_strategy("tm")
    with pytest.raises(HexlogicError, match=r"nowhere\.model: there is no model here"):
        load_strategy("tm:nowhere.model")
    model = random_model("plain")
    other = ClauseModel(
        BOARD, ("joined(red)",), np.array([0], np.int32), np.zeros(0, np.int32), np.zeros(0, np.int32), model.card,
        model.sample,
    )  # fmt: skip
    write_model(other, tmp_path / "b.model")
    with pytest.raises(HexlogicError, match=r"symbol 0 of the model, 'joined\(red\)', is unknown"):
        load_strategy(f"tm:{tmp_path / 'b.model'}")
    write_model(model, tmp_path / "a.model")
    with pytest.raises(HexlogicError, match="the model is for 4x4 Hex, the positions are 3x3 Hex"):
        load_strategy(f"tm:{tmp_path / 'a.model'}").choose(GameState(Hex.square(3)), Budget())
