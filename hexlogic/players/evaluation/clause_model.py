"""A voting model: clauses over symbols of a position, each with a weight; positive votes in sum say that red wins.

A clause is a conjunction of symbols and negated symbols. It is what a Tsetlin machine learns, and what players read.
The file is a numpy archive: the same model gives the same bytes.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.process.files import decode_json, named


@dataclass(frozen=True, eq=False)
class ClauseModel:
    """C clauses over the symbols `symbols` (atoms of the rule language as text, cells by number).

    `literals` (int32) holds twice the number of a symbol, and one more for its negation; those of clause c stand from
    `start[c]` to `start[c + 1]`. `weights[C]` (int32) are votes for red where positive, for blue where negative. `card`
    is plain JSON data. `sample` has positions that the model was not trained on: `boards[P, cells]`, `to_move[P]` and
    `winners[P]`, all uint8.
    """

    board: Hex
    symbols: tuple[str, ...]
    start: NDArray[np.int32]
    literals: NDArray[np.int32]
    weights: NDArray[np.int32]
    card: dict[str, Any]
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
        _fired(packed, self.start, self.literals, fired)
        return np.unpackbits(fired, axis=1, bitorder="little")[:, : len(truths)].T

    def votes(self, truths: NDArray[np.uint8]) -> NDArray[np.int64]:
        """`[positions]`, the sum of the weights of the clauses that hold."""
        votes: NDArray[np.int64] = self.fired(truths).astype(np.int64) @ self.weights.astype(np.int64)
        return votes


@njit(cache=True)
def _fired(packed: Any, start: Any, literals: Any, fired: Any) -> None:
    """`fired[clauses, octets]` of `packed[symbols, octets]`, eight positions to an octet."""
    for clause in range(fired.shape[0]):
        if start[clause] == start[clause + 1]:
            continue
        row = fired[clause]
        row[:] = 255
        for place in range(start[clause], start[clause + 1]):
            symbol = packed[literals[place] >> 1]
            if literals[place] & 1:
                for octet in range(len(row)):
                    row[octet] &= ~symbol[octet]
            else:
                for octet in range(len(row)):
                    row[octet] &= symbol[octet]


def write_model(model: ClauseModel, path: Path) -> None:
    """Write the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {"size": model.board.size, "symbols": model.symbols, "card": model.card}
    arrays: dict[str, Any] = {f"sample_{name}": array for name, array in model.sample.items()}
    with named(path), path.open("wb") as file:
        np.savez_compressed(
            file,
            head=np.frombuffer(json.dumps(head).encode(), np.uint8),
            start=model.start,
            literals=model.literals,
            weights=model.weights,
            **arrays,
        )


def read_model(path: Path) -> ClauseModel:
    """Read a file. Raises HexlogicError for one that is no model, with the clause where a clause is wrong."""
    if not path.is_file():
        raise HexlogicError("there is no model here", file=str(path), hint="`hexlogic predict train` makes one")
    try:
        with np.load(path, allow_pickle=False) as archive:
            head = decode_json(archive["head"].tobytes(), dict[str, Any])
            start, literals, weights = (archive[name] for name in ("start", "literals", "weights"))
            sample = {name: archive[f"sample_{name}"] for name in ("boards", "to_move", "winners")}
        board, symbols, card = Hex.square(head["size"]), tuple(head["symbols"]), dict(head["card"])
    except (KeyError, ValueError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise HexlogicError(f"this is no model: {error}", file=str(path)) from None
    model = ClauseModel(board, symbols, start, literals, weights, card, sample)
    rises = (
        len(start) == len(weights) + 1 and start[0] == 0 and start[-1] == len(literals) and np.all(np.diff(start) >= 0)
    )
    if not rises:
        raise HexlogicError("the clauses do not fit their literals", file=str(path), hint="train the model again")
    for number in range(len(model)):
        unknown = [literal for literal in model.clause(number) if not 0 <= literal < 2 * len(symbols)]
        if unknown:
            raise HexlogicError(
                f"clause {number} has the unknown symbol {unknown[0] >> 1}",
                file=str(path),
                hint=f"symbols are numbered 0 to {len(symbols) - 1}",
            )
    return model
