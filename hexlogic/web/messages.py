"""Messages of the page: JSON in the body of a POST, JSON in the answer, status 400 for what a person got wrong."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import msgspec
from anyio import CapacityLimiter, create_task_group, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hexlogic.errors import HexlogicError

__all__ = ["LARGEST_BODY", "answer"]

LARGEST_BODY: Final = 200_000
"""Bytes of a message."""
Asked = TypeVar("Asked")


def answer(
    path: str,
    kind: type[Asked],
    reply: Callable[[Asked, threading.Event], dict[str, Any]],
    limiter: CapacityLimiter | None = None,
) -> Route:
    """A route that decodes a message of that kind and answers it in a thread, at most so many at a time as `limiter`
    has tokens. Only `application/json` is read, which no page of another origin can send without asking first. The
    event that `reply` gets is set when the page does not wait any more."""

    async def endpoint(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _refusal("a message is application/json", 415)
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_BODY:
                return _refusal(f"a message has at most {LARGEST_BODY:,} bytes", 413)
        try:
            asked = msgspec.json.decode(bytes(body), type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return _refusal(f"this is no message of the page: {error}", 400)
        stop = threading.Event()

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            stop.set()

        async with create_task_group() as group:
            group.start_soon(watch)
            response = await to_thread.run_sync(respond, asked, stop, limiter=limiter)
            group.cancel_scope.cancel()
        return response

    def respond(asked: Asked, stop: threading.Event) -> Response:
        # A page that stopped waiting while others were answered is not worked for.
        if stop.is_set():
            return _refusal("nobody waits for this", 400)
        try:
            return JSONResponse(reply(asked, stop))
        except HexlogicError as error:
            return _refusal(str(error), 400, line=error.line, column=error.column)

    handler: Callable[[Request], Awaitable[Response]] = endpoint
    return Route(path, handler, methods=["POST"])


def _refusal(message: str, status: int, **place: int | None) -> JSONResponse:
    return JSONResponse({"error": message, **place}, status_code=status)
