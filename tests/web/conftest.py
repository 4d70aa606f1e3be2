"""A server of the page on a free port, and pages of Chromium that watch for complaints."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from hexlogic.web.serve import PageServer
from hexlogic.web.thinkers import Thinkers

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)

# The first move of a strategy waits for imports and for numba, which on a busy machine takes longer than a page may.
expect.set_options(timeout=120_000)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of a running server."""
    with PageServer(Thinkers(seconds=0.5), port=0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.url
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
    """Open `#FRAGMENT` in a context of its own; at the end no page has complained or asked another host."""
    complaints: list[str] = []
    contexts = []

    def heard(words: str) -> None:
        # Chromium reports each refusal, which is what the page shows to its reader.
        if "status of 400" not in words:
            complaints.append(words)

    def asked(url: str) -> None:
        if not url.startswith(site):
            complaints.append(url)

    def open_page(fragment: str, path: str = "", width: int = 1300, scheme: str = "light") -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: heard(message.text))
        page.on("request", lambda request: asked(request.url))
        page.goto(f"{site}{path}#{fragment}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
