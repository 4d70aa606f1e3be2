"""A voting model: clauses over symbols of a position, each with a weight; positive votes in sum say that red wins.

A clause is a conjunction of symbols and negated symbols. It is what a Tsetlin machine learns, and what players read.
The file is a numpy archive: the same model gives the same bytes.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.process.files import decode_json, named

View = Literal["plain", "mover", "twins"]


class Settings(msgspec.Struct, frozen=True):
    """What a machine is trained with. `s` is the specificity, `threshold` the votes that are enough (None for as many
    as there are clauses), `literals` the most literals of a clause (None for any number)."""

    clauses: int
    symbols: str = "study"
    view: View = "plain"
    s: float = 10.0
    threshold: int | None = None
    literals: int | None = None
    epochs: int = 20
    seed: int = 1

    def __post_init__(self) -> None:
        for option in ("clauses", "s", "threshold", "literals", "epochs"):
            value = getattr(self, option)
            if value is not None and not value >= 1:
                raise HexlogicError(f"{value} is too small", file=f"--{option}", hint="at least 1")


class ModelCard(Settings, frozen=True, kw_only=True):
    """How a model was trained: its settings, the machine, the epoch that was kept with its accuracies, the number of
    positions of each split, and a part of the card of its set."""

    machine: str = ""
    epoch: int = 0
    train_accuracy: float = 0.0
    validation_accuracy: float = 0.0
    positions: dict[str, int] = {}
    data: dict[str, object] = {}


@dataclass(frozen=True, eq=False)
class ClauseModel:
    """C clauses over the symbols `symbols` (atoms of the rule language as text, cells by number).

    `literals` (int32) holds twice the number of a symbol, and one more for its negation; those of clause c stand from
    `start[c]` to `start[c + 1]`. `weights[C]` (int32) are votes for red where positive, for blue where negative.
    `sample` has positions that the model was not trained on: `boards[P, cells]`, `to_move[P]` and `winners[P]`, uint8.
    """

    board: Hex
    symbols: tuple[str, ...]
    start: NDArray[np.int32]
    literals: NDArray[np.int32]
    weights: NDArray[np.int32]
    card: ModelCard
    sample: dict[str, NDArray[np.uint8]]

    def __len__(self) -> int:
        return len(self.weights)

    def clause(self, number: int) -> list[int]:
        """The literals of a clause."""
        return [int(literal) for literal in self.literals[self.start[number] : self.start[number + 1]]]

    def fired(self, truths: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """`[positions, clauses]`, 1 where a clause holds; `truths` is `[positions, symbols]`. A clause without literals
        never holds."""
        packed = np.packbits(np.ascontiguousarray(truths.T), axis=1, bitorder="little")
        fired = np.zeros((len(self), packed.shape[1]), np.uint8)
        for number in np.flatnonzero(np.diff(self.start)):
            literals = self.literals[self.start[number] : self.start[number + 1]]
            negated = np.where(literals & 1, 255, 0).astype(np.uint8)
            fired[number] = np.bitwise_and.reduce(packed[literals >> 1] ^ negated[:, None], axis=0)
        return np.unpackbits(fired, axis=1, bitorder="little")[:, : len(truths)].T

    def votes(self, truths: NDArray[np.uint8]) -> NDArray[np.int64]:
        """`[positions]`, the sum of the weights of the clauses that hold."""
        return np.asarray(self.fired(truths).astype(np.int64) @ self.weights.astype(np.int64))


class _Head(msgspec.Struct):
    size: int
    symbols: tuple[str, ...]
    card: ModelCard


def write_model(model: ClauseModel, path: Path) -> None:
    """Write the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = _Head(model.board.rows, model.symbols, model.card)
    with named(path), path.open("wb") as file:
        np.savez_compressed(
            file,
            head=np.frombuffer(msgspec.json.encode(head), np.uint8),
            start=model.start,
            literals=model.literals,
            weights=model.weights,
            allow_pickle=False,
            **{f"sample_{name}": array for name, array in model.sample.items()},
        )


def read_model(path: Path) -> ClauseModel:
    """Read a file. Raises HexlogicError for one that is no model, with the clause where a clause is wrong."""
    if not path.is_file():
        raise HexlogicError("there is no model here", file=str(path), hint="`hexlogic predict train` makes one")
    try:
        with np.load(path, allow_pickle=False) as archive:
            head = decode_json(archive["head"].tobytes(), _Head)
            start, literals, weights = (archive[name] for name in ("start", "literals", "weights"))
            sample = {name: archive[f"sample_{name}"] for name in ("boards", "to_move", "winners")}
    except (KeyError, ValueError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise HexlogicError(f"this is no model: {error}", file=str(path)) from None
    model = ClauseModel(Hex.square(head.size), head.symbols, start, literals, weights, head.card, sample)
    rises = (
        len(start) == len(weights) + 1 and start[0] == 0 and start[-1] == len(literals) and np.all(np.diff(start) >= 0)
    )
    if not rises:
        raise HexlogicError("the clauses do not fit their literals", file=str(path), hint="train the model again")
    unknown = np.flatnonzero((literals < 0) | (literals >= 2 * len(head.symbols)))
    if len(unknown):
        number = int(np.searchsorted(start, unknown[0], side="right")) - 1
        what = f"clause {number} has the unknown symbol {literals[unknown[0]] >> 1}"
        raise HexlogicError(what, file=str(path), hint=f"symbols are numbered 0 to {len(head.symbols) - 1}")
    return model
