"""A report that follows a suite while it runs: served on this machine, and made again when there are new records."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from hexlogic.errors import HexlogicError
from hexlogic.files import reason_of
from hexlogic.report.build import build_report
from hexlogic.runs.files import record_files

__all__ = ["ReportServer", "serve_report"]

_HOST = "127.0.0.1"
_EVERY_S = 15
"""How often a browser asks for a page again."""


class ReportServer:
    """Serves a folder, and makes the report in it before a page is sent when its records have changed.

    A context manager: leaving it closes the socket.
    """

    def __init__(self, folders: Sequence[Path], out: Path, port: int, *, mix: bool) -> None:
        self._folders, self._out, self._mix = folders, out, mix
        self._seen: object = None
        self._lock = threading.Lock()
        self.refresh()
        try:
            self._http = ThreadingHTTPServer((_HOST, port), partial(_Handler, self, directory=str(out)))
        except OSError as error:
            raise HexlogicError(
                f"cannot serve on port {port}: {reason_of(error)}", hint="--port 0 takes a free one"
            ) from None

    @property
    def url(self) -> str:
        """The address of the front page."""
        return f"http://{_HOST}:{self._http.server_address[1]}/index.html"

    def refresh(self) -> None:
        """Make the report again if the records have grown; raises what `build_report` raises."""
        with self._lock:
            found = [one for place in self._folders for one in (record_files(place) if place.is_dir() else (place,))]
            now = [(path, path.stat().st_mtime_ns, path.stat().st_size) for path in found if path.exists()]
            if now != self._seen:
                build_report(self._folders, self._out, mix=self._mix)
                self._seen = now

    def run(self) -> None:
        """Serve until the thread is interrupted or `stop` is called."""
        with contextlib.suppress(KeyboardInterrupt):
            self._http.serve_forever(poll_interval=0.2)

    def stop(self) -> None:
        """End `run` in another thread."""
        self._http.shutdown()

    def __enter__(self) -> ReportServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.server_close()


def serve_report(folders: Sequence[Path], out: Path, port: int = 0, *, mix: bool = False) -> ReportServer:
    """A server of the report on some folders, bound to this machine alone.

    Raises HexlogicError for records that cannot be used and for a port that is taken.
    """
    return ReportServer(folders, out, port, mix=mix)


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, server: ReportServer, *arguments: object, directory: str) -> None:
        self._report = server
        super().__init__(*arguments, directory=directory)  # type: ignore[arg-type]  # what the HTTP server passes on

    def do_GET(self) -> None:  # the name that http.server calls
        """Send a file; a page is of the records as they are now."""
        if self.path.partition("?")[0].endswith((".html", "/")):
            try:
                self._report.refresh()
            except HexlogicError as error:
                self.send_error(503, "the records cannot be read now", str(error))
                return
        super().do_GET()

    def end_headers(self) -> None:
        """A page is asked for again, so that it follows the suite; the grid keeps the reader's choice."""
        if self.path.partition("?")[0].endswith(".html"):
            self.send_header("Refresh", str(_EVERY_S))
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: progress belongs to the suite."""
