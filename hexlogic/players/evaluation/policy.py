"""A convolutional policy for boards of any size, evaluated with numpy.

The board is seen by the player to move (`seen_by_mover`), with its sides as stones around it. A layer joins
each cell with its six neighbours, or with the cells in the same six directions some steps away:

    x' = relu(x + bias + sum over seven directions of W[direction] x[cell + direction])

The output is one number for each cell: the log-odds that the move wins.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError, SizeError
from hexlogic.games import RED, Hex, Player
from hexlogic.games.game_state import GameState
from hexlogic.process.extras import need
from hexlogic.process.files import decode_json, readable
from hexlogic.process.threads import one_blas_thread

DIRECTIONS: Final = ((-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0))
"""Rows and columns to a cell's neighbours and to itself."""
_WAYS: Final = np.array(DIRECTIONS).T
STEPS: Final = (1, 1, 2, 1, 4, 1, 2, 1, 4, 1, 2, 1)
"""By layer, how far its directions reach; a network may have fewer layers."""
PLANES: Final = 3
"""Stones of the mover, stones of the opponent, cells of the board."""
Floats: TypeAlias = NDArray[np.float32]


def planes_of(rows: int, columns: int, boards: NDArray[np.uint8]) -> Floats:
    """The input `[boards, rows + 2, columns + 2, PLANES]` for boards `[boards, rows * columns]` as the mover sees them:
    0 empty, 1 own, 2 opponent."""
    planes = np.zeros((len(boards), rows + 2, columns + 2, PLANES), np.float32)
    cells = boards.reshape(-1, rows, columns)
    planes[:, 1:-1, [0, -1], 0] = planes[:, [0, -1], 1:-1, 1] = planes[:, 1:-1, 1:-1, 2] = 1
    planes[:, 1:-1, 1:-1, 0], planes[:, 1:-1, 1:-1, 1] = cells == 1, cells == 2
    return planes


@dataclass(frozen=True, eq=False)
class Network:
    """The weights: of each layer a matrix `[7 * channels in, channels out]` (directions first) and a bias `[channels
    out]`, and of the output a row `[channels]`; float32."""

    layers: tuple[tuple[Floats, Floats], ...]
    output: Floats

    def evaluate(self, rows: int, columns: int, boards: NDArray[np.uint8]) -> Floats:
        """The log-odds `[boards, rows * columns]` that a move wins, for boards as the mover sees them, `[boards, rows *
        columns]` uint8. On cells with stones they mean nothing."""
        shown: Floats = planes_of(rows, columns, boards).reshape(-1, PLANES)
        with one_blas_thread():
            for step, (weights, bias) in zip(STEPS[: len(self.layers)], self.layers, strict=True):
                beyond = np.zeros((1, shown.shape[1]), np.float32)
                seen = np.concatenate([shown, beyond]).take(_around(len(boards), rows, columns, step), axis=0)
                summed = seen.reshape(len(shown), -1) @ weights
                summed += bias
                if shown.shape == summed.shape:
                    summed += shown
                shown = np.maximum(summed, 0, out=summed)
            values = (shown @ self.output).reshape(-1, rows + 2, columns + 2)
        return np.ascontiguousarray(values[:, 1:-1, 1:-1]).reshape(len(boards), -1)


@lru_cache(maxsize=64)
def _around(boards: int, rows: int, columns: int, step: int) -> NDArray[np.int64]:
    """For each padded cell of boards in a row the cells so many steps away, `[boards * cells, directions]`; beyond the
    padding the number after the last cell."""
    height, width = rows + 2, columns + 2
    row, column = (
        axis.reshape(-1, 1) + step * way for axis, way in zip(np.indices((height, width)), _WAYS, strict=True)
    )
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    cells = row * width + column
    each = [np.where(inside, cells + board * len(cells), boards * len(cells)) for board in range(boards)]
    return np.concatenate(each)


@cache
def policy() -> Network:
    """The network that comes with the package."""
    return network_of(files(__package__).joinpath("policy.npz").read_bytes(), "policy.npz")


def log_odds(state: GameState, network: Policy | None = None) -> Floats:
    """The log-odds `[cells]` that a move of the player to move wins, in the order of the board; on stones they mean
    nothing. Without a network by the one that comes with the package."""
    cells = np.frombuffer(bytes(state.cells), np.uint8)
    (values,) = log_odds_of(state.board, [(cells, state.to_move)], network)
    return values


def log_odds_of(
    board: Hex, positions: Sequence[tuple[NDArray[np.uint8], Player]], network: Policy | None = None
) -> list[Floats]:
    """As `log_odds`, for positions of one board: their cells (0 empty, 1 red, 2 blue) and who is to move."""
    seen = [seen_by_mover(board, cells, mover) for cells, mover in positions]
    values: list[Floats] = [np.empty(0, np.float32)] * len(positions)
    for size in {each[:2] for each in seen}:
        numbers = [number for number, each in enumerate(seen) if each[:2] == size]
        answers = (network or policy()).evaluate(*size, np.stack([seen[number][2] for number in numbers]))
        for number, answer in zip(numbers, answers, strict=True):
            values[number] = np.empty_like(answer)
            values[number][seen[number][3]] = answer
    return values


def seen_by_mover(
    board: Hex, cells: NDArray[np.uint8], mover: Player
) -> tuple[int, int, NDArray[np.uint8], NDArray[np.int64]]:
    """Rows, columns and cells as the mover sees them, and for each of these cells its place on the board, from 0."""
    rows, columns = board.rows, board.columns
    places = np.arange(rows * columns, dtype=np.int64)
    if mover == RED:
        return rows, columns, cells, places
    exchanged = np.array([0, 2, 1], np.uint8)[cells].reshape(rows, columns).T
    return columns, rows, exchanged.reshape(-1), places.reshape(rows, columns).T.reshape(-1)


def network_of(data: bytes, name: str) -> Network:
    """The network in a file of weights (npz, float16). Raises HexlogicError for a file of another kind."""
    try:
        with np.load(BytesIO(data), allow_pickle=False) as stored:
            arrays = {key: stored[key].astype(np.float32) for key in stored.files}
        if not 1 <= (count := len(arrays) // 2) <= len(STEPS):
            raise ValueError(f"{count} layers")
        layers = ((arrays[f"weights{number}"], arrays[f"bias{number}"]) for number in range(count))
        return Network(tuple((np.ascontiguousarray(weights.T), bias) for weights, bias in layers), arrays["output"])
    except (KeyError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise HexlogicError(f"{name}: no weights of a policy ({error})") from None


class View(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network sees the board and what it gives: the file of JSON beside `NAME.onnx`, `NAME.json`.

        {"planes": ["mover", "opponent"], "border": 1, "joins": "top-bottom", "turned": true}

    `planes` of the input `[1, planes, rows + 2 border, columns + 2 border]`, in their order: stones of the `mover`, of
    the `opponent`, `cells` of the board, and those that are `empty`. `border`: lines of padding around the board; the
    sides of both players stand in the innermost one as their stones. `joins`: the sides that the mover joins. `turned`:
    whether the answers for the board and for the board turned by 180 degrees are averaged. The output is one number for
    each cell, row by row: the log-odds that a move there wins, or logits of a policy.
    """

    planes: tuple[Literal["mover", "opponent", "cells", "empty"], ...]
    border: Annotated[int, msgspec.Meta(ge=0, le=8)] = 0
    joins: Literal["top-bottom", "left-right"] = "top-bottom"
    turned: bool = False


class OnnxPolicy:
    """A network in ONNX that others have trained, as a policy for boards of one size. Raises HexlogicError for files
    that are none, with their names, and where onnxruntime is not installed."""

    def __init__(self, file: Path) -> None:
        if file.suffix != ".onnx":
            raise HexlogicError(f"{str(file)!r} names no network", hint="FILE.onnx, and FILE.json beside it")
        need("net")
        import onnxruntime as runtime

        described = file.with_suffix(".json")
        with readable(described, "description of a network", HexlogicError):
            text = described.read_bytes()
        try:
            self.view = decode_json(text, View)
        except msgspec.DecodeError as error:
            raise HexlogicError(f"no description of a network: {error}", file=str(described)) from None
        with readable(file, "network", HexlogicError):
            data = file.read_bytes()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            self._session: Any = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # of a class of its own for each way in which a file is none
            raise HexlogicError(f"no network in ONNX: {str(error).splitlines()[0]}", file=str(file)) from None
        shape = self._session.get_inputs()[0].shape
        if len(shape) != 4 or shape[1] != len(self.view.planes):
            what = f"its input has the shape {shape}, not [1, {len(self.view.planes)}, rows, columns]"
            raise HexlogicError(what, file=str(file), hint=f"`planes` of {described.name} names them")
        self._file, self._shape = str(file), shape[2:]

    def evaluate(self, rows: int, columns: int, boards: NDArray[np.uint8]) -> Floats:
        """As `Network.evaluate`. Raises SizeError for boards of another size than the network's."""
        return np.stack([self._evaluate(rows, columns, planes) for planes in planes_of(rows, columns, boards)])

    def _evaluate(self, rows: int, columns: int, seen: Floats) -> Floats:
        view = self.view
        own, other, inside = np.moveaxis(seen, -1, 0)
        named = {"mover": own, "opponent": other, "cells": inside, "empty": inside * (1 - own) * (1 - other)}
        lines = max(0, view.border - 1)
        padded = np.pad([named[name] for name in view.planes], ((0, 0), (lines, lines), (lines, lines)))
        planes: Floats = padded.astype(np.float32)
        if view.border == 0:
            planes = planes[:, 1:-1, 1:-1]
        if view.joins == "top-bottom":
            planes = planes.transpose(0, 2, 1)
        wanted = [side if isinstance(side, int) else planes.shape[1 + axis] for axis, side in enumerate(self._shape)]
        if list(planes.shape[1:]) != wanted:
            size = "x".join(str(side - 2 * view.border) for side in wanted)
            raise SizeError(f"the network is for boards of {size}, not {rows}x{columns}", file=self._file)
        values = self._run(planes)
        if view.turned:
            values = (values + self._run(planes[:, ::-1, ::-1])[::-1]) / np.float32(2)
        if len(values) != rows * columns:
            raise HexlogicError(f"it gives {len(values)} numbers for {rows * columns} cells", file=self._file)
        if view.joins == "top-bottom":
            values = values.reshape(columns, rows).T.reshape(-1)
        return np.ascontiguousarray(values)

    def _run(self, planes: Floats) -> Floats:
        name = self._session.get_inputs()[0].name
        values: Floats = np.asarray(self._session.run(None, {name: np.ascontiguousarray(planes)[None]})[0], np.float32)
        return values.reshape(-1)


Policy: TypeAlias = Network | OnnxPolicy
"""What gives each move a number."""
