"""Routes that answer JSON with JSON: status 400 is for mistakes of the person at the page.

What takes long is answered in lines of JSON: `{"progress": ...}` as it goes on, then `{"result": ...}` or an error.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
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
Fields: TypeAlias = dict[str, object]
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
        try:
            work = partial(run, function, await _read(request, kind))
        except HTTPException as refusal:
            return JSONResponse({"error": refusal.detail}, refusal.status_code)
        if in_lines:
            return _Lines(work, limiter)
        status, fields = await _done(work, lambda _: None, request.receive, limiter)
        return JSONResponse(fields, status)

    return Route(path, endpoint, methods=["POST"])


async def _read(request: Request, kind: type[msgspec.Struct]) -> Fields:
    """The fields of the message in a request. Raises HTTPException for another request."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "a message is application/json")
    try:
        return msgspec.structs.asdict(decode_json(await read_body(request, LARGEST_BODY), kind))
    except msgspec.DecodeError as error:
        raise HTTPException(400, f"this is no message of the page: {error}") from None


async def _done(work: Work, report: Report, receive: Receive, limiter: CapacityLimiter | None) -> tuple[int, Fields]:
    """Status and result of the work, or the error and its place."""
    stop = threading.Event()

    async def watch() -> None:
        """Set the event when the page has gone."""
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
