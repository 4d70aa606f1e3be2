"""A server of the page on a free port, and pages of Chromium that watch for complaints."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from hexlogic.ggp import StateMachine, read_sheet
from hexlogic.ggp.playing.host import Host, enter, play_series
from hexlogic.ggp.playing.record import encode_match
from hexlogic.web.app import PageServer
from hexlogic.web.records import load_records
from hexlogic.web.sheets import example
from hexlogic.web.thinkers import Thinkers
from tests.web.looking import watched

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)

# The first move of a strategy waits for imports and for numba, which on a busy machine takes longer than a page may.
expect.set_options(timeout=180_000)


RECORDS = (
    "(;FF[4]GM[11]SZ[3]PB[ann]PW[bob];B[b2];W[a1];B[b1];W[a2];B[b3])",
    '{"type":"game","key":"one - two @3 #1","first":"one","second":"two","size":"3","opening":["a2"],"seed":1,'
    '"winner":"two","colour":"blue","reason":"connection","moves":"3x3 red a2, blue b2, red c1, blue b1, red c2, '
    'blue a3","seconds":[0.1]}\n',
)


@pytest.fixture(scope="session")
def record_files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A game in SGF, one of a tournament, and a random match on a sheet of Hex with the sheet beside it."""
    folder = tmp_path_factory.mktemp("records")
    files = [folder / "game.sgf", folder / "tournament.jsonl", folder / "matches.jsonl"]
    for file, text in zip(files, RECORDS, strict=False):
        file.write_text(text, encoding="utf-8")
    sheet = folder / "hex.kif"
    sheet.write_text(example("follow-line-tabled", "3"), encoding="utf-8")
    program = read_sheet(sheet)
    machine = StateMachine.from_sheet(program, "clingo")
    host = Host(program, sheet.name, machine, partial(StateMachine.from_sheet, reasoner="clingo"), 1, 1, log=print)
    (played,) = play_series(host, [enter("random"), enter("random")], 1, swap=False, seed=1)
    files[2].write_bytes(encode_match(played.record))
    return files


@pytest.fixture(scope="session")
def site(record_files: list[Path]) -> Iterator[str]:
    """The address of a running server."""
    records = [record for file in record_files for record in load_records(file)]
    with PageServer(Thinkers(seconds=0.2), port=0, records=records) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"{server.url}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here (apt-get install chromium)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Open `#FRAGMENT` of the server in a context of its own; see `watched`."""
    with watched(browser, site) as open_page:
        yield open_page
