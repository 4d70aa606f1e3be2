"""Games in a real browser: clicked, typed and tapped; won, lost, taken back, swapped, reopened from their link."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

TWO = "red=you&blue=you"


def cell(page: Page, name: str):
    return page.locator(f'#board [data-cell="{name}"].cell')


def status(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.locator("#status")).to_have_text(words)


def stones(page: Page) -> dict[str, str]:
    """The owner of each cell that has a stone, as a screen reader hears it."""
    labels = page.evaluate("[...document.querySelectorAll('#board .cell')].map((c) => c.getAttribute('aria-label'))")
    return {name: owner for name, owner in (label.split(", ") for label in labels) if owner != "empty"}


def click(page: Page, *names: str) -> None:
    for number, name in enumerate(names, 1):
        cell(page, name).click()
        expect(page.locator("#moves li")).to_have_count(number)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until what is selected has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the Tab key does not reach {selector}")


def test_a_whole_game_is_won_and_its_chain_shown(visit: Callable[..., Page]) -> None:
    page = visit(f"size=3&{TWO}")
    status(page, "red to move")
    click(page, "b2", "b1", "a2", "a1", "c2")
    status(page, "red has won: a2 b2 c2")
    assert page.locator("#board .chain").get_attribute("points").count(",") == 3
    assert stones(page) == {"a2": "red", "b2": "red", "c2": "red", "a1": "blue", "b1": "blue"}
    cell(page, "c3").click()
    assert len(stones(page)) == 5
    expect(page.locator("#board .last")).to_have_attribute("data-cell", "c2")


@pytest.mark.takes_seconds
def test_a_random_game_ends_for_one_player(visit: Callable[..., Page]) -> None:
    page = visit(f"size=4&{TWO}")
    status(page, "red to move")
    names = [f"{column}{row}" for column in "abcd" for row in range(1, 5)]
    random.Random(3).shuffle(names)
    for number, name in enumerate(names, 1):
        if "won" in page.locator("#status").text_content():
            break
        cell(page, name).click()
        expect(page.locator("#moves li")).to_have_count(number)
        status(page, re.compile("to move|has won"))
    status(page, re.compile("(red|blue) has won: .+"))


def test_undo_and_swap(visit: Callable[..., Page]) -> None:
    page = visit(f"size=5&{TWO}&swap=1")
    status(page, "red to move")
    expect(page.locator("#swap")).to_be_disabled()
    click(page, "d2")
    page.locator("#swap").click()
    expect(page.locator("#moves li")).to_have_text(["d2", "swap-pieces"])
    assert stones(page) == {"b4": "blue"}
    expect(page.locator("#swap")).to_be_disabled()
    page.locator("#undo").click()
    expect(page.locator("#moves li")).to_have_text(["d2"])
    assert stones(page) == {"d2": "red"}
    page.keyboard.press("u")
    expect(page.locator("#moves li")).to_have_count(0)
    expect(page.locator("#undo")).to_be_disabled()
    assert stones(page) == {}


@pytest.mark.takes_seconds
def test_a_game_against_the_lowest_level_is_lost_on_purpose(visit: Callable[..., Page]) -> None:
    page = visit("size=4&red=you&blue=best:1")
    status(page, "red to move")
    for _ in range(8):
        free = [f"{column}{row}" for column in "dcba" for row in (4, 3, 2, 1) if f"{column}{row}" not in stones(page)]
        before = page.locator("#moves li").count()
        cell(page, free[0]).click()
        expect(page.locator("#moves li")).not_to_have_count(before)
        status(page, re.compile("^red to move|has won"))
        if "won" in page.locator("#status").text_content():
            break
    status(page, re.compile("blue has won: .*"))


def test_undo_against_a_strategy_goes_back_to_a_turn_of_the_person(visit: Callable[..., Page]) -> None:
    page = visit("size=5&red=you&blue=random")
    status(page, "red to move")
    cell(page, "c3").click()
    expect(page.locator("#moves li")).to_have_count(2)
    page.locator("#undo").click()
    expect(page.locator("#moves li")).to_have_count(0)
    status(page, "red to move")


@pytest.mark.takes_seconds
def test_two_strategies_are_watched_and_paused(visit: Callable[..., Page]) -> None:
    page = visit("size=4&red=random&blue=bridge")
    status(page, re.compile("has won"))
    page.locator("#undo").click()
    expect(page.locator("#pause")).to_have_attribute("aria-pressed", "true")
    status(page, re.compile("to move"))
    expect(page.locator("#moves li")).to_have_count(0)
    page.locator("#pause").click()
    status(page, re.compile("has won"))


@pytest.mark.takes_seconds
def test_a_link_opened_in_a_new_page_shows_the_same_game(visit: Callable[..., Page]) -> None:
    page = visit(f"size=3x4&{TWO}")
    status(page, "red to move")
    click(page, "d1", "a3")
    other = visit(page.url.partition("#")[2])
    expect(other.locator("#moves li")).to_have_text(["d1", "a3"])
    assert stones(other) == {"d1": "red", "a3": "blue"}
    # Two pages do not disturb each other.
    cell(page, "b2").click()
    expect(page.locator("#moves li")).to_have_count(3)
    expect(other.locator("#moves li")).to_have_count(2)


def test_a_hint_is_a_mark_on_an_empty_cell(visit: Callable[..., Page]) -> None:
    page = visit(f"size=3&{TWO}&moves=b2,a1")
    status(page, "red to move")
    page.locator("#hint").click()
    status(page, re.compile("hint for red: [abc][123]"))
    name = page.locator("#board .hint").get_attribute("data-cell")
    assert name not in stones(page)


def test_keyboard_alone(visit: Callable[..., Page]) -> None:
    page = visit(f"size=3&{TWO}")
    status(page, "red to move")
    tab_to(page, "#board .cell")
    for key in ("ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    status(page, "blue to move")
    assert stones(page) == {"a2": "red"}
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    status(page, "red to move")
    assert stones(page) == {"a2": "red", "b2": "blue"}


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("width", [390, 1300])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(visit: Callable[..., Page], width: int, scheme: str) -> None:
    page = visit(f"size=11&{TWO}&moves=f6,e5", width=width, scheme=scheme)
    status(page, "red to move")
    for details in page.locator("details").all():
        details.locator("summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("#board svg").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")


def test_sgf_and_hexworld_out_and_in(visit: Callable[..., Page]) -> None:
    page = visit(f"size=5&{TWO}&moves=b3,swap-pieces,a1")
    status(page, "blue to move")
    page.locator("#text-box summary").click()
    for form, begin in (("sgf", "(;FF[4]"), ("hexworld", "https://hexworld.org/board/#5")):
        page.locator(f"#write-{form}").click()
        expect(page.locator("#text")).to_have_value(re.compile(f"^{re.escape(begin)}"))
        text = page.locator("#text").input_value()
        other = visit(f"size=7&{TWO}")
        status(other, "red to move")
        other.locator("#text-box summary").click()
        other.locator("#text").fill(text)
        other.locator("#read").click()
        expect(other.locator("#moves li")).to_have_text(["b3", "swap-pieces", "a1"])
        assert stones(other) == stones(page)


@pytest.mark.takes_seconds
def test_what_cannot_be_read_is_said_with_its_place(visit: Callable[..., Page]) -> None:
    page = visit(f"size=5&{TWO}")
    status(page, "red to move")
    page.locator("#text-box summary").click()
    page.locator("#text").fill("(;GM[11]SZ[3];B[a1];W[a1])")
    page.locator("#read").click()
    expect(page.locator("#problem")).to_have_text("game:1:23: cell a1 is already black")
    assert stones(page) == {}
    bad = visit("size=5&moves=a1,a1")
    expect(bad.locator("#problem")).to_have_text(re.compile("cell a1 is already red"))


@pytest.mark.takes_seconds
def test_y_is_played_and_won(visit: Callable[..., Page]) -> None:
    page = visit("game=y&size=3&red=you&blue=you")
    status(page, "red to move")
    expect(page.locator("#why option:enabled")).to_have_text(["show nothing", "facts that hold"])
    page.locator("#why").select_option("facts")
    click(page, "a2", "a1", "b2", "a3")
    cell(page, "b2").focus()
    page.keyboard.press("ArrowDown")  # to the lower right
    page.keyboard.press("Enter")
    status(page, "red has won: a2 b2 c3")
    marked = page.evaluate("[...document.querySelectorAll('#board .won')].map((mark) => mark.dataset.cell)")
    assert sorted(marked) == ["a2", "b2", "c3"]
    expect(page.locator("#why-words")).to_have_text("derived by y/follow-line")
    flooded = "reach(red,left,_)"
    page.locator("#facts-of").select_option(flooded)
    lit = page.evaluate("[...document.querySelectorAll('#board .shade-lit')].map((shade) => shade.dataset.cell)")
    assert sorted(lit) == ["a2", "b2", "c3"]
    other = visit(page.url.partition("#")[2])
    status(other, "red has won: a2 b2 c3")
    assert stones(other) == stones(page) == {"a2": "red", "b2": "red", "c3": "red", "a1": "blue", "a3": "blue"}


def test_another_game_is_chosen_and_its_player_answers(visit: Callable[..., Page]) -> None:
    page = visit("size=3&red=you&blue=random", width=390)
    status(page, "red to move")
    page.locator("#kind").select_option("havannah")
    expect(page.locator("#board .cell")).to_have_count(61)
    expect(page.locator("#blue")).to_have_value("playouts")
    cell(page, "e5").click()
    expect(page.locator("#moves li")).to_have_count(2)
    status(page, "red to move")
    assert sorted(stones(page).values()) == ["blue", "red"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.takes_seconds
def test_two_strategies_are_watched_in_another_game(visit: Callable[..., Page]) -> None:
    page = visit("game=tic-tac-toe-3d&size=2&red=uct:100&blue=random")
    status(page, re.compile("has won"))
    assert page.locator("#board .won").count() == 2


def test_an_answer_that_is_stopped_while_it_is_read_is_none(visit: Callable[..., Page]) -> None:
    page = visit(f"size=3&{TWO}")
    status(page, "red to move")
    name = page.evaluate("""async () => {
        const { ask } = await import("/api.js");
        const whole = window.fetch;
        window.fetch = async (...asked) => {
            const reply = await whole(...asked);
            reply.json = () => Promise.reject(new DOMException("stopped", "AbortError"));
            return reply;
        };
        return ask("state", { size: "3" }).then(() => "answered", (error) => error.name);
    }""")
    assert name == "AbortError"


@pytest.mark.takes_seconds
def test_who_uses_up_the_clock_loses(visit: Callable[..., Page]) -> None:
    page = visit(f"size=3&{TWO}&clock=5&used=10,20&moves=b2")
    expect(page.locator("#clocks")).to_have_text(re.compile("red 4:50 +blue 4:[34]"))
    late = visit(f"size=3&{TWO}&clock=1&used=30,59.9&moves=b2")
    status(late, "red has won")
    expect(late.locator("#problem")).to_have_text("the time of blue is over")
    expect(late.locator("#moves li")).to_have_text(["b2", "resign"])
    expect(late.locator("#clocks")).to_have_text(re.compile("red 0:30 +blue 0:00"))
