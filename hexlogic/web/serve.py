"""The page over HTTP."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hexlogic.process.http import LOOPBACK, HttpServer
from hexlogic.web.app import make_app
from hexlogic.web.children import Children
from hexlogic.web.records import Recorded
from hexlogic.web.thinkers import Thinkers

PORT = 9148
"""The port of the page unless told otherwise."""
_END_S = 3
"""Seconds beside those of a move that the end waits for."""


class PageServer(HttpServer):
    """Serves the page."""

    def __init__(
        self, thinkers: Thinkers, host: str = LOOPBACK, port: int = PORT, records: Sequence[Recorded] = ()
    ) -> None:
        self._thinkers = thinkers
        self._children = Children()
        app = make_app(thinkers, self._children, host, records)
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
