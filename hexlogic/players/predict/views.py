"""How a position is shown to the machine.

`plain`: as it is. `mover`: from the side of the player to move: where blue moves next the board is transposed and the
colours change places, so that red always moves next (study, 2.6). `twins`: as it is and mirrored, with the votes of the
mirror image subtracted: one machine for both colours.
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import UnknownNameError
from hexlogic.games import Hex
from hexlogic.players.geometry import mirror_cells

View = Literal["plain", "mover", "twins"]
VIEWS: Final[tuple[View, ...]] = ("plain", "mover", "twins")


def check_view(text: str) -> View:
    """The view of that name. Raises UnknownNameError."""
    for view in VIEWS:
        if view == text:
            return view
    raise UnknownNameError.among("view", text, list(VIEWS))


def exchanged(signs: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 for 2, 2 for 1, and 0 for 0."""
    return np.array([0, 2, 1], np.uint8)[signs]


def mirrored(board: Hex, boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The boards `[positions, cells]` transposed with the colours exchanged: the other player's view of them."""
    return exchanged(boards[:, mirror_cells(board.rows)])


def seen(
    view: View, board: Hex, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_]]:
    """The boards and players to move as the machine sees them, and for which positions the colours are exchanged.

    For `twins` these are the positions themselves: the mirror images are the business of who trains and votes.
    """
    if view != "mover":
        return boards, to_move, np.zeros(len(boards), np.bool_)
    turned = to_move == 2
    shown = np.where(turned[:, None], mirrored(board, boards), boards)
    return shown, np.ones_like(to_move), turned


def representatives(board: Hex, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """`[positions, cells + 1]`, of each position, with the player to move in the last column, the least of the four
    that are the same for Hex: as it is, turned by half, and both mirrored with the colours exchanged."""
    least: NDArray[np.uint8] | None = None
    for cells, mover in ((boards, to_move), (mirrored(board, boards), exchanged(to_move))):
        for turned in (cells, cells[:, ::-1]):
            form = np.concatenate([turned, mover[:, None]], axis=1)
            if least is None:
                least = form
                continue
            differs = form != least
            place = np.arange(len(form)), np.argmax(differs, axis=1)
            least = np.where((form[place] < least[place])[:, None], form, least)
    assert least is not None
    return least


def first_of_each(board: Hex, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The places, in order, of the positions that are not the same as an earlier one, turned or mirrored."""
    _, first = np.unique(representatives(board, boards, to_move), axis=0, return_index=True)
    return np.sort(first).astype(np.int64)
