"""The application: the page with its files, and the routes that it asks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hexlogic.errors import MoveError, PositionError
from hexlogic.games import game_names, load_game
from hexlogic.games.game_state import GameRecord, GameState
from hexlogic.games.record_formats import read_games, write_games
from hexlogic.ggp.export import sheet_rule_sets
from hexlogic.process.http import LOOPBACK, same_site
from hexlogic.process.limits import Limits
from hexlogic.web import evaluation, rule_text, sheet_players, sheets
from hexlogic.web.children import PROOF, QUICK, SHEET, WORK, Children
from hexlogic.web.game_request import GameRequest, board_of, describe_board, describe_state, from_record, word_of
from hexlogic.web.messages import Asked, answer, answer_in_lines
from hexlogic.web.pages import PAGES, page
from hexlogic.web.records import Recorded
from hexlogic.web.requests import (
    BoardRequest,
    ChoiceRequest,
    DifferenceRequest,
    EvaluateRequest,
    ExampleRequest,
    MoveRequest,
    Nothing,
    PlaceRequest,
    PlayerRequest,
    ProveRequest,
    RecordRequest,
    SheetRequest,
    TextRequest,
    WorkRequest,
    WriteRequest,
)
from hexlogic.web.texts import rules
from hexlogic.web.thinkers import ANYWHERE_HINTS, HINTS, Thinkers
from hexlogic.web.why import certificate_of, connections_of, current_of, derivation_of, solution_of

_STATIC: Final = Path(__file__).parent / "static"
_AT_ONCE: Final = 4
"""Moves that are thought about at a time."""
_HEADERS: Final = (
    (b"content-security-policy", b"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)


def make_app(
    thinkers: Thinkers,
    children: Children,
    host: str = LOOPBACK,
    records: Sequence[Recorded] = (),
) -> Starlette:
    """The application, for a server at the address `host`. `records` are the games that the viewer shows."""

    def board(asked: BoardRequest) -> dict[str, object]:
        found = board_of(asked.size, asked.game)
        return {**describe_board(found), "players": list(thinkers.names_for(found)), "games": list(game_names())}

    def choose(asked: MoveRequest) -> dict[str, object]:
        state = asked.state()
        if state.winner is not None:
            raise MoveError(f"the game is over: {state.winner} has won")
        player = asked.player or (HINTS if isinstance(state, GameState) else ANYWHERE_HINTS)
        action, note = thinkers.choose(player, state, asked.seed, asked.swap)
        return {"action": word_of(state.board, action), "note": note}

    def record(asked: RecordRequest) -> dict[str, object]:
        if not 0 <= asked.number < len(records):
            raise PositionError(f"there is no game {asked.number}", hint=f"there are {len(records)}, from 0")
        return records[asked.number].frames()

    def in_lines(
        function: Callable[..., dict[str, object]], limits: Limits
    ) -> Callable[[msgspec.Struct, threading.Event, Callable[[object], None]], dict[str, object]]:
        return lambda asked, stop, report: children.ask(function, asked, stop, limits, report)

    def in_child(
        function: Callable[..., dict[str, object]], limits: Limits = QUICK
    ) -> Callable[[msgspec.Struct, threading.Event], dict[str, object]]:
        return lambda asked, stop: children.ask(function, asked, stop, limits)

    thinking, looking, working = (CapacityLimiter(_AT_ONCE) for _ in range(3))
    routes = [
        answer("/api/board", BoardRequest, _soon(board)),
        answer("/api/state", GameRequest, _soon(lambda asked: describe_state(asked.state()))),
        answer("/api/move", MoveRequest, _soon(choose), thinking),
        answer("/api/write", WriteRequest, _soon(_write)),
        answer("/api/read", TextRequest, _soon(_read)),
        answer("/api/connections", GameRequest, _soon(lambda asked: connections_of(asked.hex_state())), looking),
        answer(
            "/api/derivation", PlaceRequest, _soon(lambda asked: derivation_of(asked.hex_state(), asked.place)), looking
        ),
        answer(
            "/api/current", PlayerRequest, _soon(lambda asked: current_of(asked.hex_state(), asked.player)), looking
        ),
        answer("/api/facts", GameRequest, in_child(evaluation.facts), looking),
        answer("/api/solve", GameRequest, _soon(lambda asked: solution_of(asked.hex_state())), thinking),
        answer("/api/certificate", GameRequest, _soon(lambda asked: certificate_of(asked.hex_state())), thinking),
        answer("/api/rules", ExampleRequest, _soon(_rules)),
        answer("/api/evaluate", EvaluateRequest, in_child(evaluation.evaluate), looking),
        answer("/api/difference", DifferenceRequest, in_child(rule_text.difference), looking),
        answer_in_lines("/api/work", WorkRequest, in_lines(rule_text.work, WORK), working),
        answer_in_lines("/api/prove", ProveRequest, in_lines(rule_text.prove, PROOF), working),
        answer("/api/example", ExampleRequest, _soon(_example)),
        answer("/api/sheet", SheetRequest, in_child(sheets.play, SHEET), looking),
        answer("/api/choose", ChoiceRequest, in_child(sheet_players.choose, WORK), thinking),
        answer("/api/check", TextRequest, in_child(sheets.check_text, WORK), working),
        answer("/api/records", Nothing, _soon(lambda asked: {"titles": [known.title for known in records]})),
        answer("/api/record", RecordRequest, _soon(record)),
        *(Route(f"/{file}", _shown(page(file))) for file in PAGES),
        Route("/", _shown(page("index.html"))),
        Mount("/", StaticFiles(directory=_STATIC)),
    ]
    return Starlette(routes=routes, middleware=[*same_site(host), Middleware(_Headers)])


def _shown(text: str) -> Callable[[Request], Response]:
    """What answers with a page."""
    return lambda request: HTMLResponse(text)


def _soon(reply: Callable[[Asked], dict[str, object]]) -> Callable[[Asked, threading.Event], dict[str, object]]:
    """A reply that is not stopped on the way."""
    return lambda asked, stop: reply(asked)


def _rules(asked: ExampleRequest) -> dict[str, object]:
    return rules(asked.size, asked.name, asked.game)


def _example(asked: ExampleRequest) -> dict[str, object]:
    name = asked.name or load_game(asked.game).reference
    text = sheets.example(name, asked.size, asked.game)
    return {"names": list(sheet_rule_sets(asked.game)), "name": name, "text": text, "games": list(game_names())}


def _write(asked: WriteRequest) -> dict[str, object]:
    state = asked.hex_state()
    return {"text": write_games((GameRecord(state.board, tuple(state.turns)),), asked.format)}


def _read(asked: TextRequest) -> dict[str, object]:
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
