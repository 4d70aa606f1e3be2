"""The page in a real browser: it opens without a complaint, its tables sort and filter, its figures are drawn, and
nothing sticks out of it on a phone or on a wide screen, in light and in dark."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from folder_for_report import measured, other, series, stored
from playwright.sync_api import Browser, Page, sync_playwright
from records_for_report import run, session

from hexlogic.report.build import build_report

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
WIDTHS = (400, 1400)
SCHEMES = ("light", "dark")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (apt-get install chromium)")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with everything in it that a page may hold: series, a wrong answer, a long message."""
    folder = tmp_path_factory.mktemp("browser")
    bad = run("maker-breaker", "none", "swipl", status="error", message=f"line 1: {'x' * 300} {'words ' * 60}")
    wrong = run("maker-breaker", "ground,reorder", "swipl", 1.0, category="wrong", message="answered yes")
    quick = stored(folder / "quick", [*measured(), bad, wrong])
    growth = stored(folder / "growth", series(), other(session(), suite="scaling"))
    build_report([quick, growth], folder / "out")
    return folder / "out"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield chromium
        chromium.close()


def opened(browser: Browser, path: Path, width: int = 1400, scheme: str = "light") -> Page:
    """The page, with every complaint of the browser in `page.complaints`."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    page.on("request", lambda request: request.url.startswith(("file:", "data:")) or complaints.append(request.url))
    page.complaints = complaints
    page.goto(path.as_uri())
    return page


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_opens_quietly_and_nothing_sticks_out(browser: Browser, built: Path, width: int, scheme: str) -> None:
    page = opened(browser, built / "index.html", width, scheme)
    assert page.complaints == []
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    out = page.evaluate(
        """() => [...document.querySelectorAll("main *, header *")].filter((one) => {
            if (one.closest(".scroll table, svg *") !== null) return false;
            const box = one.getBoundingClientRect();
            return box.width > 0 && (box.left < -0.5 || box.right > document.documentElement.clientWidth + 0.5);
        }).map((one) => `${one.tagName} ${one.className}`)"""
    )
    assert out == []
    page.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_words_of_figures_stay_inside(browser: Browser, built: Path, width: int) -> None:
    page = opened(browser, built / "index.html", width)
    found = page.evaluate(
        """() => [...document.querySelectorAll("figure")].map((figure) => {
            const frame = figure.querySelector("svg").getBoundingClientRect();
            const out = [...figure.querySelectorAll("svg text")].filter((text) => {
                const box = text.getBoundingClientRect();
                return box.left < frame.left - 1 || box.right > frame.right + 1 ||
                    box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
            }).map((text) => text.textContent);
            return {id: figure.id, width: frame.width, height: frame.height, out,
                shapes: figure.querySelectorAll("svg rect, svg circle, svg polygon, svg polyline").length};
        })"""
    )
    assert len(found) >= 8
    for figure in found:
        assert (figure["out"], figure["shapes"] > 2) == ([], True), figure
        assert figure["width"] > 250, figure
        assert figure["height"] > 100, figure
    page.close()


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two CSS colours, as the WCAG define it."""

    def luminance(colour: str) -> float:
        channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_words_can_be_read(browser: Browser, built: Path, scheme: str) -> None:
    page = opened(browser, built / "index.html", scheme=scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (contrast(paper, "rgb(0, 0, 0)") < 2) == (scheme == "dark")
    colours = page.evaluate(
        """() => [...document.querySelectorAll("p, li, td, th, h2, a, .alarm")].map((one) => {
            const style = getComputedStyle(one);
            let back = one;
            while (getComputedStyle(back).backgroundColor === "rgba(0, 0, 0, 0)" && back.parentElement) {
                back = back.parentElement;
            }
            return [style.color, getComputedStyle(back).backgroundColor];
        })"""
    )
    assert len(colours) > 100
    for ink, ground in {tuple(pair) for pair in colours}:
        assert contrast(ink, ground) >= 4.5, (ink, ground)
    inks = page.evaluate(
        """() => [...document.querySelectorAll('svg [class^="h-"][class$="t"]')].map((text) =>
            [getComputedStyle(text).fill, getComputedStyle(text.previousElementSibling).fill])"""
    )
    assert inks
    for ink, ground in {tuple(pair) for pair in inks}:
        assert contrast(ink, ground) >= 4.5, (ink, ground)
    series = page.evaluate("[...document.querySelectorAll('polyline')].map((one) => getComputedStyle(one).stroke)")
    for stroke in set(series):
        assert contrast(stroke, paper) >= 3, stroke
    page.close()


def column(page: Page, table: str, number: int) -> list[str]:
    rows = f"#table-{table} tbody tr:not([hidden])"
    return page.evaluate(f"[...document.querySelectorAll('{rows}')].map((row) => row.cells[{number}].textContent)")


def value(text: str) -> float | None:
    """The number of a time with its marks, None for `> 10 s` and the like."""
    bare = text.rstrip("*!")
    return float(bare) if re.fullmatch(r"[\d.]+", bare) else None


def test_tables_sort_by_value_with_the_missing_last(browser: Browser, built: Path) -> None:
    page = opened(browser, built / "index.html")
    heads = page.evaluate("[...document.querySelectorAll('#table-grid-test th')].map((head) => head.textContent)")
    time = heads.index("time (ms)")
    button = page.locator("#table-grid-test th button").nth(time)
    head = page.locator("#table-grid-test th").nth(time)
    button.click()
    assert head.get_attribute("aria-sort") == "ascending"
    texts = column(page, "grid-test", time)
    numbers = [number for text in texts if (number := value(text)) is not None]
    assert len(numbers) > 10
    assert numbers == sorted(numbers)
    # What has no time comes last, upwards and downwards.
    assert [value(text) for text in texts] == numbers + [None] * (len(texts) - len(numbers))
    button.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    down = column(page, "grid-test", time)
    assert [value(text) for text in down[: len(numbers)]] == numbers[::-1]
    assert sorted(down) == sorted(texts)
    assert page.complaints == []
    page.close()


def test_tables_filter_by_words_and_by_choice(browser: Browser, built: Path) -> None:
    page = opened(browser, built / "index.html")
    tools = page.locator("#table-grid-test .tools")
    every = len(column(page, "grid-test", 0))
    tools.locator("select").nth(1).select_option("clingo")
    assert set(column(page, "grid-test", 1)) == {"clingo"}
    tools.locator("input").fill("TABLED clingo")
    shown = column(page, "grid-test", 0)
    assert set(shown) == {"follow-line-tabled"}
    assert tools.locator("output").text_content() == f"{len(shown)} of {every} rows"
    tools.locator("input").fill("no such words")
    assert column(page, "grid-test", 0) == []
    tools.locator("input").fill("")
    tools.locator("select").nth(1).select_option("")
    assert len(column(page, "grid-test", 0)) == every
    page.close()


def test_everything_is_there_on_paper(browser: Browser, built: Path) -> None:
    page = opened(browser, built / "index.html", scheme="dark")
    page.emulate_media(media="print")
    assert contrast(page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(0, 0, 0)") > 20
    assert page.locator(".tools").first.is_hidden()
    assert page.locator("#table-grid-test tbody tr").last.is_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX") == "visible"
    assert page.pdf().startswith(b"%PDF")
    # A sheet of A4 without its margins.
    page.set_viewport_size({"width": 718, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    page.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_figures_can_be_read_alone(browser: Browser, built: Path, scheme: str) -> None:
    pictures = sorted((built / "figures").glob("*.svg"))
    page = opened(browser, pictures[0], scheme=scheme)
    for picture in pictures:
        page.goto(picture.as_uri())
        ground, inks = page.evaluate(
            """() => [getComputedStyle(document.querySelector(".f-paper")).fill,
                [...document.querySelectorAll("text.f-ink")].map((one) => getComputedStyle(one).fill)]"""
        )
        assert all(contrast(ink, ground) >= 4.5 for ink in set(inks)), picture
    assert page.complaints == []
    page.close()
