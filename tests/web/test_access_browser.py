"""Every page with the keyboard alone, as a screen reader hears it, on a phone, and in the dark."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

PAGES = {
    "": "size=3&red=you&blue=you&moves=b2,a1",
    "workbench.html": "size=3&red=b2&blue=a1",
    "sheets.html": f"moves={'%5B%5B%22(place%20b2)%22,%22noop%22%5D,%5B%22noop%22,%22(place%20a1)%22%5D%5D'}",
    "viewer.html": "game=0&step=2",
}
"""Each page with a red stone on b2 and a blue one on a1."""
NAMELESS = """() => {
    const words = (one) => one?.textContent.trim();
    const named = (one) => one.getAttribute("aria-label") || words(one) || words(one.labels?.[0]);
    const used = "button, select, input, textarea, a, summary, [role=button], [role=group], [role=img], svg[role]";
    return [...document.querySelectorAll(used)].filter((one) => !named(one)).map((one) => one.outerHTML.slice(0, 100));
}"""
CONTRAST = """() => {
    const light = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const back = (one) => {
        for (; one; one = one.parentElement) {
            const colour = getComputedStyle(one).backgroundColor;
            if (!/, 0\\)$/.test(colour)) return colour;
        }
        return "rgb(255, 255, 255)";
    };
    const pale = [];
    for (const one of document.querySelectorAll("p, label, button:enabled, a, summary, li, select, input, textarea")) {
        if (!one.checkVisibility() || !(one.value || one.textContent).trim()) continue;
        const [a, b] = [light(getComputedStyle(one).color), light(back(one))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) pale.push(one.outerHTML.slice(0, 100));
    }
    return pale;
}"""


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until what is selected has the focus, and can be seen to have it."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            assert page.evaluate("document.activeElement.matches(':focus-visible')")
            return
    raise AssertionError(f"the Tab key does not reach {selector}")


def opened(visit: Callable[..., Page], path: str, **how: object) -> Page:
    page = visit(PAGES[path], path, **how)
    expect(page.locator("#board .stone")).to_have_count(2)
    return page


@pytest.mark.takes_seconds(keep=16)
@pytest.mark.parametrize("path", PAGES)
def test_a_screen_reader_hears_every_cell_and_every_control(visit: Callable[..., Page], path: str) -> None:
    page = opened(visit, path)
    expect(page.locator('#board [data-cell="b2"].cell')).to_have_attribute("aria-label", "b2, red")
    expect(page.locator('#board [data-cell="a1"].cell')).to_have_attribute("aria-label", "a1, blue")
    expect(page.locator('#board [data-cell="c3"].cell')).to_have_attribute("aria-label", "c3, empty")
    role = "img" if path == "viewer.html" else "button"
    expect(page.get_by_role(role, name="b2, red", exact=True)).to_have_count(1)
    assert page.evaluate(NAMELESS) == []
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("status")).to_have_count(1)  # what changes is said
    expect(page.locator("nav [aria-current=page]")).to_have_count(1)
    assert page.evaluate("document.documentElement.lang") == "en"


@pytest.mark.takes_seconds(keep=20)
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [390, 1300])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out_or_is_pale(visit: Callable[..., Page], path: str, width: int, scheme: str) -> None:
    page = opened(visit, path, width=width, scheme=scheme)
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRAST) == []
    small = "[...document.querySelectorAll('nav a, button')].filter((b) => b.checkVisibility() && b.offsetHeight < 24)"
    assert page.evaluate(f"{small}.map((b) => b.outerHTML)") == []


@pytest.mark.takes_seconds
def test_the_workbench_with_the_keyboard_alone(visit: Callable[..., Page]) -> None:
    page = opened(visit, "workbench.html")
    tab_to(page, "#prove")
    page.keyboard.press("Enter")
    expect(page.locator("#sentence")).to_have_text(re.compile("are equal on 3x3 Hex"))
    tab_to(page, "#board .cell")
    for key in ("ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#board .cell.red")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator("#board .cell.red")).to_have_count(3)
    expect(page.locator("#status")).to_have_text("won by these rules: nobody")
    expect(page.locator("#board")).not_to_have_attribute("aria-busy", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+Tab")
    tab_to(page, "#pattern")
    page.keyboard.type("reach(red")
    expect(page.locator("#pattern")).to_have_value("reach(red,_)")
    expect(page.locator("#board .shade-lit").first).to_be_visible()


@pytest.mark.takes_seconds
def test_a_sheet_with_the_keyboard_alone(visit: Callable[..., Page]) -> None:
    page = opened(visit, "sheets.html")
    tab_to(page, "#board .cell")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text(re.compile("^step 4, after .place b1. noop"))
    tab_to(page, "#moves button")
    move = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    expect(page.locator("#board .stone")).to_have_count(3 if move == "noop" else 4)


@pytest.mark.takes_seconds
def test_recorded_games_with_the_keyboard_alone(visit: Callable[..., Page]) -> None:
    page = opened(visit, "viewer.html")
    for key, step in (("ArrowRight", 3), ("ArrowLeft", 2), ("End", 5), ("Home", 0)):
        page.keyboard.press(key)
        expect(page.locator("#status")).to_have_text(re.compile(f"^{step} of 5: "))
    tab_to(page, "#moves button")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text(re.compile("^1 of 5: red b2"))
    tab_to(page, "#play")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("blue to move")


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize("path", [path for path in PAGES if path != "viewer.html"])
def test_the_board_stays_in_its_place_when_something_takes_time(visit: Callable[..., Page], path: str) -> None:
    page = opened(visit, path)
    place = "JSON.stringify(document.querySelector('#board').getBoundingClientRect())"
    before = page.evaluate(place)
    shown = page.evaluate("[...document.querySelectorAll('.task')].map((task) => (task.hidden = false)).length")
    assert shown > 0
    assert page.evaluate(place) == before
