"""The player as an HTTP server: a message in the body of a POST, the answer as `text/acl`.

A request that is not a message gets status 400 and a line that says why. Each connection carries one request.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import nullcontext
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from hexlogic.errors import HexlogicError
from hexlogic.ggp.playing.player import Player
from hexlogic.ggp.playing.protocol import read_message
from hexlogic.process.http import ARRIVAL_S, LOOPBACK, HttpServer, read_body
from hexlogic.process.threads import in_thread

PORT: Final = 9147
"""The port that players have by custom."""
LARGEST_BODY: Final = 2_000_000
"""Bytes of a message; a sheet of a thousand rules has some 100,000."""
_SMALL: Final = 64_000
"""Larger messages are read one after the other, so that many at once do not fill the memory."""
_ANSWERS: Final = 64
"""Requests that are answered at a time."""
_CLOSE: Final = {"connection": "close"}


class GameServer(HttpServer):
    """Serves one player."""

    def __init__(self, player: Player, host: str = LOOPBACK, port: int = PORT, arrival_s: float = ARRIVAL_S) -> None:
        # The end does not wait for moves; the player has a log of its own.
        super().__init__(self._app, host, port, arrival_s=arrival_s, end_s=0, half_closed=True, log_level="critical")
        self.player = player
        self._large = threading.Lock()
        self._answering = asyncio.Semaphore(_ANSWERS)

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._respond(request)
        except HTTPException as error:
            response = PlainTextResponse(error.detail, error.status_code, _CLOSE)
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        if request.method != "POST":
            raise HTTPException(405, "this is a general game player: send its messages by POST")
        if "content-length" not in request.headers:
            raise HTTPException(411, "a message needs its Content-Length")
        body = await read_body(request, LARGEST_BODY)
        async with self._answering:
            text = await asyncio.wrap_future(in_thread(lambda: self._reply(body, request.state.arrived)))
        return Response(" ".join(text.split()), 200, _CLOSE, "text/acl")

    def _reply(self, body: bytes, arrived: float) -> str:
        """The player's answer to a message. Raises HTTPException."""
        try:
            with self._large if len(body) > _SMALL else nullcontext():
                message = read_message(body.decode())
            return self.player.reply(message, arrived)
        except UnicodeDecodeError:
            raise HTTPException(400, "the message is not UTF-8 text") from None
        except HexlogicError as error:
            self.player.log(f"refused: {error}")
            raise HTTPException(400, " ".join(str(error).split())) from None
        except Exception as error:
            self.player.log(f"internal error: {type(error).__name__}: {error}")
            raise HTTPException(500, "internal error, told in the log of the player") from None
