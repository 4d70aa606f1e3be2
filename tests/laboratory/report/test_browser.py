"""The example report in a real browser: every page opens without a complaint and asks nobody for anything, legends
switch, tables sort, the grid answers, nothing sticks out on a phone or a wide screen, in light, in dark, on paper."""

from __future__ import annotations

import re
import shutil
import statistics
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from hexlogic.laboratory.records import read_records
from tests.checkout import CHECKOUT

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
EXAMPLE = CHECKOUT / "docs" / "example-report"
PAGES = sorted(path.stem for path in EXAMPLE.glob("*.html"))
WIDTHS = (390, 1280)
SCHEMES = ("light", "dark")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (apt-get install chromium)")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield chromium
        chromium.close()


def opened(browser: Browser, name: str, width: int = 1280, scheme: str = "light", choice: str = "") -> Page:
    """The page, with every complaint of the browser in `page.complaints`; requests may stay in the report's folder."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    complaints: list[str] = []
    inside = (EXAMPLE.as_uri(), "data:")
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    page.on("request", lambda request: request.url.startswith(inside) or complaints.append(request.url))
    page.complaints = complaints
    page.goto((EXAMPLE / f"{name}.html").as_uri() + choice)
    if name != "grid":
        page.wait_for_selector("html[data-ready]", state="attached")
    return page


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two CSS colours, as the WCAG define it."""

    def luminance(colour: str) -> float:
        channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.takes_seconds(keep=30)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", PAGES)
def test_opens_quietly_and_nothing_sticks_out(browser: Browser, name: str, width: int, scheme: str) -> None:
    page = opened(browser, name, width, scheme)
    assert page.complaints == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    out = page.evaluate(
        """() => [...document.querySelectorAll("main *, nav *, footer *")].filter((one) => {
            if (one.closest(".scroll table, svg *, .still") !== null) return false;
            const box = one.getBoundingClientRect();
            return box.width > 0 && (box.left < -0.5 || box.right > document.documentElement.clientWidth + 0.5);
        }).map((one) => `${one.tagName} ${one.className}`)"""
    )
    assert out == []
    colours = page.evaluate(
        """() => [...document.querySelectorAll("p, li, td, th, h1, h2, h3, a, figcaption")].map((one) => {
            let back = one;
            while (getComputedStyle(back).backgroundColor === "rgba(0, 0, 0, 0)" && back.parentElement) {
                back = back.parentElement;
            }
            return [getComputedStyle(one).color, getComputedStyle(back).backgroundColor];
        })"""
    )
    assert len(colours) > 10
    for ink, ground in {tuple(pair) for pair in colours}:
        assert contrast(ink, ground) >= 4.5, (ink, ground)
    charts = page.evaluate(
        """() => [...document.querySelectorAll("figure:has(> .chart)")].map((figure) => {
            const frame = figure.querySelector(".chart svg").getBoundingClientRect();
            const texts = [...figure.querySelectorAll(".chart svg text")];
            return {
                width: frame.width, texts: texts.length, inks: texts.map((text) => getComputedStyle(text).fill),
                still: getComputedStyle(figure.querySelector(".still")).display,
                out: texts.filter((text) => {
                    const box = text.getBoundingClientRect();
                    return box.left < frame.left - 1 || box.right > frame.right + 1;
                }).map((text) => text.textContent),
            };
        })"""
    )
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    for chart in charts:
        assert chart["out"] == []
        assert chart["still"] == "none"
        assert chart["texts"] > 5
        assert min(contrast(ink, paper) for ink in chart["inks"]) >= 3
    page.close()


def test_the_front_page_takes_two_screens(browser: Browser) -> None:
    page = opened(browser, "index")
    assert page.evaluate("document.documentElement.scrollHeight") <= 2 * 1024
    assert page.locator("figure:has(> .chart)").count() == 3
    assert page.locator("figure.drawing svg").count() == 1
    page.close()


def opacities(page: Page, figure: str) -> list[float]:
    """How visible the lines of a chart are."""
    return page.evaluate(
        f"""() => [...document.querySelectorAll("#figure-{figure} .chart .mark-line path")].map((line) =>
            Number(line.getAttribute("opacity") ?? getComputedStyle(line).opacity))"""
    )


def test_a_legend_switches_lines_on_and_off(browser: Browser) -> None:
    page = opened(browser, "growth")
    before = opacities(page, "growth-swipl")
    assert len(before) > 5
    assert set(before) == {1}
    labels = page.locator("#figure-growth-swipl .chart .role-legend-label text")
    labels.nth(0).click(force=True)
    page.wait_for_function(
        """() => [...document.querySelectorAll("#figure-growth-swipl .chart .mark-line path")]
            .some((line) => Number(line.getAttribute("opacity")) < 0.5)"""
    )
    one = opacities(page, "growth-swipl")
    assert sorted(one) == [0.06] * (len(one) - 1) + [1]
    labels.nth(1).click(force=True)
    page.wait_for_function(
        """() => [...document.querySelectorAll("#figure-growth-swipl .chart .mark-line path")]
            .filter((line) => Number(line.getAttribute("opacity")) === 1).length === 2"""
    )
    # The charts of a page have legends of their own.
    assert set(opacities(page, "growth-pydatalog")) == {1}
    assert page.complaints == []
    page.close()


def test_a_legend_switches_dots_and_their_intervals(browser: Browser) -> None:
    page = opened(browser, "passes")
    page.locator("#figure-passes-both .chart .role-legend-label text").nth(0).click(force=True)
    for mark, least in ((".mark-symbol.role-mark path", 10), (".mark-rule.role-mark line", 10)):
        page.wait_for_function(
            f"""() => [...document.querySelectorAll("#figure-passes-both .chart {mark}")]
                .filter((one) => Number(one.getAttribute("opacity")) < 0.5).length >= {least}"""
        )
    assert page.complaints == []
    page.close()


def test_a_mark_tells_its_value_runs_and_command(browser: Browser) -> None:
    page = opened(browser, "passes")
    page.locator("#figure-passes-both .chart .mark-symbol.role-mark path").first.hover(force=True)
    page.wait_for_selector("#vg-tooltip-element.visible")
    told = page.locator("#vg-tooltip-element").inner_text()
    assert re.search(r"value\s+\S*x", told)
    assert re.search(r"runs\s+\d+", told)
    assert "hexlogic bench --rules" in told
    page.close()


def column(page: Page, table: str, number: int) -> list[str]:
    rows = f"#table-{table} tbody tr:not([hidden])"
    return page.evaluate(f"[...document.querySelectorAll('{rows}')].map((row) => row.cells[{number}].dataset.value)")


def test_tables_sort_by_value_with_the_missing_last(browser: Browser) -> None:
    page = opened(browser, "passes")
    heads = page.evaluate("[...document.querySelectorAll('#table-passes th')].map((head) => head.textContent)")
    place = heads.index("times as fast [95 %]")
    button = page.locator("#table-passes th button").nth(place)
    button.click()
    up = column(page, "passes", place)
    numbers = [float(text) for text in up if text]
    assert len(numbers) > 10
    assert numbers == sorted(numbers)
    assert up[len(numbers) :] == [""] * (len(up) - len(numbers))
    assert "" in up
    button.press("Enter")
    down = column(page, "passes", place)
    assert [float(text) for text in down if text] == numbers[::-1]
    assert down[-1] == ""
    page.locator("#table-passes input").fill("TABLED clingo")
    assert set(column(page, "passes", 0)) == {"follow-line-tabled"}
    assert page.locator("#table-passes output").inner_text() == f"1 of {len(up)} rows"
    assert page.complaints == []
    page.close()


def test_the_grid_answers_and_keeps_the_choice_in_its_address(browser: Browser) -> None:
    page = opened(browser, "grid", choice="#suite=quick&rows=passes&columns=engine&reformulation=clusters")
    cells = lambda: page.evaluate(  # noqa: E731  # short, and used here alone
        "[...document.querySelectorAll('#table-grid tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    head, *rows = cells()
    assert head[0] == "passes"
    assert {row[0] for row in rows} == {"none", "ground", "reorder", "ground,reorder", "ground,reorder,prune"}
    swipl = head.index("swipl")
    written = [
        run.phases.query_s or 0.0
        for run in read_records(EXAMPLE / "records" / "quick-2.jsonl.gz").runs
        if run.counted and (run.rule_set, run.engine, run.pipeline) == ("clusters", "swipl", "none")
    ]
    assert {row[0]: row[swipl] for row in rows}["none"] == f"{1000 * statistics.median(written):.0f} ms"
    page.locator("select[name=columns]").select_option("passes")
    page.locator("select[name=rows]").select_option("reformulation")
    page.locator("select[name=baseline]").select_option("none")
    head, *rows = cells()
    ratios = {row[0]: dict(zip(head, row, strict=True)) for row in rows}
    assert ratios["clusters"]["none"] == "1.0 x"
    assert ratios["power-set"]["reorder"] in ("no baseline", "timeout") or ratios["power-set"]["reorder"].endswith(" x")
    address = page.url
    assert "baseline=none" in address
    assert "rows=reformulation" in address
    again = opened(browser, "grid", choice=address[address.index("#") :])
    assert again.locator("#table-grid").inner_text() == page.locator("#table-grid").inner_text()
    assert page.complaints == again.complaints == []
    page.close()
    again.close()


@pytest.mark.takes_seconds(keep=20)
@pytest.mark.parametrize("name", PAGES)
def test_everything_is_there_on_paper(browser: Browser, name: str) -> None:
    page = opened(browser, name, scheme="dark")
    page.emulate_media(media="print")
    assert contrast(page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(0, 0, 0)") > 20
    assert page.locator("nav").is_hidden()
    for figure in page.locator("figure:has(> .chart)").all():
        assert figure.locator(".still svg").is_visible()
        assert figure.locator(".chart").is_hidden()
    if page.locator("tbody tr").count():
        assert page.locator("tbody tr").last.is_visible()
    assert page.pdf().startswith(b"%PDF")
    # A sheet of A4 without its margins.
    page.set_viewport_size({"width": 718, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    page.close()


@pytest.mark.takes_seconds
def test_still_pictures_are_readable_on_their_own_paper(browser: Browser) -> None:
    charts = [path for path in sorted((EXAMPLE / "figures").glob("*.svg")) if path.with_suffix(".csv").exists()]
    assert len(charts) > 8
    page = browser.new_page()
    for chart in charts:
        page.goto(chart.as_uri())
        inks = page.evaluate("[...document.querySelectorAll('text')].map((one) => getComputedStyle(one).fill)")
        assert len(inks) > 5
        assert min(contrast(ink, "rgb(255, 255, 255)") for ink in inks) >= 3, chart
    page.close()
