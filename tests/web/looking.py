"""Pages that are watched, and what the tests of the workbench look at and press."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

__all__ = ["NOBODY", "lit", "press", "watched"]

NOBODY = "won by these rules: nobody"


def lit(page: Page) -> list[str]:
    """The cells that light up."""
    return sorted(page.evaluate("[...document.querySelectorAll('#board .shade-lit')].map((s) => s.dataset.cell)"))


def press(page: Page, name: str) -> None:
    """Click a cell and wait for the answer."""
    page.locator(f'#board [data-cell="{name}"].cell').click()
    expect(page.locator("#board")).not_to_have_attribute("aria-busy", "true")


@contextmanager
def watched(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """What opens pages in contexts of their own; at the end no page has complained or asked another host."""
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
        context.set_default_timeout(180_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(error.stack or str(error)))
        page.on("console", lambda message: heard(message.text))
        page.on("request", lambda request: asked(request.url))
        page.goto(f"{site}{path}#{fragment}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == [], complaints
