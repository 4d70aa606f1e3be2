"""The application: the page with its files, and the routes that it asks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hexlogic.errors import MoveError, PositionError
from hexlogic.games.game_record import GameRecord
from hexlogic.games.record_formats import read_games, write_games
from hexlogic.rulesets import rule_set_names
from hexlogic.web.game_request import GameRequest, board_of, describe_board, describe_state, from_record, word_of
from hexlogic.web.messages import answer
from hexlogic.web.rule_text import ask_child, text_of
from hexlogic.web.thinkers import HINTS, Thinkers
from hexlogic.web.why import connections_of, current_of, derivation_of, solution_of

__all__ = ["make_app"]

_STATIC: Final = Path(__file__).parent / "static"
_AT_ONCE: Final = 4
"""Moves that are thought about at a time."""
_HEADERS: Final = (
    (b"content-security-policy", b"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)


class BoardRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A board whose cells the page draws."""

    size: str


class MoveRequest(GameRequest, kw_only=True):
    """A game and the strategy that is to move; `seed` fixes its draws."""

    player: str = HINTS
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


class RulesRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A rule set by name, for a board."""

    size: str
    name: str


class EvaluateRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Rule text and a position."""

    text: str
    size: str
    red: list[str] = []
    blue: list[str] = []


class ProveRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Rule text, a board, and the rule set that the text may be equal to."""

    text: str
    size: str
    name: str


class DifferenceRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Rule text, a board, and passes."""

    text: str
    size: str
    pipeline: str


class ReadRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The text of a game in any format that `hexlogic convert` reads."""

    text: str


def make_app(thinkers: Thinkers, hosts: tuple[str, ...] = ("127.0.0.1", "localhost")) -> Starlette:
    """The application. It answers requests that name one of the `hosts` only, so no foreign name can lead to it."""

    def board(asked: BoardRequest) -> dict[str, Any]:
        return {**describe_board(board_of(asked.size)), "players": list(thinkers.names)}

    def choose(asked: MoveRequest) -> dict[str, Any]:
        state = asked.state()
        if state.winner is not None:
            raise MoveError(f"the game is over: {state.winner} has won")
        action, note = thinkers.choose(asked.player, state, asked.seed, asked.swap)
        return {"action": word_of(state.board, action), "note": note}

    thinking, looking, proving = (CapacityLimiter(_AT_ONCE) for _ in range(3))
    routes = [
        answer("/api/board", BoardRequest, board),
        answer("/api/state", GameRequest, lambda asked: describe_state(asked.state())),
        answer("/api/move", MoveRequest, choose, thinking),
        answer("/api/write", WriteRequest, _write),
        answer("/api/read", ReadRequest, _read),
        answer("/api/connections", GameRequest, lambda asked: connections_of(asked.state()), looking),
        answer("/api/derivation", PlaceRequest, lambda asked: derivation_of(asked.state(), asked.place), looking),
        answer("/api/current", PlayerRequest, lambda asked: current_of(asked.state(), asked.player), looking),
        answer("/api/solve", GameRequest, lambda asked: solution_of(asked.state()), thinking),
        answer("/api/rules", RulesRequest, _rules),
        answer("/api/evaluate", EvaluateRequest, partial(_in_child, "evaluate"), looking),
        answer("/api/difference", DifferenceRequest, partial(_in_child, "difference"), looking),
        answer("/api/prove", ProveRequest, partial(_in_child, "prove"), proving),
        Mount("/", StaticFiles(directory=_STATIC, html=True)),
    ]
    middleware = [
        Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False),
        Middleware(_Headers),
    ]
    return Starlette(routes=routes, middleware=middleware)


def _in_child(function: str, asked: EvaluateRequest | DifferenceRequest | ProveRequest) -> dict[str, Any]:
    return ask_child(function, msgspec.to_builtins(asked))


def _rules(asked: RulesRequest) -> dict[str, Any]:
    return {"names": list(rule_set_names()), "text": text_of(asked.name, asked.size)}


def _write(asked: WriteRequest) -> dict[str, Any]:
    state = asked.state()
    return {"text": write_games((GameRecord(state.board, tuple(state.turns)),), asked.format)}


def _read(asked: ReadRequest) -> dict[str, Any]:
    records = read_games(asked.text, file="game")
    if not records:
        raise PositionError("there is no game in this text")
    game = from_record(records[0])
    return {"size": game.size, "moves": game.moves}


class _Headers:
    """Adds the headers that keep the page to its own files."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        await self._app(scope, receive, with_headers)
