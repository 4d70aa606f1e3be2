"""Networks in ONNX: what they see and give, against sums over a window of the board; files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hexlogic.errors import HexlogicError, SizeError
from hexlogic.games import Hex
from hexlogic.games.game_state import GameState
from hexlogic.players import Budget, load_strategy
from hexlogic.players.evaluation.policy import OnnxPolicy, log_odds
from hexlogic.players.tournament.run import prepare_players
from hexlogic.process.files import write_text
from tests.players.onnx_file import convolution
from tests.players.test_tournament import settings_of

pytest.importorskip("onnxruntime")
VIEW = {"planes": ["mover", "opponent"], "border": 1, "joins": "left-right"}


def written(folder: Path, weights, rows: int = 3, columns: int = 4, **view: object) -> Path:
    file = folder / "small.onnx"
    file.write_bytes(convolution(np.asarray(weights, np.float32), rows + 2, columns + 2))
    write_text(file.with_suffix(".json"), json.dumps(VIEW | view))
    return file


def window_sums(shown: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The sums `[rows - 2, columns - 2]` of a window of 3x3 over planes `[planes, rows, columns]`."""
    _, rows, columns = shown.shape
    return np.array(
        [
            [(shown[:, row : row + 3, column : column + 3] * weights[0]).sum() for column in range(columns - 2)]
            for row in range(rows - 2)
        ]
    )


def seen(state: GameState, mover: str) -> np.ndarray:
    """Stones of the mover, who joins left and right, and of the opponent; sides as stones; blue sees it transposed."""
    board = state.board
    planes = np.zeros((2, board.rows + 2, board.columns + 2), np.float32)
    planes[0, 1:-1, 0] = planes[0, 1:-1, -1] = 1
    planes[1, 0, 1:-1] = planes[1, -1, 1:-1] = 1
    for cell, sign in enumerate(state.cells, 1):
        if sign:
            planes[sign - 1, board.row(cell), board.column(cell)] = 1
    return planes if mover == "red" else planes[::-1].transpose(0, 2, 1)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("joins", ["left-right", "top-bottom"])
@pytest.mark.parametrize("moves", [("b2",), ("b2", "d1"), ("a1", "c3", "d2")])
def test_a_network_sees_the_board_as_its_file_says(tmp_path, moves, joins, turned):
    board = Hex(3, 4)
    state = GameState(board)
    for cell in moves:
        state.play(state.to_move, board.parse_cell(cell))
    weights = np.random.default_rng(1).integers(-5, 6, (1, 2, 3, 3)).astype(np.float32)
    shown = seen(state, state.to_move)
    if joins == "top-bottom":
        shown = shown.transpose(0, 2, 1)
    _, rows, columns = shown.shape
    wanted = window_sums(shown, weights)
    if turned:
        wanted = (wanted + window_sums(shown[:, ::-1, ::-1], weights)[::-1, ::-1]) / 2
    is_transposed = (joins == "top-bottom") != (state.to_move == "blue")
    wanted = wanted.T if is_transposed else wanted
    policy = OnnxPolicy(written(tmp_path, weights, rows - 2, columns - 2, joins=joins, turned=turned))
    assert np.array_equal(log_odds(state, policy), wanted.reshape(-1))


def test_planes_without_a_border_and_of_empty_cells(tmp_path):
    weights = np.zeros((1, 3, 3, 3), np.float32)
    weights[0, :, 1, 1] = 1, 10, 100
    state = GameState(Hex(3, 3))
    state.play("red", 5)
    file = written(tmp_path, weights, 3, 3, planes=["opponent", "cells", "empty"])
    assert log_odds(state, OnnxPolicy(file)).tolist() == [110] * 4 + [11] + [110] * 4
    file = written(tmp_path, weights, 1, 1, planes=["opponent", "cells", "empty"], border=0)
    with pytest.raises(HexlogicError, match="it gives 1 numbers for 9 cells"):
        log_odds(state, OnnxPolicy(file))


def test_players_with_a_network(tmp_path):
    weights = np.zeros((1, 2, 3, 3), np.float32)
    weights[0, 0] = 1  # near own stones and sides
    file = written(tmp_path, weights, 4, 4)
    state = GameState(Hex(4, 4))
    raw = load_strategy(f"policy:{file}")
    assert state.board.cell_name(raw.choose(state, Budget())) == "a2"
    strong = load_strategy(f"best:net={file}", 1)
    assert strong.choose(state, Budget(playouts=300)) in state.empty
    with pytest.raises(SizeError, match="the network is for boards of 4x4, not 5x5"):
        strong.prepare(Hex(5, 5))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"planes": ["mover", "stones"]}, "no description of a network"),
        ({"size": 4}, "no description of a network"),
        ({"planes": ["mover"]}, "`planes` of small.json names them"),
        ({"border": 9}, "no description of a network"),
    ],
)
def test_descriptions_that_do_not_fit_are_named(tmp_path, change, words):
    file = written(tmp_path, np.zeros((1, 2, 3, 3)), **change)
    with pytest.raises(HexlogicError) as raised:
        OnnxPolicy(file)
    assert words in f"{raised.value} {raised.value.hint}"
    assert "small." in str(raised.value)


def test_files_that_are_no_network(tmp_path):
    file = written(tmp_path, np.zeros((1, 2, 3, 3)))
    file.write_bytes(b"no network")
    with pytest.raises(HexlogicError, match="no network in ONNX"):
        OnnxPolicy(file)
    file.unlink()
    with pytest.raises(HexlogicError, match=r"small\.onnx"):
        OnnxPolicy(file)
    file.with_suffix(".json").unlink()
    with pytest.raises(HexlogicError, match=r"small\.json"):
        OnnxPolicy(file)
    with pytest.raises(HexlogicError, match="'nets=3' is no level"):
        load_strategy("best:nets=3")
    for player in ("best:net=", "policy:", "policy:..", f"policy:{file.with_suffix('.json')}"):
        with pytest.raises(HexlogicError, match="names no network"):
            load_strategy(player)


def test_a_tournament_names_a_size_that_the_network_does_not_take(tmp_path):
    file = written(tmp_path, np.zeros((1, 2, 3, 3)), 4, 4)
    settings = settings_of(("random", f"best:net={file}"), sizes=("4", "5"), openings={"4": ((),), "5": ((),)})
    with pytest.raises(SizeError, match="the network is for boards of 4x4, not 5x5"):
        prepare_players(settings)
