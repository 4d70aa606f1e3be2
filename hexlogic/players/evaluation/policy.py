"""A convolutional policy for boards of any size, evaluated with numpy.

The board is seen by the player to move (`seen_by_mover`), with its sides as stones around it. A layer joins
each cell with its six neighbours, or with the cells in the same six directions some steps away:

    x' = relu(x + bias + sum over seven directions of W[direction] x[cell + direction])

The output is one number for each cell: the log-odds that the move wins.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games import RED
from hexlogic.games.game_state import GameState

DIRECTIONS: Final = ((-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0))
"""Rows and columns to a cell's neighbours and to itself."""
STEPS: Final = (1, 1, 2, 1, 4, 1, 2, 1)
"""By layer, how far its directions reach."""
PLANES: Final = 3
"""Stones of the mover, stones of the opponent, cells of the board."""
Floats: TypeAlias = NDArray[np.float32]


def planes_of(rows: int, columns: int, cells: NDArray[np.uint8]) -> Floats:
    """The input `[PLANES, rows + 2, columns + 2]` for cells as the mover sees them (0 empty, 1 own, 2 opponent)."""
    planes = np.zeros((PLANES, rows + 2, columns + 2), np.float32)
    board = cells.reshape(rows, columns)
    planes[0, 1:-1, [0, -1]] = planes[1, 0, 1:-1] = planes[1, -1, 1:-1] = planes[2, 1:-1, 1:-1] = 1
    planes[0, 1:-1, 1:-1], planes[1, 1:-1, 1:-1] = board == 1, board == 2
    return planes


@dataclass(frozen=True, eq=False)
class Network:
    """The weights: of each layer a matrix `[channels out, 7 * channels in]` (directions first) and a bias `[channels
    out]`, and of the output a row `[channels]`; float32."""

    layers: tuple[tuple[Floats, Floats], ...]
    output: Floats

    def evaluate(self, rows: int, columns: int, cells: NDArray[np.uint8]) -> Floats:
        """The log-odds `[rows * columns]` that a move wins, for cells as the mover sees them, `[rows * columns]` uint8.
        On cells with stones they mean nothing."""
        layout = _layout(rows, columns)
        shown = np.zeros((PLANES, layout.length), np.float32)
        shown[:, layout.inside] = planes_of(rows, columns, cells).reshape(PLANES, -1)
        span = layout.last - layout.begin
        for step, (weights, bias) in zip(STEPS, self.layers, strict=True):
            seen = np.concatenate(
                [
                    shown[:, layout.begin + shift : layout.last + shift]
                    for shift in ((row * layout.stride + column) * step for row, column in DIRECTIONS)
                ]
            )
            summed = weights @ seen + bias[:, None]
            if len(shown) == len(summed):
                summed += shown[:, layout.begin : layout.last]
            shown = np.zeros((len(summed), layout.length), np.float32)
            np.multiply(np.maximum(summed, 0, out=summed), layout.mask[:span], out=shown[:, layout.begin : layout.last])
        values = (self.output @ shown)[layout.inside].reshape(rows + 2, columns + 2)
        return np.ascontiguousarray(values[1:-1, 1:-1]).reshape(-1)


@dataclass(frozen=True, eq=False)
class _Layout:
    """A padded board in one row: between its lines, before and after it are zeros, as many as the longest step."""

    stride: int
    begin: int
    last: int
    length: int
    inside: NDArray[np.int64]
    mask: Floats


@lru_cache(maxsize=32)
def _layout(rows: int, columns: int) -> _Layout:
    margin = max(STEPS)
    stride = columns + 2 + margin
    begin = margin * (stride + 1)
    last = begin + (rows + 2) * stride
    inside = begin + (np.arange(rows + 2)[:, None] * stride + np.arange(columns + 2)).reshape(-1)
    mask = np.zeros(last + begin, np.float32)
    mask[inside] = 1
    return _Layout(stride, begin, last, last + begin, inside, mask[begin:last])


@cache
def policy() -> Network:
    """The network that comes with the package."""
    return network_of(files(__package__).joinpath("policy.npz").read_bytes(), "policy.npz")


def log_odds(state: GameState, network: Network | None = None) -> Floats:
    """The log-odds `[cells]` that a move of the player to move wins, in the order of the board; on stones they mean
    nothing. Without a network by the one that comes with the package."""
    rows, columns, cells, places = seen_by_mover(state)
    values = np.empty(len(cells), np.float32)
    values[places] = (network or policy()).evaluate(rows, columns, cells)
    return values


def seen_by_mover(state: GameState) -> tuple[int, int, NDArray[np.uint8], NDArray[np.int64]]:
    """Rows, columns and cells as the mover sees them, and for each of these cells its place on the board, from 0."""
    rows, columns = state.board.rows, state.board.columns
    cells = np.frombuffer(bytes(state.cells), np.uint8)
    places = np.arange(rows * columns, dtype=np.int64)
    if state.to_move == RED:
        return rows, columns, cells, places
    exchanged = np.array([0, 2, 1], np.uint8)[cells].reshape(rows, columns).T
    return columns, rows, exchanged.reshape(-1), places.reshape(rows, columns).T.reshape(-1)


def network_of(data: bytes, name: str) -> Network:
    """The network in a file of weights (npz, float16). Raises HexlogicError for a file of another kind."""
    try:
        with np.load(BytesIO(data), allow_pickle=False) as stored:
            arrays = {key: stored[key].astype(np.float32) for key in stored.files}
        layers = tuple((arrays[f"weights{number}"], arrays[f"bias{number}"]) for number in range(len(STEPS)))
        return Network(layers, arrays["output"])
    except (KeyError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise HexlogicError(f"{name}: no weights of a policy ({error})") from None
