"""The decisions of a model on positions: symbols of what the machine sees, then votes, then the winner.

How a position is shown to the machine is its *view*. `plain`: as it is. `mover`: from the side of the player to move:
where blue moves next the board is transposed and the colours change places, so that red always moves next (study, 2.6).
`twins`: as it is and mirrored, with the votes of the mirror image subtracted: one machine for both colours.
"""

from __future__ import annotations

from functools import cached_property
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError, SizeError, UnknownNameError
from hexlogic.games import Hex
from hexlogic.players.evaluation.clause_model import ClauseModel, View
from hexlogic.players.evaluation.symbols import Signs, SymbolSet, exchanged, mirrored

_CHUNK = 8192


def check_view(text: str) -> View:
    """The view of that name. Raises UnknownNameError."""
    views: tuple[View, ...] = get_args(View)
    for view in views:
        if view == text:
            return view
    raise UnknownNameError.among("view", text, list(views))


def seen(view: View, board: Hex, boards: Signs, to_move: Signs) -> tuple[Signs, Signs, NDArray[np.bool_]]:
    """The boards and players to move as the machine sees them, and for which positions the colours are exchanged.

    For `twins` these are the positions themselves: the mirror images are the business of who trains and votes.
    """
    if view != "mover":
        return boards, to_move, np.zeros(len(boards), np.bool_)
    turned = to_move == 2
    shown = np.where(turned[:, None], mirrored(board, boards), boards)
    return shown, np.ones_like(to_move), turned


class Predictor:
    """A model with the symbols that it was trained on.

    Raises HexlogicError for a model whose symbols are not those of its symbol set.
    """

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
        return np.concatenate(
            [np.zeros(0, np.int64), *(self._votes(boards[chunk], to_move[chunk]) for chunk in chunks)]
        )

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

    @cached_property
    def sample_winners(self) -> Signs:
        """The winners of the sample, as the view shows the colours."""
        winners = self.model.sample["winners"]
        return np.where(self.sample_seen[2], exchanged(winners), winners).astype(np.uint8)
