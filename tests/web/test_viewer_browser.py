"""Recorded games and matches in a real browser: stepped through by click and by key, found, and played on."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect


def stones(page: Page) -> list[str]:
    labels = page.evaluate("[...document.querySelectorAll('#board .cell')].map((c) => c.getAttribute('aria-label'))")
    return [label for label in labels if not label.endswith("empty")]


def status(page: Page, words: str) -> None:
    expect(page.locator("#status")).to_have_text(re.compile(words))


def test_a_game_is_stepped_through_and_played_on(visit: Callable[..., Page]) -> None:
    page = visit("", "viewer.html")
    status(page, "^0 of 5: the empty board$")
    expect(page.locator("#words")).to_contain_text("red ann")
    expect(page.locator("#back")).to_be_disabled()
    page.locator("#forward").click()
    status(page, "^1 of 5: red b2$")
    assert stones(page) == ["b2, red"]
    page.keyboard.press("End")
    status(page, "^5 of 5: ")
    assert page.locator("#board .chain").count() == 1
    page.keyboard.press("ArrowLeft")
    status(page, "^4 of 5: ")
    assert page.locator("#board .chain").count() == 0
    assert len(stones(page)) == 4
    page.locator("#play").click()
    status(page, "^red to move$")
    assert len(stones(page)) == 4


def test_games_of_a_tournament_are_found_by_words(visit: Callable[..., Page]) -> None:
    page = visit("", "viewer.html", width=390, scheme="dark")
    status(page, "^0 of 5")
    page.locator("#find").fill("one two")
    status(page, "^0 of 6: the empty board$")
    expect(page.locator("#games option")).to_have_text(["one - two @3 #1, two wins"])
    page.locator("#moves button").last.click()
    status(page, "^6 of 6: blue a3$")
    assert page.locator("#board .chain").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_match_of_general_game_players_opens_on_its_board(visit: Callable[..., Page]) -> None:
    page = visit("game=2&step=1", "viewer.html")
    status(page, r"^1 of \d+: red .place ..., blue noop$")
    assert len(stones(page)) == 1
    expect(page.locator("#facts")).to_have_text("(control blue)")
    page.locator("#last").click()
    last = page.locator("#status").text_content()
    assert last.startswith(re.search(r"of (\d+)", last)[1])
    assert len(stones(page)) == int(re.search(r"of (\d+)", last)[1])
    expect(page.locator("#words")).to_contain_text("red random: 100" if "red (place" in last else "blue random: 100")
    other = visit(page.url.partition("#")[2], "viewer.html")
    expect(other.locator("#status")).to_have_text(last)


def test_a_board_that_cannot_be_drawn_is_a_problem_and_no_fault_of_the_page(visit: Callable[..., Page]) -> None:
    page = visit("", "viewer.html")
    status(page, "^0 of 5: the empty board$")
    refusal = '{"error": "no such board"}'
    page.route("**/api/board", lambda route: route.fulfill(status=400, content_type="application/json", body=refusal))
    page.reload()
    expect(page.locator("#problem")).to_have_text("no such board")
    page.locator("#last").click()
    expect(page.locator("#problem")).to_have_text("no such board")
    page.unroute("**/api/board")
    page.locator("#last").click()
    status(page, "^5 of 5: ")
