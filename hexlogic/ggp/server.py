"""The player as an HTTP server: a message in the body of a POST, the answer as `text/acl`.

What is no message gets status 400 and a line that says why. Whatever is sent, and however slowly, the server goes on:
bodies have a largest size, a request has a time in which it must arrive, and each connection carries one request.
"""

from __future__ import annotations

import io
import socket
import sys
import threading
from contextlib import nullcontext
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import TYPE_CHECKING, Final

from hexlogic.errors import HexlogicError
from hexlogic.ggp.player import NAME, Player
from hexlogic.ggp.protocol import read_message

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["LARGEST_BODY", "PORT", "GameServer"]

PORT: Final = 9147
"""The port that players have by custom."""
LARGEST_BODY: Final = 2_000_000
"""Bytes of a message; a sheet of a thousand rules has some 100,000."""
_SMALL = 64_000
"""Larger messages are read one after the other, so that many at once do not fill the memory."""
_CONNECTIONS = 64
_ARRIVAL_S = 20.0
"""Seconds in which a request must have arrived, its body included."""


class GameServer(ThreadingHTTPServer):
    """Serves one player. `arrival_s` is the time that a request may take to arrive.

    Raises OSError when it cannot listen there. `serve_forever` serves, `server_address` tells the port when 0 was
    asked for."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = _CONNECTIONS

    def __init__(
        self, player: Player, host: str = "127.0.0.1", port: int = PORT, arrival_s: float = _ARRIVAL_S
    ) -> None:
        self.player = player
        self.arrival_s = arrival_s
        self.large = threading.Lock()
        self._free = threading.BoundedSemaphore(_CONNECTIONS)
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, port), _Handler)

    @property
    def url(self) -> str:
        """Where hosts find the player."""
        host, port = self.server_address[:2]
        name = host if isinstance(host, str) else host.decode()
        return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"

    def process_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        """A thread for each connection, while there are not too many."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(
        self, request: socket.socket | tuple[bytes, socket.socket], client_address: object
    ) -> None:
        """What a connection's thread does."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that left or is too slow is no error of ours; anything else is told in one line."""
        error = sys.exception()
        if not isinstance(error, OSError):
            self.player.log(f"internal error: {type(error).__name__}: {error}")


class _Arriving(io.RawIOBase):
    """What a socket receives until a deadline; TimeoutError afterwards, however fast the bytes came."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self._connection, self._until = connection, monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        left = self._until - monotonic()
        if left <= 0:
            raise TimeoutError("the request did not arrive in time")
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server: GameServer
    server_version = NAME
    sys_version = ""

    def setup(self) -> None:
        super().setup()
        self.arrived = monotonic()
        self.rfile.close()
        self.rfile = io.BufferedReader(_Arriving(self.connection, self.server.arrival_s))

    def do_POST(self) -> None:
        """A message: read the body, let the player answer."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal() and len(length) < 20):
            return self._send(HTTPStatus.LENGTH_REQUIRED, "a message needs its Content-Length")
        if int(length) > LARGEST_BODY:
            self._drop(int(length))
            return self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a message has at most {LARGEST_BODY} bytes")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            return self._send(HTTPStatus.BAD_REQUEST, "the body is shorter than its Content-Length")
        self.connection.settimeout(self.server.arrival_s)
        player = self.server.player
        try:
            with self.server.large if len(body) > _SMALL else nullcontext():
                message = read_message(body.decode())
            answer = player.reply(message, self.arrived)
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

    def _drop(self, length: int) -> None:
        """Take a body that is too large off the line, or its sender would not read the answer."""
        while length > 0 and (taken := self.rfile.read(min(length, _SMALL))):
            length -= len(taken)
