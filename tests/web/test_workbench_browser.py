"""The workbench in a real browser: the flood, a slip at its column, a broken rule refuted on the board, the link."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.looking import NOBODY, lit, press


def test_reach_floods_as_stones_are_clicked_until_red_has_won(visit: Callable[..., Page]) -> None:
    page = visit("size=3", "workbench.html")
    expect(page.locator("#status")).to_have_text(NOBODY)
    press(page, "a2")
    page.locator("#pattern").select_option("reach(red,_)")
    assert lit(page) == ["a2"]
    press(page, "c2")
    assert lit(page) == ["a2"]
    press(page, "b2")
    expect(page.locator("#status")).to_have_text("won by these rules: red")
    assert lit(page) == ["a2", "b2", "c2"]
    # The link carries text, stones and pattern.
    other = visit(page.url.partition("#")[2], "workbench.html")
    expect(other.locator("#status")).to_have_text("won by these rules: red")
    assert lit(other) == ["a2", "b2", "c2"]


def test_a_slip_is_told_and_underlined_at_its_column(visit: Callable[..., Page]) -> None:
    page = visit("size=3", "workbench.html", width=390)
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#text").fill("wins(P) :- reach(P,X).\nreach(P,X) :- first(P,,X).\n")
    expect(page.locator("#problem")).to_have_text(re.compile("^rules.lp:2:23: unexpected ','"))
    expect(page.locator("#under mark")).to_have_text(",")
    before = page.evaluate("document.querySelector('#under mark').previousSibling.textContent")
    assert before == "wins(P) :- reach(P,X).\nreach(P,X) :- first(P,"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#text").fill('#script (python)\nimport os\n#end.\n#include "/etc/passwd".\n')
    expect(page.locator("#problem")).to_have_text(re.compile("^rules.lp:1:1: unexpected '#'"))


def test_a_broken_rule_is_refuted_on_the_board(visit: Callable[..., Page]) -> None:
    page = visit("size=3", "workbench.html", scheme="dark")
    expect(page.locator("#status")).to_have_text(NOBODY)
    text = page.locator("#text").input_value()
    page.locator("#prove").click()
    expect(page.locator("#sentence")).to_have_text(
        "your text and clusters are equal on 3x3 Hex, on all 2^9 = 512 positions"
    )
    # Wrong on one shape: three stones on the diagonal that do not touch.
    page.locator("#text").fill(f"{text}\nwins(red) :- owns(red,1), owns(red,5), owns(red,9).\n")
    page.locator("#prove").click()
    expect(page.locator("#sentence")).to_have_text(re.compile("differ.* 3 stones"))
    expect(page.locator("#status")).to_have_text("won by these rules: red")
    labels = page.evaluate("[...document.querySelectorAll('#board .red')].map((c) => c.getAttribute('aria-label'))")
    assert sorted(labels) == ["a1, red", "b2, red", "c3, red"]


def test_passes_are_shown_as_differences(visit: Callable[..., Page]) -> None:
    page = visit("size=3&pipeline=prune,reorder:naive", "workbench.html")
    expect(page.locator("#status")).to_have_text(NOBODY)
    expect(page.locator("#pattern option").first).to_have_text("nothing")
    page.locator("#text").fill("wins(P) :- owns(P,X), cell(X), first(P,X), first(P,X).\n")
    page.locator("#show-passes").click()
    expect(page.locator("#passes h2").first).to_have_text("prune")
    expect(page.locator("#passes del").first).to_have_text(re.compile(r"^-wins\(P\) :- .*first\(P,X\), first\(P,X\)"))
    assert "first(P,X), first" not in page.locator("#passes ins").first.text_content()
    page.locator("#pipeline").fill("nonsense")
    page.locator("#pipeline").blur()
    page.locator("#show-passes").click()
    expect(page.locator("#problem")).to_have_text(re.compile("nonsense"))


def test_the_work_of_the_engines_is_shown_before_and_after_each_pass(visit: Callable[..., Page]) -> None:
    page = visit("size=3&red=a1,b1&pipeline=ground,reorder", "workbench.html", width=390)
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#show-work").click()
    rows = page.locator("#work tr")
    expect(rows).to_have_count(4)
    heads = page.evaluate("[...document.querySelectorAll('#work tr')].map((row) => row.cells[0].textContent)")
    assert heads == ["", "as written", "ground", "reorder"]
    expect(rows.nth(1).locator("td").first).to_have_text(re.compile(r"^\d+ ground rules$"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # Rules without end stop at the limit of the child process or at the button, whichever comes first.
    page.locator("#text").fill("n(0). n(X+1) :- n(X). wins(red) :- n(9).")
    page.locator("#show-work").click()
    page.locator("#task button").click()
    expect(page.locator("#task")).to_be_hidden()


def test_a_link_carries_everything(visit: Callable[..., Page]) -> None:
    page = visit("size=3", "workbench.html")
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#text").fill("wins(P) :- owns(P,X), cell(X), first(P,X), last(P,Y), Y = X + 2.\n")
    page.locator("#pipeline").fill("prune")
    page.locator("#pipeline").blur()
    page.locator("#other").select_option("follow-line")
    press(page, "a1")
    press(page, "b2")
    page.locator("#show-passes").click()
    expect(page.locator("#passes del")).to_have_count(1)
    other = visit(page.url.partition("#")[2], "workbench.html")
    expect(other.locator("#passes del")).to_have_count(1)  # what was asked for is asked again
    for field in ("#text", "#pipeline", "#other", "#size", "#pattern"):
        expect(other.locator(field)).to_have_value(page.locator(field).input_value())
    own = "[...document.querySelectorAll('#board .cell')].map((c) => c.getAttribute('aria-label'))"
    assert other.evaluate(own) == page.evaluate(own)
    expect(other.locator("#status")).to_have_text(page.locator("#status").text_content())


@pytest.mark.takes_seconds
def test_a_long_proof_says_how_far_it_is_and_can_be_stopped(visit: Callable[..., Page]) -> None:
    page = visit("size=7", "workbench.html")
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#prove").click()
    # Meanwhile the board answers.
    press(page, "a1")
    page.locator("#pattern").select_option("reach(red,_)")
    assert lit(page) == ["a1"]
    expect(page.locator("#task")).to_have_text(
        re.compile(r"proving, red: [\d,]+ of 562,949,953,421,312 positions, \d+ s")
    )
    expect(page.locator("#task progress")).to_be_visible()
    page.locator("#task button").click()
    expect(page.locator("#task")).to_be_hidden()
    expect(page.locator("#sentence")).to_be_empty()


@pytest.mark.takes_seconds
def test_a_proof_of_a_text_that_has_changed_is_not_shown(visit: Callable[..., Page]) -> None:
    page = visit("size=7", "workbench.html")
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#prove").click()
    expect(page.locator("#task")).to_be_visible()
    page.locator("#text").fill("wins(red).\n")
    expect(page.locator("#task")).to_be_hidden()
    expect(page.locator("#status")).to_have_text("won by these rules: red")
    page.locator("#prove").click()
    expect(page.locator("#sentence")).to_have_text(re.compile("differ"))


@pytest.mark.takes_seconds
def test_rules_of_other_games_have_their_boards(visit: Callable[..., Page]) -> None:
    page = visit("size=3", "workbench.html", width=390)
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#kind").select_option("y")
    expect(page.locator("#board .cell")).to_have_count(15)
    expect(page.locator("#rules")).to_have_value("y/follow-line")
    page.locator("#size").fill("3")
    page.locator("#size").blur()
    expect(page.locator("#board .cell")).to_have_count(6)
    for name in ("a2", "b2", "c3"):
        press(page, name)
    expect(page.locator("#status")).to_have_text("won by these rules: red")
    page.locator("#prove").click()
    expect(page.locator("#sentence")).to_have_text(re.compile("equal on size 3 Y, on all 2.6 = 64 positions"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    other = visit(page.url.partition("#")[2], "workbench.html")
    expect(other.locator("#status")).to_have_text("won by these rules: red")
    expect(other.locator("#sentence")).to_have_text(re.compile("equal on size 3 Y"))


def test_texts_that_are_no_rule_sets_are_asked_where_they_can_be(visit: Callable[..., Page]) -> None:
    page = visit("size=5&red=b2&blue=c3", "workbench.html", width=390)
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#rules").select_option("strategy/bridge-builder")
    expect(page.locator("#status")).to_have_text("no rule says who has won")
    expect(page.locator("#note")).to_have_text("given beside the stones: turn(red)")
    expect(page.locator("#pattern")).to_have_value("best(_)")
    assert lit(page) == ["c1", "c2", "d1", "d2", "e1", "e2"]
    page.locator("#rules").select_option("transitions/clusters-merging")
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#rules").select_option("bridges/maker-breaker--clusters")
    expect(page.locator("#problem")).to_have_text(re.compile("^a bridge: .* no position asks them$"))
    page.locator("#rules").select_option("clusters")
    expect(page.locator("#problem")).to_be_empty()
    expect(page.locator("#status")).to_have_text(NOBODY)
    expect(page.locator("#pattern")).to_have_value("")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


CLOSURE = "path(X,Y) :- edge(X,Y).\npath(X,Z) :- path(X,Y), path(Y,Z).\nreach(Y) :- path(1,Y).\n#show reach/1.\n"


@pytest.mark.takes_seconds
def test_cheaper_programs_are_found_and_shown_with_their_bridges(visit: Callable[..., Page]) -> None:
    page = visit("size=3", "workbench.html", width=390)
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#text").fill(CLOSURE)
    expect(page.locator("#status")).to_have_text("no rule says who has won")
    page.locator("#cheaper").click()
    expect(page.locator("#task")).to_have_text(re.compile("^looking for cheaper programs, "))
    heads = page.locator("#found h2")
    expect(heads.first).to_be_visible()
    expect(page.locator("#found > p").first).to_have_text(re.compile(r"ground rules: [\d,]+ \(of [\d,]+\)"))
    expect(page.locator("#task")).to_be_visible()  # it is shown while the search goes on
    page.locator("#found summary").first.click()
    expect(page.locator("#found details pre").first).to_have_text(re.compile("% left: +rules"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#task button").click()
    expect(page.locator("#task")).to_be_hidden()
    text = page.locator("#found pre").first.text_content()
    page.locator("#found > button").first.click()  # what was found is edited, and what was asked is forgotten
    expect(page.locator("#text")).to_have_value(text)
    expect(page.locator("#found")).to_be_empty()
    page.locator("#text").fill("p(X) :- e(X). p(X) :- q(X), not p(X). #show p/1.")
    page.locator("#cheaper").click()
    expect(page.locator("#problem")).to_have_text(re.compile("^rules.lp:1:15: p/1 depends on its own negation"))
    page.locator("#text").fill("p(X) :- e(X). #show p/1.")
    page.locator("#cheaper").click()
    expect(page.locator("#found")).to_have_text(re.compile("^nothing cheaper than ground rules: .* was found: every"))


@pytest.mark.takes_seconds
def test_why_equal_shows_a_bridge_or_how_far_the_search_came(visit: Callable[..., Page]) -> None:
    page = visit("size=3&other=clusters", "workbench.html")
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#why").click()
    expect(page.locator("#sentence")).to_have_text(re.compile("^rules and clusters are equal: proved for all boards"))
    expect(page.locator("#bridge pre")).to_have_text(re.compile(r"%% claim: [^%]*same_cluster"))
    other = visit(page.url.partition("#")[2], "workbench.html")
    expect(other.locator("#bridge pre")).to_be_visible()  # the link asks it again
    page.locator("#text").fill("wins(P) :- owns(P,X), first(P,X), last(P,X).\n")
    expect(page.locator("#bridge")).to_be_empty()
    page.locator("#why").click()
    expect(page.locator("#sentence")).to_have_text(re.compile("no bridge between them was found"))
    expect(page.locator("#bridge pre")).to_have_text(re.compile("^not so on every sample: wins"))
    page.locator("#rules").select_option("bridges/maker-breaker--clusters")
    expect(page.locator("#problem")).to_have_text(re.compile("^a bridge: "))
    page.locator("#why").click()
    expect(page.locator("#sentence")).to_be_empty()
    expect(page.locator("#problem")).to_have_text(re.compile("^a bridge: "))
