"""Messages of the page: JSON in the body of a POST, JSON in the answer, status 400 for what a person got wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hexlogic.errors import HexlogicError

__all__ = ["LARGEST_BODY", "answer"]

LARGEST_BODY: Final = 200_000
"""Bytes of a message."""
Asked = TypeVar("Asked")


def answer(
    path: str, kind: type[Asked], reply: Callable[[Asked], dict[str, Any]], limiter: CapacityLimiter | None = None
) -> Route:
    """A route that decodes a message of that kind and answers it in a thread, at most so many at a time as `limiter`
    has tokens. Only `application/json` is read, which no page of another origin can send without asking first."""

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
            return JSONResponse(await to_thread.run_sync(reply, asked, limiter=limiter))
        except HexlogicError as error:
            place = {"line": error.line, "column": error.column}
            return _refusal(str(error), 400, **place)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return _refusal(f"this is no message of the page: {error}", 400)

    handler: Callable[[Request], Awaitable[Response]] = endpoint
    return Route(path, handler, methods=["POST"])


def _refusal(message: str, status: int, **place: int | None) -> JSONResponse:
    return JSONResponse({"error": message, **place}, status_code=status)
