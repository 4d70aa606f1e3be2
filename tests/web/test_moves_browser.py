"""Through the moves of a game in the browser: nothing is lost by a key, a click or the browser's Back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.test_play_browser import TWO, cell, click, status, stones


def moves(page: Page) -> list[str]:
    return page.locator("#moves li").all_text_contents()


def test_another_size_and_tab_keep_the_game(visit: Callable[..., Page]) -> None:
    page = visit(f"size=5&{TWO}")
    status(page, "red to move")
    click(page, "c3", "b2", "d2")
    page.locator("#size").fill("7")
    page.keyboard.press("Tab")
    expect(page.locator("#problem")).to_have_text("New game begins on a board of this size")
    assert moves(page) == ["c3", "b2", "d2"]
    page.locator("#new").click()
    expect(page.locator("#board .cell")).to_have_count(49)
    expect(page.locator("#moves li")).to_have_count(0)
    # Back in the browser brings the game, and an empty board takes another size at once.
    page.go_back()
    expect(page.locator("#board .cell")).to_have_count(25)
    expect(page.locator("#moves li")).to_have_text(["c3", "b2", "d2"])
    page.go_forward()
    expect(page.locator("#moves li")).to_have_count(0)
    page.locator("#size").fill("4")
    page.keyboard.press("Tab")
    expect(page.locator("#board .cell")).to_have_count(16)


def test_forward_back_and_variations(visit: Callable[..., Page]) -> None:
    page = visit(f"size=5&{TWO}")
    status(page, "red to move")
    click(page, "c3", "b2", "d2")
    page.locator("#back").click()
    status(page, "red to move")
    expect(page.locator("#moves li")).to_have_text(["c3", "b2"])
    cell(page, "a5").click()  # in the place of d2
    expect(page.locator("#moves li")).to_have_text(["c3", "b2", "a5"])
    expect(page.locator("#variations button")).to_have_text(["d2"])
    page.locator("#variations button").click()
    expect(page.locator("#moves li")).to_have_text(["c3", "b2", "d2"])
    # A click in the list goes there; forward takes what was shown last.
    page.locator("#moves-box summary").click()
    page.locator("#moves li button").first.click()
    expect(page.locator("#moves li")).to_have_text(["c3"])
    assert stones(page) == {"c3": "red"}
    page.locator("#status").click()
    page.keyboard.press("f")
    expect(page.locator("#moves li")).to_have_text(["c3", "b2"])
    expect(page.locator("#variations button")).to_have_text(["d2", "a5"])
    page.keyboard.press("b")
    expect(page.locator("#moves li")).to_have_text(["c3"])
    # The tree outlives the page.
    page.reload()
    expect(page.locator("#variations button")).to_have_text(["b2"])


def test_a_place_at_which_a_strategy_moves_waits(visit: Callable[..., Page]) -> None:
    page = visit("size=5&red=you&blue=random")
    status(page, "red to move")
    cell(page, "c3").click()
    expect(page.locator("#moves li")).to_have_count(2)
    played = moves(page)
    page.locator("#back").click()
    expect(page.locator("#moves li")).to_have_count(1)
    status(page, re.compile("blue .*to move"))
    expect(page.locator("#pause")).to_have_attribute("aria-pressed", "true")
    page.locator("#forward").click()
    expect(page.locator("#moves li")).to_have_text(played)
    expect(page.locator("#pause")).to_have_attribute("aria-pressed", "false")


def test_leaving_the_page_and_back_keeps_the_game(visit: Callable[..., Page]) -> None:
    page = visit(f"size=5&{TWO}")
    status(page, "red to move")
    click(page, "c3", "b2")
    page.get_by_role("link", name="Workbench").click()
    expect(page.locator("#pattern")).to_be_visible()
    page.go_back()
    expect(page.locator("#moves li")).to_have_text(["c3", "b2"])


def test_cells_of_a_large_board_on_a_telephone_are_large_enough(visit: Callable[..., Page]) -> None:
    page = visit(f"size=19&{TWO}&moves=j10", width=390)
    status(page, "blue to move")
    box = cell(page, "j10").bounding_box()
    assert box["width"] >= 32
    last = page.locator("#board .last").bounding_box()
    assert 0 <= last["x"] <= 390 - last["width"], "the last move is in sight"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#zoom").click()
    assert cell(page, "j10").bounding_box()["width"] < 16
    page.locator("#zoom").click()
    cell(page, "k10").click()
    expect(page.locator("#moves li")).to_have_count(2)
    small = visit(f"size=11&{TWO}", width=390)
    expect(small.locator("#zoom")).to_have_attribute("aria-pressed", "false")


def test_each_page_says_what_it_is_for_and_where_help_is(visit: Callable[..., Page]) -> None:
    for path in ("", "workbench.html", "sheets.html", "viewer.html"):
        page = visit("", path)
        expect(page.locator(".purpose")).to_have_text(re.compile(r"^[A-Z].*\. Help$"))
        assert re.search(r"docs/(play|gdl)\.md$", page.locator(".purpose a").get_attribute("href"))


def test_compiling_is_told_with_what_is_left(visit: Callable[..., Page], monkeypatch: pytest.MonkeyPatch) -> None:
    import hexlogic.process.kernels as kernels
    import hexlogic.web.thinkers as thinkers

    left = [12.2, 12.2, 0.0]
    monkeypatch.setattr(kernels, "seconds_left", lambda: left.pop(0) if len(left) > 1 else left[0])
    asked = []
    choose = thinkers.load_strategy
    monkeypatch.setattr(thinkers, "load_strategy", lambda name: asked.append(name) or choose(name))
    page = visit(f"size=3&{TWO}&moves=b2,a1")
    status(page, "red to move")
    page.locator("#hint").click()
    expect(page.locator("#compiling")).to_have_text("compiling, 13 s left, about")
    status(page, re.compile("hint for red: [abc][123]"))
    expect(page.locator("#compiling")).to_be_empty()
    assert asked[-1] in ("mcts", "resistance")
