"""A report that follows a suite while it runs: served on this machine, and made again when there are new records."""

import threading
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from anyio import to_thread
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from hexlogic.errors import HexlogicError
from hexlogic.laboratory.records.store import record_files
from hexlogic.laboratory.report.build import build_report
from hexlogic.process.http import HttpServer

_EVERY_S = 15  # How often a browser asks for a page again


class ReportServer(HttpServer):
    """Serves a folder, and makes the report in it before a page is sent when its records have changed. Bound to this
    machine alone. Raises HexlogicError for records that cannot be used and for a port that is taken."""

    def __init__(self, folders: Sequence[Path], out: Path, port: int = 0, *, mix: bool = False) -> None:
        self._folders, self._out, self._mix = folders, out, mix
        self._seen: object = None
        self._lock = threading.Lock()
        self.refresh()
        routes = [Mount("/", _Pages(self, out))]
        super().__init__(Starlette(routes=routes), port=port)

    def refresh(self) -> None:
        """Make the report again if the records have grown; raises what `build_report` raises."""
        with self._lock:
            files = [file for place in self._folders for file in (record_files(place) if place.is_dir() else (place,))]
            now = [(path, path.stat().st_mtime_ns, path.stat().st_size) for path in files if path.exists()]
            if now != self._seen:
                build_report(self._folders, self._out, mix=self._mix)
                self._seen = now


class _Pages(StaticFiles):
    """The files of the report; a page is made from the current records, and a browser reloads it."""

    def __init__(self, server: ReportServer, folder: PathLike[str]) -> None:
        super().__init__(directory=folder, html=True)
        self._server = server

    async def get_response(self, path: str, scope: Scope) -> Response:
        if not path.endswith((".html", ".")):
            return await super().get_response(path, scope)
        try:
            await to_thread.run_sync(self._server.refresh)
        except HexlogicError as error:
            return PlainTextResponse(f"the records cannot be read now: {error}", 503)
        response = await super().get_response(path, scope)
        response.headers["Refresh"] = str(_EVERY_S)
        return response
