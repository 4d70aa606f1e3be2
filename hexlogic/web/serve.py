"""The page over HTTP, by uvicorn, on an address that is taken before anything is served."""

from __future__ import annotations

import math
import socket
from collections.abc import Sequence
from typing import Self

import uvicorn

from hexlogic.web.app import make_app
from hexlogic.web.children import Children
from hexlogic.web.records import Recorded
from hexlogic.web.thinkers import Thinkers

__all__ = ["PORT", "PageServer"]

PORT = 9148
"""The port of the page unless told otherwise."""
_END_S = 3
"""Seconds beside those of a move that the end waits for."""


class _Server(uvicorn.Server):
    """Ends the child processes before it waits for what is under way."""

    def __init__(self, config: uvicorn.Config, children: Children) -> None:
        super().__init__(config)
        self._children = children

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._children.close()
        await super().shutdown(sockets)


class PageServer:
    """Serves the page. The address is taken at once, which raises OSError when it cannot be; port 0 is any free one."""

    def __init__(
        self, thinkers: Thinkers, host: str = "127.0.0.1", port: int = PORT, records: Sequence[Recorded] = ()
    ) -> None:
        self._thinkers = thinkers
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((host, port))
            self._socket.listen()
        except BaseException:
            self._socket.close()
            raise
        self.host = host
        self._children = children = Children()
        # Who listens on all addresses cannot know the names by which the machine is called.
        hosts = ("*",) if host in ("0.0.0.0", "::") else ("127.0.0.1", "localhost", host)
        config = uvicorn.Config(
            make_app(thinkers, children, hosts, records),
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=math.ceil(thinkers.seconds) + _END_S,
        )
        self._server = _Server(config, children)

    @property
    def url(self) -> str:
        """Where the page is; the port is told also where 0 was asked for."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{self._socket.getsockname()[1]}/"

    def serve_forever(self) -> None:
        """Serve until `shutdown`, or until SIGINT or SIGTERM, which raises KeyboardInterrupt or ends as it would."""
        self._server.run(sockets=[self._socket])

    def shutdown(self) -> None:
        """Make `serve_forever` return; may be called from any thread."""
        self._server.should_exit = True

    def close(self) -> None:
        """Give the address back, and end child processes and strategies."""
        self._socket.close()
        self._children.close()
        self._thinkers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
