"""A voting model: clauses over symbols of a position, each with a weight; positive votes in sum say that red wins.

A clause is a conjunction of symbols and negated symbols. It is what a Tsetlin machine learns, and what players read.
The file is a numpy archive: the same model gives the same bytes.

How a position is shown to the machine is its *view*. `plain`: as it is. `mover`: from the side of the player to move:
where blue moves next the board is transposed and the colours change places, so that red always moves next (study, 2.6).
`twins`: as it is and mirrored, with the votes of the mirror image subtracted: one machine for both colours.
"""

import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError, SizeError
from hexlogic.games import Hex
from hexlogic.players.evaluation.prediction_file import ModelCard, View
from hexlogic.players.evaluation.symbols import Signs, SymbolSet, exchanged, mirrored
from hexlogic.process.files import decode_json, named


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
    covers = len(start) == len(weights) + 1 and start[0] == 0 and start[-1] == len(literals)
    if not (covers and np.all(np.diff(start) >= 0)):
        raise HexlogicError("the clauses do not fit their literals", file=str(path), hint="train the model again")
    unknown = np.flatnonzero((literals < 0) | (literals >= 2 * len(head.symbols)))
    if len(unknown):
        number = int(np.searchsorted(start, unknown[0], side="right")) - 1
        what = f"clause {number} has the unknown symbol {literals[unknown[0]] >> 1}"
        raise HexlogicError(what, file=str(path), hint=f"symbols are numbered 0 to {len(head.symbols) - 1}")
    return model


_CHUNK = 8192


def seen(view: View, board: Hex, boards: Signs, to_move: Signs) -> tuple[Signs, Signs, NDArray[np.bool_]]:
    """The boards and players to move as the machine sees them, and for which positions the colours are exchanged. For
    `twins` these are the positions themselves: the mirror images are the business of who trains and votes."""
    if view != "mover":
        return boards, to_move, np.zeros(len(boards), np.bool_)
    turned = to_move == 2
    shown = np.where(turned[:, None], mirrored(board, boards), boards)
    return shown, np.ones_like(to_move), turned


class Predictor:
    """A model with the symbols that it was trained on. Raises HexlogicError for a model whose symbols are not those of
    its symbol set."""

    def __init__(self, model: ClauseModel) -> None:
        self.model = model
        self.symbols = SymbolSet(model.card.symbols, model.board)
        self.view = model.card.view
        known, text = set(self.symbols.names), self.symbols.text
        for number, symbol in enumerate(model.symbols):
            if symbol not in known:
                raise HexlogicError(f"symbol {number} of the model, {symbol!r}, is unknown", hint=f"the set is {text}")
        if model.symbols != self.symbols.names:
            raise HexlogicError(f"the model's symbols are not those of {text}", hint="train it again")

    def check_board(self, board: Hex) -> None:
        """Raise SizeError unless the model is for this board."""
        if board != self.model.board:
            raise SizeError(f"the model is for {self.model.board}, the positions are {board}", hint="train one for it")

    def votes(self, boards: Signs, to_move: Signs) -> NDArray[np.int64]:
        """`[positions]`, positive for red; `boards` is `[positions, cells]`, `to_move[positions]` 1 red, 2 blue."""
        chunks = (slice(begin, begin + _CHUNK) for begin in range(0, len(boards), _CHUNK))
        parts = [self._votes(boards[chunk], to_move[chunk]) for chunk in chunks]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def _votes(self, boards: Signs, to_move: Signs) -> NDArray[np.int64]:
        board = self.model.board
        shown, mover, turned = seen(self.view, board, boards, to_move)
        votes = self.model.votes(self.symbols.truths(shown, mover))
        if self.view == "twins":
            return votes - self.model.votes(self.symbols.truths(mirrored(board, boards), exchanged(to_move)))
        # Blue wins without a majority for red, whichever colour blue is shown as.
        return np.where(turned, -(2 * votes - 1), 2 * votes - 1)

    def winners(self, boards: Signs, to_move: Signs) -> Signs:
        """`[positions]`, 1 for red and 2 for blue."""
        return np.where(self.votes(boards, to_move) > 0, 1, 2).astype(np.uint8)

    @cached_property
    def sample_seen(self) -> tuple[Signs, Signs, NDArray[np.bool_]]:
        """The positions of the model's sample as the view shows them (see `seen`)."""
        return seen(self.view, self.model.board, self.model.sample["boards"], self.model.sample["to_move"])

    @cached_property
    def sample_truths(self) -> Signs:
        """`[positions, symbols]` of the sample, as the view shows it."""
        return self.symbols.truths(*self.sample_seen[:2])
