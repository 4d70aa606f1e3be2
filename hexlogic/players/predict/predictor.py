"""The decisions of a model on positions: symbols, then votes, then the winner."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError, SizeError
from hexlogic.games import Hex
from hexlogic.players.evaluation.clause_model import ClauseModel
from hexlogic.players.predict.symbols import SymbolSet
from hexlogic.players.predict.views import check_view, exchanged, mirrored, seen

_CHUNK = 8192


class Predictor:
    """A model with the symbols that it was trained on.

    Raises HexlogicError for a model whose symbols are not those of its symbol set.
    """

    def __init__(self, model: ClauseModel) -> None:
        self.model = model
        self.symbols = SymbolSet(str(model.card.get("symbols")), model.board)
        self.view = check_view(str(model.card.get("view")))
        known = set(self.symbols.names)
        for number, symbol in enumerate(model.symbols):
            if symbol not in known:
                raise HexlogicError(
                    f"symbol {number} of the model, {symbol!r}, is unknown", hint=f"the set is {self.symbols.text}"
                )
        if model.symbols != self.symbols.names:
            raise HexlogicError(f"the model's symbols are not those of {self.symbols.text}", hint="train it again")

    def check_board(self, board: Hex) -> None:
        """Raise SizeError unless the model is for this board."""
        if board != self.model.board:
            raise SizeError(f"the model is for {self.model.board}, the positions are {board}", hint="train one for it")

    def votes(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.int64]:
        """`[positions]`, positive for red; `boards` is `[positions, cells]`, `to_move[positions]` 1 red, 2 blue."""
        found = [
            self._votes(boards[begin : begin + _CHUNK], to_move[begin : begin + _CHUNK])
            for begin in range(0, len(boards), _CHUNK)
        ]
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def _votes(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.int64]:
        board = self.model.board
        shown, mover, turned = seen(self.view, board, boards, to_move)
        votes = self.model.votes(self.symbols.truths(shown, mover))
        if self.view == "twins":
            other = self.symbols.truths(mirrored(board, boards), exchanged(to_move))
            return votes - self.model.votes(other)
        # Blue wins without a majority for red, whichever colour blue is shown as.
        return np.where(turned, -(2 * votes - 1), 2 * votes - 1)

    def winners(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """`[positions]`, 1 for red and 2 for blue."""
        return np.where(self.votes(boards, to_move) > 0, 1, 2).astype(np.uint8)

    @cached_property
    def sample_seen(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_]]:
        """The positions of the model's sample as the view shows them (see `seen`)."""
        return seen(self.view, self.model.board, self.model.sample["boards"], self.model.sample["to_move"])

    @cached_property
    def sample_truths(self) -> NDArray[np.uint8]:
        """`[positions, symbols]` of the sample, as the view shows it."""
        return self.symbols.truths(*self.sample_seen[:2])

    @cached_property
    def sample_winners(self) -> NDArray[np.uint8]:
        """The winners of the sample, as the view shows the colours."""
        winners = self.model.sample["winners"]
        return np.where(self.sample_seen[2], exchanged(winners), winners).astype(np.uint8)
