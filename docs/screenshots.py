"""Take the screenshots of README.md and docs/play.md again: docs/images/page-*.png.

    python docs/screenshots.py

Needs the extra `web`, playwright, and Chromium on the path. The bytes of a screenshot depend on the fonts and the
browser of a machine, so nothing compares them.
"""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, expect, sync_playwright

from hexlogic.web.app import PageServer
from hexlogic.web.records import load_records
from hexlogic.web.thinkers import Thinkers

DOCS = Path(__file__).resolve().parent
MOST_BYTES = 150_000
BROKEN = """reach(P,X) :- owns(P,X), first(P,X).
reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).

% a slip: the last column but one is enough
wins(red) :- reach(red,X), column(X,4).
wins(blue) :- reach(blue,X), last(blue,X).
"""


def play(page: Page) -> None:
    """The connections of both players, one of them shown with its derivation."""
    page.locator("#why").select_option("connections")
    page.locator("#connections button", has_text="red").first.click()
    expect(page.locator("#derivation li").first).to_be_visible()


def refuted(page: Page) -> None:
    """A broken rule refuted: the counter-example stands on the board."""
    page.locator("#text").evaluate("area => (area.rows = 7)")
    page.locator("#prove").click()
    expect(page.locator("#sentence")).to_contain_text("differ")
    expect(page.locator("#board .red").first).to_be_visible()
    page.locator("#pattern").select_option("reach(red,_)")


def stepped(page: Page) -> None:
    """A sheet after three moves."""
    for number, name in enumerate(("b2", "a3", "c1"), 2):
        page.locator(f'#board [data-cell="{name}"].cell').click()
        expect(page.locator("#status")).to_contain_text(f"step {number},")


def wait(page: Page) -> None:
    """Nothing to do but to wait for the stones."""
    expect(page.locator("#board .stone").first).to_be_visible()


SHOTS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "play": ("#size=7&red=you&blue=best:5&moves=d4,c5,d5,e2,c4,b6", play),
    "workbench": (f"workbench.html#size=5&text={quote(BROKEN)}", refuted),
    "sheets": ("sheets.html", stepped),
    "games": ("viewer.html#game=12&step=12", wait),
}


def main() -> None:
    """Take every screenshot; exit status 1 when one is too large."""
    records = load_records(DOCS / "tournaments" / "7x7" / "games.zip")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with PageServer(Thinkers(), port=0, records=records) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
                large = [name for name in SHOTS if _take(browser.new_page(), f"{server.url}/", name) > MOST_BYTES]
                large += ["report"] * (_take_report(browser.new_page()) > MOST_BYTES)
                browser.close()
        finally:
            server.shutdown()
            thread.join()
    if large:
        sys.exit(f"larger than {MOST_BYTES:,} bytes: {', '.join(large)}")


def _take(page: Page, url: str, name: str) -> int:
    """The bytes of the screenshot."""
    expect.set_options(timeout=120_000)
    page.set_default_timeout(120_000)
    # The words below the buttons are what the workbench is about.
    page.set_viewport_size({"width": 960, "height": 600 if name == "workbench" else 540})
    path, act = SHOTS[name]
    page.goto(url + path)
    expect(page.locator("#board .cell").first).to_be_visible()
    act(page)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    return _save(page, name)


def _save(page: Page, name: str) -> int:
    file = DOCS / "images" / f"page-{name}.png"
    page.screenshot(path=file)
    print(f"wrote {file.relative_to(DOCS.parent)}, {file.stat().st_size:,} bytes")
    return file.stat().st_size


def _take_report(page: Page) -> int:
    """The first screen of the example report; its bytes."""
    page.set_viewport_size({"width": 1180, "height": 530})
    page.goto((DOCS / "example-report" / "index.html").as_uri())
    expect(page.locator("table").first).to_be_visible()
    return _save(page, "report")


if __name__ == "__main__":
    main()
