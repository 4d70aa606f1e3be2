"""What is shown over the board on demand: connections, derivations, must-play, current, the solver's answer."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

TWO = "red=you&blue=you"


def shaded(page: Page) -> list[str]:
    return sorted(page.evaluate("[...document.querySelectorAll('#board .shade')].map((s) => s.dataset.cell)"))


def test_a_connection_with_its_carrier_and_derivation(visit: Callable[..., Page]) -> None:
    page = visit(f"size=3&{TWO}&moves=b2")
    page.locator("#why").select_option("connections")
    win = page.locator("#connections button", has_text="red left - right, full")
    expect(win).to_have_text("red left - right, full: c1 a2 c2 a3")
    win.click()
    steps = page.locator("#derivation .step")
    expect(steps.first).to_have_text("left - right: full, series through b2: c1 a2 c2 a3")
    assert shaded(page) == ["a2", "a3", "c1", "c2"]
    expect(steps).to_have_count(7)
    page.locator("#derivation").get_by_text("left - b2: full, parallel, 2 semi-connections: a2 a3").click()
    assert shaded(page) == ["a2", "a3"]


def test_a_large_derivation_is_opened_step_by_step(visit: Callable[..., Page]) -> None:
    page = visit(f"size=7&{TWO}&moves=d4,a1")
    page.locator("#why").select_option("connections")
    page.locator("#connections button", has_text="red left - right, if it moves next").click()
    steps = page.locator("#derivation .step")
    expect(steps.first).to_have_text(re.compile(r"^left - right: semi, .* and 16 more$"))
    assert len(shaded(page)) == 32
    few = steps.count()
    assert 1 < few < 12
    closed = page.locator("#derivation details:not([open]) > summary").first
    closed.click()
    expect(steps).not_to_have_count(few)
    assert 0 < len(shaded(page)) < 32
    steps.first.click()
    expect(steps.nth(1)).to_be_hidden()


def test_must_play_follows_the_moves(visit: Callable[..., Page]) -> None:
    page = visit(f"size=3&{TWO}&moves=b2")
    page.locator("#why").select_option("must-play")
    expect(page.locator("#why-words")).to_have_text("blue cannot stop the opponent")
    assert shaded(page) == []
    page.locator("#undo").click()
    expect(page.locator("#why-words")).to_have_text(re.compile("red must play .*b2"))
    assert "b2" in shaded(page)


def test_current_is_a_shade_over_the_empty_cells(visit: Callable[..., Page]) -> None:
    page = visit(f"size=4&{TWO}&moves=b2,c3")
    page.locator("#why").select_option("current-red")
    expect(page.locator("#why-words")).to_have_text(re.compile("Most current of red: "))
    assert len(shaded(page)) == 14
    page.locator("#why").select_option("nothing")
    expect(page.locator("#why-words")).to_have_text("")
    assert shaded(page) == []


def test_the_solver_names_the_winner_and_the_cells_needed(visit: Callable[..., Page]) -> None:
    page = visit(f"size=3&{TWO}&moves=b2")
    page.locator("#why").select_option("solver")
    expect(page.locator("#why-words")).to_have_text(re.compile("red wins with best play .*cells needed: .*"))
    assert 0 < len(shaded(page)) <= 8
    large = visit(f"size=11&{TWO}")
    large.locator("#why").select_option("solver")
    expect(large.locator("#problem")).to_have_text(
        "a 11x11 board with 121 empty cells is too large to solve (at most 62 empty cells)"
    )


@pytest.mark.takes_seconds
def test_the_certificate_is_stepped_through_and_back(visit: Callable[..., Page]) -> None:
    page = visit(f"size=6&{TWO}&moves=a2")
    page.locator("#why").select_option("solver")
    page.get_by_role("button", name="Step through the certificate").click()
    words = page.locator("#certificate p")
    expect(words).to_have_text(re.compile("^blue plays [a-f][1-6]"))
    move = page.locator("#board .hint").get_attribute("data-cell")
    page.locator("#certificate").get_by_role("button", name=move, exact=True).click()
    expect(words).to_have_text(re.compile("^red to move: [0-9]+ threats of blue"))
    expect(page.locator(f'#board [data-cell="{move}"].cell')).to_have_attribute("aria-label", f"{move}, blue")
    page.locator("#certificate").get_by_role("button", name="threat 1", exact=True).click()
    assert shaded(page)
    page.get_by_role("button", name="Step back").click()
    expect(words).to_have_text(re.compile("^blue plays"))
    page.locator("#why").select_option("nothing")
    expect(page.locator("#certificate")).to_be_empty()
    expect(page.locator("#board .stone")).to_have_count(1)  # those of the certificate are gone
