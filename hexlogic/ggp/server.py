"""The player as an HTTP server: a message in the body of a POST, the answer as `text/acl`.

What is no message gets status 400 and a line that says why. Whatever is sent, and however slowly, the server goes on:
one thread waits for all connections at once, and a request gets a thread only when it is complete. A request has a
time in which it must arrive, bodies have a largest size, and each connection carries one request. When connections or
the bytes of unfinished requests become too many, the connection that has been at it for longest is closed: an honest
request arrives within a round trip, so idle connections do not keep it out.
"""

from __future__ import annotations

import asyncio
import io
import re
import resource
import socket
import threading
from contextlib import nullcontext, suppress
from http import HTTPStatus
from http.client import HTTPException, parse_headers
from http.server import BaseHTTPRequestHandler
from time import monotonic
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.ggp.player import NAME, Player
from hexlogic.ggp.protocol import read_message
from hexlogic.process.threads import in_thread

__all__ = ["LARGEST_BODY", "PORT", "GameServer"]

PORT: Final = 9147
"""The port that players have by custom."""
LARGEST_BODY: Final = 2_000_000
"""Bytes of a message; a sheet of a thousand rules has some 100,000."""
_LARGEST_HEAD = 128_000
_SMALL = 64_000
"""Larger messages are read one after the other, so that many at once do not fill the memory."""
_CONNECTIONS = 4_000
"""Open connections, or three quarters of the files that the process may open."""
_UNFINISHED = 64_000_000
"""Bytes of all requests that have not yet arrived completely."""
_ANSWERS = 64
"""Requests that are answered at a time."""
_BACKLOG = 1_024
_ARRIVAL_S = 20.0
"""Seconds in which a request must have arrived, its body included."""
_HEAD_END = re.compile(rb"\r?\n\r?\n")


class GameServer:
    """Serves one player. `arrival_s` is the time that a request may take to arrive.

    The address is taken at once, which raises OSError when it cannot be; the port is opened by `listen`, which entering
    the context and `serve_forever` do. `shutdown` may be called from any thread."""

    def __init__(
        self, player: Player, host: str = "127.0.0.1", port: int = PORT, arrival_s: float = _ARRIVAL_S
    ) -> None:
        self.player = player
        self.arrival_s = arrival_s
        self.large = threading.Lock()
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((host, port))
        except BaseException:
            self._socket.close()
            raise
        self._most = min(_CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4)
        self._open: set[asyncio.StreamWriter] = set()
        self._arriving: dict[asyncio.StreamWriter, int] = {}
        """Connections whose request is not complete, the oldest first, and the bytes that they hold."""
        self._unfinished = 0
        """The sum of these bytes."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._serving: int | None = None
        self._ending, self._ended = threading.Event(), threading.Event()
        self._end: asyncio.Event | None = None

    @property
    def server_address(self) -> tuple[str, int]:
        """Address and port; the port is told also where 0 was asked for."""
        host, port = self._socket.getsockname()[:2]
        return str(host), int(port)

    @property
    def url(self) -> str:
        """Where hosts find the player."""
        host, port = self.server_address
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def listen(self) -> None:
        """Open the port: who connects from now on is answered once `serve_forever` runs. Raises OSError."""
        self._socket.listen(_BACKLOG)

    def serve_forever(self) -> None:
        """Serve until `shutdown`, or until a KeyboardInterrupt."""
        self._serving = threading.get_ident()
        try:
            asyncio.run(self._serve())
        finally:
            self._ended.set()

    def shutdown(self) -> None:
        """Make `serve_forever` return, and wait for that unless it is in this thread, as in a signal handler."""
        self._ending.set()
        if self._loop is not None and self._end is not None:
            with suppress(RuntimeError):  # it has returned
                self._loop.call_soon_threadsafe(self._end.set)
        if self._serving is not None and self._serving != threading.get_ident():
            self._ended.wait()

    def close(self) -> None:
        """Give the address up."""
        self._socket.close()

    def __enter__(self) -> GameServer:
        self.listen()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _serve(self) -> None:
        self._answering = asyncio.Semaphore(_ANSWERS)
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        if self._ending.is_set():
            return
        server = await asyncio.start_server(self._meet, sock=self._socket, limit=_SMALL, backlog=_BACKLOG)
        try:
            await self._end.wait()
        finally:
            server.close()  # what is still open is given up with the loop

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from its begin to its end. A client that left or is too slow is no error of ours."""
        arrived = monotonic()
        self._open.add(writer)
        self._arriving[writer] = 0
        self._make_room()
        try:
            async with asyncio.timeout(self.arrival_s):
                request, rest = await self._collect(reader, writer)
            if not self._leave(writer):
                return  # closed to make room
            async with self._answering:
                handler = _Handler(self, request, arrived)
                await asyncio.wrap_future(in_thread(handler.handle_one_request))
            writer.write(handler.answer)
            async with asyncio.timeout(self.arrival_s):
                await writer.drain()
                if rest:  # or the sender would not read the answer
                    writer.write_eof()
                    while await reader.read(_SMALL):
                        pass
        except (OSError, TimeoutError, asyncio.CancelledError):  # only the end of the loop cancels
            pass
        except Exception as error:
            self.player.log(f"internal error: {type(error).__name__}: {error}")
        finally:
            self._leave(writer)
            self._open.discard(writer)
            writer.close()

    async def _collect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[bytes, bool]:
        """What has come of a request when it is complete, its sender says no more, or it cannot be a proper one; and
        whether more may come."""
        request = bytearray()
        needed: int | None = None
        while needed is None or len(request) < needed:
            part = await reader.read(_SMALL)
            if not part:
                break
            request += part
            if needed is None:
                needed = _length(request, max(0, len(request) - len(part) - 3))
            if writer not in self._arriving:
                break  # closed to make room
            self._arriving[writer] += len(part)
            self._unfinished += len(part)
            self._make_room()
        return bytes(request), needed is not None and (needed == 0 or len(request) < needed)

    def _make_room(self) -> None:
        """Close connections, the oldest first, while they are too many or their requests too large."""
        while self._arriving and (len(self._open) > self._most or self._unfinished > _UNFINISHED):
            oldest = next(iter(self._arriving))
            self._leave(oldest)
            self._open.discard(oldest)
            oldest.close()

    def _leave(self, writer: asyncio.StreamWriter) -> bool:
        """The connection is not arriving any more; whether it was."""
        held = self._arriving.pop(writer, None)
        self._unfinished -= held or 0
        return held is not None


def _length(request: bytearray, start: int) -> int | None:
    """How many bytes the request has in all, as far as its head tells; None while the head is not complete, and 0 for
    what is answered without reading on. `start` is where the end of the head may begin."""
    end = _HEAD_END.search(request, start)
    if end is None:
        return 0 if len(request) > _LARGEST_HEAD or (b"\n" not in request and len(request) > 65_536) else None
    head = io.BytesIO(request[: end.end()])
    head.readline()
    try:
        length = _decimal(parse_headers(head).get("Content-Length", ""))
    except HTTPException:
        return 0
    return 0 if length is None or length > LARGEST_BODY else end.end() + length


def _decimal(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None


class _Handler(BaseHTTPRequestHandler):
    """Answers one request that has arrived: `handle_one_request` leaves the bytes to send in `answer`."""

    server_version = NAME
    sys_version = ""

    def __init__(self, server: GameServer, request: bytes, arrived: float) -> None:
        self._server, self._arrived = server, arrived
        self.rfile = io.BufferedReader(io.BytesIO(request))
        self.wfile = io.BytesIO()
        self.close_connection = True

    @property
    def answer(self) -> bytes:
        """What is to be sent."""
        assert isinstance(self.wfile, io.BytesIO)
        return self.wfile.getvalue()

    def do_POST(self) -> None:
        """A message: read the body, let the player answer."""
        length = _decimal(self.headers.get("Content-Length", ""))
        if length is None:
            return self._send(HTTPStatus.LENGTH_REQUIRED, "a message needs its Content-Length")
        if length > LARGEST_BODY:
            return self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a message has at most {LARGEST_BODY} bytes")
        body = self.rfile.read(length)
        if len(body) < length:
            return self._send(HTTPStatus.BAD_REQUEST, "the body is shorter than its Content-Length")
        player = self._server.player
        try:
            with self._server.large if len(body) > _SMALL else nullcontext():
                message = read_message(body.decode())
            answer = player.reply(message, self._arrived)
        except UnicodeDecodeError:
            return self._send(HTTPStatus.BAD_REQUEST, "the message is not UTF-8 text")
        except HexlogicError as error:
            player.log(f"refused: {error}")
            return self._send(HTTPStatus.BAD_REQUEST, str(error))
        except Exception as error:
            player.log(f"internal error: {type(error).__name__}: {error}")
            return self._send(HTTPStatus.INTERNAL_SERVER_ERROR, "internal error, told in the log of the player")
        return self._send(HTTPStatus.OK, answer)

    def do_GET(self) -> None:
        """For people who look with a browser."""
        self._send(HTTPStatus.METHOD_NOT_ALLOWED, "this is a general game player: send its messages by POST")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """A line of text for requests that are no HTTP."""
        status = HTTPStatus(code)
        self._send(status, status.phrase)

    def log_message(self, format: str, *args: object) -> None:
        """The player says what is worth saying."""

    def _send(self, status: HTTPStatus, text: str) -> None:
        body = " ".join(text.split()).encode(errors="replace")
        self.request_version = self.protocol_version  # what is no HTTP counts as 0.9, which has no head
        self.send_response(status)
        self.send_header("Content-Type", "text/acl; charset=utf-8" if status == HTTPStatus.OK else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
