"""The messages that the pages send, one structure a route; whatever else stands in a message is refused."""

from __future__ import annotations

from typing import Literal

import msgspec

from hexlogic.web.game_request import GameRequest


class _Message(msgspec.Struct, forbid_unknown_fields=True):
    pass


class Nothing(_Message):
    """A question without parameters."""


class BoardRequest(_Message):
    """A board whose cells the page draws."""

    size: str
    game: str = "hex"


class MoveRequest(GameRequest, kw_only=True):
    """A game and the strategy that is to move, or the one that gives hints; `seed` fixes its draws."""

    player: str | None = None
    seed: int = 0
    swap: bool = False


class WriteRequest(GameRequest, kw_only=True):
    """A game and the format to write it in."""

    format: str = "sgf"


class PlaceRequest(GameRequest, kw_only=True):
    """A game and the place of a connection in the list that the page was given."""

    place: int


class PlayerRequest(GameRequest, kw_only=True):
    """A game and one of the players."""

    player: Literal["red", "blue"]


class ExampleRequest(BoardRequest, kw_only=True):
    """A rule set by name, for a board."""

    name: str


class TextRequest(_Message):
    """A text alone."""

    text: str


class EvaluateRequest(BoardRequest, kw_only=True):
    """Rule text and a position."""

    text: str
    red: list[str] = []
    blue: list[str] = []


class ProveRequest(ExampleRequest, kw_only=True):
    """Rule text, a board, and the rule set that the text may be equal to."""

    text: str


class DifferenceRequest(BoardRequest, kw_only=True):
    """Rule text, a board, and passes."""

    text: str
    pipeline: str


class WorkRequest(EvaluateRequest, kw_only=True):
    """Rule text, a position, and passes."""

    pipeline: str


class SheetRequest(TextRequest):
    """A sheet and the joint moves that are played from its beginning, as KIF."""

    moves: list[list[str]] = []


class ChoiceRequest(SheetRequest, kw_only=True):
    """A sheet, its moves, and by role the strategy that is to move, None for the others; `seed` fixes the draws."""

    players: list[str | None]
    seed: int = 0


class RecordRequest(_Message):
    """The number of a recorded game, from 0."""

    number: int
