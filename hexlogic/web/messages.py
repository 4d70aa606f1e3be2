"""Routes that answer JSON with JSON: status 400 is for mistakes of the person at the page.

What takes long is answered in lines of JSON: `{"progress": ...}` as it goes on, then `{"result": ...}` or an error.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias

import msgspec
from anyio import CapacityLimiter, create_task_group, from_thread, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from hexlogic.errors import HexlogicError
from hexlogic.process.call import Signature
from hexlogic.process.files import decode_json
from hexlogic.process.http import read_body

LARGEST_BODY: Final = 200_000
"""Bytes of a message."""
Arguments: TypeAlias = dict[str, object]
Runner: TypeAlias = Callable[[Callable[..., dict[str, object]], Arguments, threading.Event], dict[str, object]]
ReportingRunner: TypeAlias = Callable[
    [Callable[..., dict[str, object]], Arguments, threading.Event, Callable[[object], None]], dict[str, object]
]


def answer(
    path: str,
    function: Callable[..., dict[str, object]],
    limiter: CapacityLimiter | None = None,
    run: Runner = lambda function, arguments, stop: function(**arguments),
) -> Route:
    """A route that answers with a function of the fields of a message, which are its parameters, in a thread: at most
    so many at a time as `limiter` has tokens. Only `application/json` is read, which no page of another origin can send
    without asking first. `run` calls the function; its event is set when the page does not wait any more."""
    kind = Signature(function).message

    async def endpoint(request: Request) -> Response:
        asked = await _read(request, kind)
        if isinstance(asked, Response):
            return asked
        stop = threading.Event()
        async with create_task_group() as group:
            group.start_soon(_watch, request.receive, stop)
            response = await to_thread.run_sync(respond, asked, stop, limiter=limiter)
            group.cancel_scope.cancel()
        return response

    def respond(arguments: Arguments, stop: threading.Event) -> Response:
        # A page that stopped waiting while others were answered is not worked for.
        if stop.is_set():
            return _refusal("nobody waits for this", 400)
        try:
            return JSONResponse(run(function, arguments, stop))
        except HexlogicError as error:
            return _refusal(str(error), 400, line=error.line, column=error.column)

    handler: Callable[[Request], Awaitable[Response]] = endpoint
    return Route(path, handler, methods=["POST"])


def answer_in_lines(
    path: str, function: Callable[..., dict[str, object]], limiter: CapacityLimiter, run: ReportingRunner
) -> Route:
    """As `answer`, in lines; `run` also gets a function that sends a line of progress."""
    kind = Signature(function).message

    async def endpoint(request: Request) -> Response:
        asked = await _read(request, kind)
        return asked if isinstance(asked, Response) else _Lines(partial(run, function, asked), limiter)

    handler: Callable[[Request], Awaitable[Response]] = endpoint
    return Route(path, handler, methods=["POST"])


class _Lines(Response):
    """An answer that is sent line by line while `work` goes on in a thread."""

    media_type = "application/x-ndjson"

    def __init__(
        self,
        work: Callable[[threading.Event, Callable[[object], None]], dict[str, object]],
        limiter: CapacityLimiter,
    ) -> None:
        super().__init__()
        del self.headers["content-length"]  # it is not known yet
        self._work, self._limiter = work, limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        stop = threading.Event()

        async def tell(line: dict[str, object], *, more: bool = True) -> None:
            body = msgspec.json.encode(line) + b"\n"
            await send({"type": "http.response.body", "body": body, "more_body": more})

        def work() -> dict[str, object]:
            if stop.is_set():
                return {"error": "nobody waits for this"}
            try:
                return {"result": self._work(stop, lambda value: from_thread.run(tell, {"progress": value}))}
            except HexlogicError as error:
                return {"error": str(error)}

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with create_task_group() as group:
            group.start_soon(_watch, receive, stop)
            last = await to_thread.run_sync(work, limiter=self._limiter)
            group.cancel_scope.cancel()
        await tell(last, more=False)


async def _read(request: Request, kind: type[msgspec.Struct]) -> Arguments | Response:
    """The fields of the message in a request, or the refusal of another request."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return _refusal("a message is application/json", 415)
    try:
        return msgspec.structs.asdict(decode_json(await read_body(request, LARGEST_BODY), kind))
    except HTTPException as error:
        return _refusal(error.detail, error.status_code)
    except msgspec.DecodeError as error:
        return _refusal(f"this is no message of the page: {error}", 400)


async def _watch(receive: Receive, stop: threading.Event) -> None:
    """Set the event when the page has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    stop.set()


def _refusal(message: str, status: int, **place: int | None) -> JSONResponse:
    return JSONResponse({"error": message, **place}, status_code=status)
