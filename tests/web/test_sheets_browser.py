"""Sheets in a real browser: stepped through, clicked on the board, checked, reopened from the link."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.checkout import CHECKOUT

GAMES = CHECKOUT / "tests" / "ggp" / "games"
DOCS = CHECKOUT / "docs"


def labels(page: Page) -> list[str]:
    return page.evaluate("[...document.querySelectorAll('#moves button')].map((b) => b.textContent)")


def status(page: Page, words: str) -> None:
    expect(page.locator("#status")).to_have_text(re.compile(words))


def of_text(text: str, moves: str = "[]") -> str:
    return f"text={quote(text)}&moves={quote(moves)}"


def test_hex_is_played_on_its_board_to_the_end(visit: Callable[..., Page]) -> None:
    page = visit("", "sheets.html")
    status(page, "^step 1: red can choose$")
    page.locator('#board [data-cell="b2"].cell').click()
    status(page, "^step 2, after .place b2. noop: blue can choose$")
    expect(page.locator("#facts")).to_have_text("(control blue) (stone red b2)")
    assert "(place b2)" not in labels(page)
    assert "(place a1)" in labels(page)
    page.locator("summary", has_text="fired").click()
    expect(page.locator("#fired")).to_contain_text(
        re.compile(r"line \d+: next\(stone\(P,X\)\) :- does\(P,place\(X\)\)")
    )
    for move in ("(place a1)", "(place a2)", "(place b1)"):
        page.get_by_role("button", name=move, exact=True).click()
        status(page, re.escape(move))
    page.locator('#board [data-cell="c2"].cell').click()
    status(page, "^the game is over: red 100, blue 0$")
    assert labels(page) == []
    other = visit(page.url.partition("#")[2], "sheets.html", width=390, scheme="dark")
    status(other, "^the game is over: red 100, blue 0$")
    assert other.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#undo").click()
    status(page, "^step 5, ")


def test_roles_that_move_at_once_are_asked_one_by_one(visit: Callable[..., Page]) -> None:
    page = visit(of_text((GAMES / "rock-paper-scissors.kif").read_text()), "sheets.html")
    status(page, "^step 1: .* and .* can choose$")
    groups = page.locator("#moves [role=group]")
    groups.nth(0).locator("button").nth(1).click()
    expect(groups.nth(0).locator("button").nth(1)).to_have_attribute("aria-pressed", "true")
    groups.nth(1).locator("button").nth(0).click()
    status(page, "^(step 2, after|the game is over)")


def test_a_grid_is_drawn_and_stepped_through(visit: Callable[..., Page]) -> None:
    page = visit(of_text((GAMES / "tic-tac-toe.kif").read_text()), "sheets.html")
    status(page, "^step 1: xplayer can choose$")
    page.get_by_role("button", name="(mark 2 2)", exact=True).click()
    status(page, "^step 2")
    expect(page.locator("#board svg[role=img] text", has_text=re.compile("^x$"))).to_have_count(1)


def test_findings_stand_at_their_lines(visit: Callable[..., Page]) -> None:
    page = visit(of_text((DOCS / "examples" / "slips.kif").read_text()), "sheets.html")
    status(page, "^the sheet has a slip$")
    expect(page.locator("#findings li")).to_have_count(8)
    marked = page.evaluate("[...document.querySelectorAll('#under mark')].map((m) => m.textContent)")
    assert {"afer", "legel", "robto", "110"} <= set(marked)
    page.get_by_role("button", name="GDL has no word `legel`").click()
    chosen = page.evaluate(
        "(() => { const t = document.getElementById('text'); "
        "return t.value.slice(t.selectionStart, t.selectionEnd); })()"
    )
    assert chosen.startswith("(<= (legel robot wait)")
    page.locator("#text").fill((DOCS / "examples" / "lights.kif").read_text())
    status(page, "^step 1")
    page.locator("#check").click()
    status(page, "rules, 3 random games: ")


@pytest.mark.takes_seconds
def test_a_sheet_that_takes_too_long_to_ground_is_stopped_by_its_reader(visit: Callable[..., Page]) -> None:
    numbers = " ".join(f"(num {number})" for number in range(60))
    many = " ".join(f"(num ?{name})" for name in "abcde")
    page = visit(
        of_text(
            f"(role r) (init (n 0)) (<= (legal r go) (role r)) {numbers} (<= (next (n ?a ?b ?c ?d ?e)) {many})"
            "(<= (goal r 0) (role r)) (<= terminal (true (n never)))"
        ),
        "sheets.html",
    )
    page.locator("#task button").click()
    expect(page.locator("#task")).to_be_hidden()
    page.locator("#text").fill(
        "(role r) (init a) (<= (legal r go) (role r)) (<= (next a) (true a)) (<= (goal r 7) (role r))"
    )
    status(page, "^step 1")


@pytest.mark.takes_seconds
def test_two_strategies_are_watched_on_a_sheet(visit: Callable[..., Page]) -> None:
    page = visit("", "sheets.html")
    status(page, "^step 1: ")
    expect(page.locator("#pause")).to_be_disabled()
    page.locator("#players select").nth(1).select_option("uct:100")
    page.locator("#players select").nth(0).select_option("random")
    status(page, "^the game is over: ")
    assert page.locator("#board .stone").count() >= 5
    page.locator("#undo").click()
    expect(page.locator("#pause")).to_have_attribute("aria-pressed", "true")
    status(page, "^step ")
    other = visit(page.url.partition("#")[2], "sheets.html")
    status(other, "^step ")
    expect(other.locator("#players select").nth(1)).to_have_value("uct:100")
    other.locator("#pause").click()
    status(other, "^the game is over: ")


@pytest.mark.takes_seconds
def test_a_strategy_answers_on_the_board_of_another_game(visit: Callable[..., Page]) -> None:
    page = visit("", "sheets.html", width=390)
    status(page, "^step 1: ")
    page.locator("#kind").select_option("y")
    expect(page.locator("#board .cell")).to_have_count(10)
    page.locator("#players select").nth(1).select_option("random")
    page.locator('#board [data-cell="b2"].cell').click()
    status(page, "^step 3, .*: red can choose")
    expect(page.locator("#board .stone")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
