"""Serve HTTP with uvicorn, under one policy against requests that arrive slowly, in excess, or from other sites.

A request has a time in which it must arrive, its body included. When connections or the bytes of unfinished requests
become too many, the connection whose request has been arriving for longest is closed: an honest request arrives within
a round trip, so idle connections do not keep it out.
"""

import asyncio
import re
import resource
import socket
import threading
from collections.abc import Callable
from time import monotonic
from typing import ClassVar, Final, Literal, Self, TypeVar

import h11
import uvicorn
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from hexlogic.errors import HexlogicError
from hexlogic.process.signals import Terminated

T = TypeVar("T")
LOOPBACK: Final = "127.0.0.1"
ARRIVAL_S: Final = 20.0
"""Seconds in which a request must have arrived."""
CLOSE: Final = {"connection": "close"}
_LARGEST_HEAD: Final = 65_536
_CONNECTIONS = 4_000  # Open connections, or three quarters of the files that the process may open
_UNFINISHED = 64_000_000  # Bytes of all requests that have not yet arrived completely
_BACKLOG: Final = 1_024
_INCOMPLETE: Final = (h11.IDLE, h11.SEND_BODY)  # States of a client whose request is not complete


class HttpServer:
    """Serves an application. Shutdown waits up to `end_s` seconds for answers in progress. With `half_closed`, a client
    that closes its sending half after the request still gets the answer; otherwise it counts as gone.

    The address is taken at once, and HexlogicError says that it cannot be; port 0 is any free one. The port is opened
    by `listen`, which entering the context and `serve_forever` do. `shutdown` may be called from any thread.
    """

    def __init__(
        self,
        app: ASGIApp,
        host: str = LOOPBACK,
        port: int = 0,
        *,
        arrival_s: float = ARRIVAL_S,
        end_s: int = 1,
        half_closed: bool = False,
        log_level: Literal["error", "critical"] = "error",
    ) -> None:
        self.arrival_s, self.half_closed = arrival_s, half_closed
        self.most = min(_CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4)
        self.arriving: dict[_Connection, int] = {}
        """Connections whose request is not complete, the oldest first, and the bytes that they hold."""
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        self._asked = f"{host}:{port}"
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._take(self._socket.bind, (host, port))

        class Connection(_Connection):
            home = self

        config = uvicorn.Config(
            _same_site(app, host),
            http=Connection,
            interface="asgi3",
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_level=log_level,
            access_log=False,
            server_header=False,
            backlog=_BACKLOG,
            timeout_graceful_shutdown=end_s,
            h11_max_incomplete_event_size=_LARGEST_HEAD,
        )
        self._server = _Server(config)
        self._server.home = self
        self._serving: int | None = None
        self._ended = threading.Event()

    @property
    def server_address(self) -> tuple[str, int]:
        """Address and port; the actual port where 0 was asked for."""
        host, port = self._socket.getsockname()[:2]
        return str(host), int(port)

    @property
    def url(self) -> str:
        """Where the server is found, without a slash at the end."""
        host, port = self.server_address
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def listen(self) -> None:
        """Open the port: who connects from now on is answered once `serve_forever` runs. Raises HexlogicError."""
        self._take(self._socket.listen, _BACKLOG)

    def _take(self, call: Callable[[T], object], argument: T) -> None:
        try:
            call(argument)
        except OSError as error:
            self._socket.close()
            reason = error.strerror or error
            hint = "another --port or --host"
            raise HexlogicError(f"cannot listen: {reason}", file=self._asked, hint=hint) from None

    def serve_forever(self) -> None:
        """Serve until `shutdown`, Ctrl-C, or SIGTERM, whose handler of before is then called."""
        self._serving = threading.get_ident()
        try:
            if not self._server.should_exit:
                self._server.run(sockets=[self._socket.dup()])
        except KeyboardInterrupt as end:
            if isinstance(end, Terminated):
                raise
        finally:
            self._ended.set()

    def shutdown(self) -> None:
        """Make `serve_forever` return, and wait for that unless it is in this thread, as in a signal handler."""
        self._server.should_exit = True
        if self._serving is not None and self._serving != threading.get_ident():
            self._ended.wait()

    def ending(self) -> None:
        """Called when the server ends, before it waits for what is under way."""

    def close(self) -> None:
        """Give the address up."""
        self._socket.close()

    def make_room(self, open_connections: set[H11Protocol]) -> None:
        """Close connections, the oldest first, while they are too many or their requests too large."""
        while self.arriving and (len(open_connections) > self.most or sum(self.arriving.values()) > _UNFINISHED):
            oldest = next(iter(self.arriving))
            open_connections.discard(oldest)
            oldest.give_up()

    def __enter__(self) -> Self:
        self.listen()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def read_body(request: Request, largest: int) -> bytes:
    """The body of a request. Raises HTTPException for one that is too large, whose rest is taken off the line, since
    its sender would not read the answer otherwise, and for one that ends early."""
    body = bytearray()
    try:
        async for part in request.stream():
            if len(body) <= largest:
                body += part
    except ClientDisconnect:
        raise HTTPException(400, "the body is shorter than its Content-Length") from None
    if len(body) > largest:
        raise HTTPException(413, f"a message has at most {largest:,} bytes")
    return bytes(body)


def _same_site(app: ASGIApp, host: str) -> ASGIApp:
    """The application of a server on `host`, for requests of its own pages and of programs. On loopback it answers to
    the names of loopback only; whoever listens elsewhere cannot know by which names the machine is called."""
    names = {LOOPBACK, "localhost", "[::1]", ""} if host in (LOOPBACK, "localhost", "::1") else None

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)  # a program may leave out `Host`
        asked, origin = headers.get("host", ""), headers.get("origin")
        served = app
        if names is not None and re.sub(r":\d+$", "", asked) not in names:
            served = PlainTextResponse("this server has another name", 400, CLOSE)
        elif origin is not None and origin.partition("://")[2] != asked:
            served = PlainTextResponse("a page of another site asks", 403, CLOSE)
        await served(scope, receive, send)

    return answer


class _Server(uvicorn.Server):
    home: HttpServer

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.home.ending()
        for connection in tuple(self.home.arriving):
            connection.give_up()
        await super().shutdown(sockets)


class _Connection(H11Protocol):
    home: ClassVar[HttpServer]
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()
        self.home.make_room(self.connections)  # type: ignore[arg-type]  # all are of this class

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state not in (*_INCOMPLETE, h11.DONE):
            return  # that was its last request
        if self.conn.their_state in _INCOMPLETE:
            self._begin()
            self.home.arriving[self] += len(data)
        try:
            super().data_received(data)
        except h11.LocalProtocolError:  # an error after the answer has begun
            self.transport.close()
        self._follow()
        self.home.make_room(self.connections)  # type: ignore[arg-type]

    def eof_received(self) -> bool:  # type: ignore[override]
        """Whether there is an answer to be sent yet."""
        if self.conn.their_state in _INCOMPLETE:
            is_answered = self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE)
            if is_answered or not self.home.arriving.get(self):
                return False
            self.send_400_response("the request is shorter than it says")
            self._end()
        elif not self.home.half_closed:
            return False
        elif self.cycle is not None:
            self.cycle.keep_alive = False
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._follow()

    def give_up(self) -> None:
        self._end()
        self.transport.close()

    def _follow(self) -> None:
        """Note whether a request is complete, or has begun behind the one before."""
        if self.conn.their_state is h11.SEND_BODY:
            self._begin()
        elif self.conn.their_state is not h11.IDLE:
            self._end()

    def _begin(self) -> None:
        """A request begins to arrive, unless one does already."""
        if self not in self.home.arriving and not self.transport.is_closing():
            self.home.arriving[self] = 0
            self.app_state = {"arrived": monotonic()}
            self._late = self.loop.call_later(self.home.arrival_s, self.give_up)

    def _end(self) -> None:
        self.home.arriving.pop(self, None)
        if self._late is not None:
            self._late.cancel()
            self._late = None
