"""Pages over HTTP: their HTML and files, and the routes that they ask, which answer JSON with JSON. Each route is a
function of the fields of a message; status 400 is for mistakes of the person at the page.

What takes long is answered in lines of JSON: `{"progress": ...}` as it goes on, then `{"result": ...}` or an error.
Text from the page is run in child processes under limits, which end when the page stops waiting.
"""

import math
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from anyio import CapacityLimiter, create_task_group, from_thread, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hexlogic.errors import HexlogicError, MoveError, PositionError
from hexlogic.games import game_names, load_game
from hexlogic.ggp.export import sheet_rule_sets
from hexlogic.process.call import Signature, Stopped, call_isolated
from hexlogic.process.files import decode_json, load_template
from hexlogic.process.forks import ForkServer
from hexlogic.process.http import LOOPBACK, HttpServer, read_body
from hexlogic.process.limits import Limits
from hexlogic.web import finding, game_request, rule_text, sheets
from hexlogic.web.game_request import Fields, Moves, played, problem, word_of
from hexlogic.web.records import Recorded
from hexlogic.web.thinkers import Thinkers, hints_for
from hexlogic.web.why import certificate_of, connections_of, current_of, derivation_of, solution_of

QUICK: Final = Limits.of(cpu_s=3, wall_s=30, memory_mb=500)
"""For what follows each click."""
SHEET: Final = Limits.of(cpu_s=15, wall_s=60, memory_mb=1000)
"""For a sheet, which is ground as a whole."""
WORK: Final = Limits.of(cpu_s=60, wall_s=90, memory_mb=1000)
"""For what a person asks for with a button, and can stop."""
PROOF: Final = Limits.of(cpu_s=900, wall_s=660, memory_mb=2000)
"""For a proof, which tells how far it is."""

SEARCH: Final = Limits.of(cpu_s=180, wall_s=90, memory_mb=3000)
"""For a search, which looks at the clock itself."""


def _prepare_texts() -> None:
    """Answer small questions about rule text and sheets. No text from a page is read here."""
    text = rule_text.text_of("follow-line-tabled", "2")
    rule_text.evaluate(text=text, size="2", red=["a1", "b1"], blue=[])
    rule_text.difference(text=text, size="2", pipeline="ground,reorder,prune")
    sheets.play(text=sheets.example("follow-line-tabled", "2"), moves=[["(place a1)", "noop"]])


def _prepare_players() -> None:
    sheets.choose(text=sheets.example("follow-line-tabled", "2"), moves=[], players=["uct:1", None])


class Children:
    """The child processes of a server: each request runs in a fork of a process that has prepared for it."""

    def __init__(self) -> None:
        self._stops: set[threading.Event] = set()
        self._closed = False
        self._for_texts, self._for_players = ForkServer(_prepare_texts), ForkServer(_prepare_players)
        self._for_texts.begin()  # numba, which players need, is not loaded before somebody asks for one

    def ask(
        self,
        function: Callable[..., Fields],
        arguments: Mapping[str, object],
        stop: threading.Event,
        report: Callable[..., None] = lambda _: None,
        *,
        limits: Limits = QUICK,
    ) -> Fields:
        """The result of a function of the web room for these arguments. What stopped the process is a problem without a
        place."""
        self._stops.add(stop)
        try:
            if self._closed:
                return problem("this was stopped on demand")
            forks = self._for_players if function is sheets.choose else self._for_texts
            return call_isolated(function, arguments, limits, report=report, stop=stop, start=forks.start)
        except Stopped as stopped:
            return problem(": ".join([f"this was {stopped.reason}", *stopped.progress[-1:]]))
        finally:
            self._stops.discard(stop)

    def close(self) -> None:
        """End running children, and refuse later requests."""
        self._closed = True
        for stop in tuple(self._stops):
            stop.set()
        self._for_texts.close()
        self._for_players.close()


LARGEST_BODY: Final = 200_000
"""Bytes of a message."""
Report: TypeAlias = Callable[[object], None]
Work: TypeAlias = Callable[[threading.Event, Report], Fields]
Runner: TypeAlias = Callable[[Callable[..., Fields], Fields, threading.Event, Report], Fields]


def answer(
    path: str,
    function: Callable[..., Fields],
    limiter: CapacityLimiter | None = None,
    run: Runner = lambda function, arguments, stop, report: function(**arguments),
    *,
    in_lines: bool = False,
) -> Route:
    """A route that answers with a function of the fields of a message, which are its parameters, in a thread: at most
    so many at a time as `limiter` has tokens. Only `application/json` is read, which no page of another origin can send
    without asking first. `run` calls the function; its event is set when the page does not wait any more, and what it
    reports is sent when the answer is given `in_lines`."""
    kind = Signature(function).message

    async def endpoint(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return JSONResponse({"error": "a message is application/json"}, 415)
        try:
            message = decode_json(await read_body(request, LARGEST_BODY), kind)
        except HTTPException as refusal:
            return JSONResponse({"error": refusal.detail}, refusal.status_code)
        except msgspec.DecodeError as error:
            return JSONResponse({"error": f"this is no message of the page: {error}"}, 400)
        work = partial(run, function, msgspec.structs.asdict(message))
        if in_lines:
            return _Lines(work, limiter)
        status, fields = await _done(work, lambda _: None, request.receive, limiter)
        return JSONResponse(fields, status)

    return Route(path, endpoint, methods=["POST"])


async def _done(work: Work, report: Report, receive: Receive, limiter: CapacityLimiter | None) -> tuple[int, Fields]:
    """Status and result of the work, or the error and its place."""
    stop = threading.Event()

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        stop.set()

    def attempt() -> tuple[int, Fields]:
        # A page that stopped waiting while others were answered is not worked for.
        if stop.is_set():
            return 400, {"error": "nobody waits for this"}
        try:
            return 200, work(stop, report)
        except HexlogicError as error:
            return 400, {"error": str(error), "line": error.line, "column": error.column}

    async with create_task_group() as group:
        group.start_soon(watch)
        result = await to_thread.run_sync(attempt, limiter=limiter)
        group.cancel_scope.cancel()
    return result


class _Lines(Response):
    """An answer that is sent line by line while `work` goes on in a thread."""

    media_type = "application/x-ndjson"

    def __init__(self, work: Work, limiter: CapacityLimiter | None) -> None:
        super().__init__()
        del self.headers["content-length"]  # it is not known yet
        self._work, self._limiter = work, limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def tell(line: Fields, *, more: bool = True) -> None:
            body = msgspec.json.encode(line) + b"\n"
            await send({"type": "http.response.body", "body": body, "more_body": more})

        def report(value: object) -> None:
            from_thread.run(tell, {"progress": value})

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        status, fields = await _done(self._work, report, receive, self._limiter)
        await tell({"result": fields} if status == 200 else fields, more=False)


PORT: Final = 9148
"""The port of the page unless told otherwise."""
PAGES: Final = {
    "index.html": ("Play", "Hex", "play.js"),
    "workbench.html": ("Workbench", "Workbench", "workbench.js"),
    "sheets.html": ("Sheets", "Sheets", "sheets.js"),
    "viewer.html": ("Games", "Games", "viewer.js"),
}
"""By file: its name in the navigation, its title, its script."""
IN_PAGE: Final = {"workbench.html": "./", "index.html": "play.html"}
"""The pages that need no server, and where they are then."""
_END_S: Final = 3  # Seconds beside those of a move that the end waits for
_HERE: Final = Path(__file__).parent
_IN_LINES: Final = ("work", "prove", "cheaper", "why")  # What tells how far it is
_AT_ONCE: Final = 4  # Moves that are thought about at a time
_HEADERS: Final = (
    (b"content-security-policy", b"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)


def make_app(thinkers: Thinkers, children: Children, records: Sequence[Recorded] = ()) -> Starlette:
    """The application. `records` are the games that the viewer shows."""

    def board(size: str, game: str = "hex") -> Fields:
        players = thinkers.names_for(game_request.board_of(size, game))
        return {**game_request.describe_board(size, game), "players": list(players)}

    def move(
        size: str, moves: Moves = (), game: str = "hex", player: str | None = None, seed: int = 0, swap: bool = False
    ) -> Fields:
        state = played(size, moves, game)
        if state.winner is not None:
            raise MoveError(f"the game is over: {state.winner} has won")
        action, note = thinkers.choose(player or hints_for(state), state, seed, swap)
        return {"action": word_of(state.board, action), "note": note}

    def compiling() -> Fields:
        kernels = sys.modules.get("hexlogic.process.kernels")  # with numba, which not every page needs
        return {"seconds_left": kernels.seconds_left() if kernels else 0.0}

    def titles() -> Fields:
        return {"titles": [known.title for known in records]}

    def record(number: int) -> Fields:
        if not 0 <= number < len(records):
            raise PositionError(f"there is no game {number}", hint=f"there are {len(records)}, from 0")
        return records[number].frames()

    thinking, looking, working = (CapacityLimiter(_AT_ONCE) for _ in range(3))
    here: dict[str, tuple[Callable[..., Fields], CapacityLimiter | None]] = {
        "board": (board, None),
        "state": (game_request.state_of, None),
        "move": (move, thinking),
        "compiling": (compiling, None),
        "write": (game_request.write_game, None),
        "read": (game_request.read_game, None),
        "connections": (connections_of, looking),
        "derivation": (derivation_of, looking),
        "current": (current_of, looking),
        "solve": (solution_of, thinking),
        "certificate": (certificate_of, thinking),
        "rules": (rule_text.rules, None),
        "example": (_example, None),
        "records": (titles, None),
        "record": (record, None),
    }
    in_children: dict[str, tuple[Callable[..., Fields], CapacityLimiter, Limits]] = {
        "facts": (rule_text.facts, looking, QUICK),
        "evaluate": (rule_text.evaluate, looking, QUICK),
        "difference": (rule_text.difference, looking, QUICK),
        "work": (rule_text.work, working, WORK),
        "prove": (rule_text.prove, working, PROOF),
        "cheaper": (finding.cheaper, working, SEARCH),
        "why": (finding.why, working, SEARCH),
        "sheet": (sheets.play, looking, SHEET),
        "choose": (sheets.choose, thinking, WORK),
        "check": (sheets.check_text, working, WORK),
    }
    routes = [answer(f"/api/{name}", function, limiter) for name, (function, limiter) in here.items()]
    for name, (function, limiter, limits) in in_children.items():
        ask = partial(children.ask, limits=limits)
        routes.append(answer(f"/api/{name}", function, limiter, ask, in_lines=name in _IN_LINES))
    pages = {path: HTMLResponse(page(path or "index.html")) for path in ("", *PAGES)}
    routes += [Route(f"/{path}", shown, methods=["GET"]) for path, shown in pages.items()]
    files = Mount("/", StaticFiles(directory=_HERE / "static"))
    return Starlette(routes=[*routes, files], middleware=[Middleware(_with_headers)])


def page(file: str, *, in_page: bool = False) -> str:
    """The HTML of a page, one frame around its body; `in_page` is for one without a server, among those of IN_PAGE."""
    _, title, script = PAGES[file]
    places = IN_PAGE if in_page else {"index.html": "./"}
    names = [(places.get(other, other), PAGES[other][0], other == file) for other in (IN_PAGE if in_page else PAGES)]
    values = {"title": title, "script": script, "pages": names, "in_page": in_page}
    return load_template(_HERE / "templates" / file).render(values)


def _example(size: str, name: str, game: str = "hex") -> Fields:
    name = name or load_game(game).reference
    text = sheets.example(name, size, game)
    return {"names": list(sheet_rule_sets(game)), "name": name, "text": text, "games": list(game_names())}


def _with_headers(app: ASGIApp) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_more(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        await app(scope, receive, send_more)

    return answer


class PageServer(HttpServer):
    """Serves the page."""

    def __init__(
        self, thinkers: Thinkers, host: str = LOOPBACK, port: int = PORT, records: Sequence[Recorded] = ()
    ) -> None:
        self._thinkers = thinkers
        self._children = Children()
        app = make_app(thinkers, self._children, records)
        try:
            super().__init__(app, host, port, end_s=math.ceil(thinkers.seconds) + _END_S)
            self.listen()
        except BaseException:
            self._children.close()
            raise

    def ending(self) -> None:
        """End the child processes, so that nothing waits for them."""
        self._children.close()

    def close(self) -> None:
        """Give the address back, and end child processes and strategies."""
        super().close()
        self._children.close()
        self._thinkers.close()
