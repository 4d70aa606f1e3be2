"""Random clicks and keys on every page: nothing that a person can do makes the page or the server fail."""

from __future__ import annotations

import random
import time
import urllib.request
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

EVENTS = 50
MINUTE_S = 60
KEYS = ("Tab", "Enter", "ArrowRight", "ArrowDown", "ArrowLeft", "u", "h", "Escape", "End")
PAGES = {
    "": "size=3&red=you&blue=random&swap=1",
    "workbench.html": "size=3&pipeline=prune",
    "sheets.html": "",
    "viewer.html": "",
}
TARGETS = "button:visible:enabled, #board .cell, select:visible, summary, #may-swap:visible, textarea:visible"
# Strategies that compile and rule sets that are slow to expand are the business of other tests.
CHOICES = {
    "red": ("you", "random", "bridge"), "blue": ("you", "random"), "kind": ("hex", "y"),
    "why": ("nothing", "connections", "must-play"), "rules": ("clusters", "follow-line"), "other": ("clusters",),
}  # fmt: skip
HARMFUL = ("n(0). n(X+1) :- n(X). wins(red) :- n(9).", "p(1..9999). q(X,Y) :- p(X), p(Y). wins(red) :- q(1,1).")
TEXTS = ("wins(red).", "wins(P) :-", "(role r)", "(", "#3a1b2", "3x3 red a1", "")


@pytest.mark.takes_seconds
@pytest.mark.parametrize("path", PAGES)
def test_random_events(visit: Callable[..., Page], site: str, path: str) -> None:
    draw = random.Random(16)
    page = visit(PAGES[path], path)
    failed: list[str] = []
    page.on("response", lambda reply: failed.append(reply.url) if reply.status >= 500 else None)
    expect(page.locator("#board .cell").first).to_be_visible()
    done = 0
    for _ in range(EVENTS):
        if draw.random() < 0.3:
            page.keyboard.press(draw.choice(KEYS))
        else:
            done += act(page, draw)
    assert done > EVENTS / 4
    assert failed == []
    # The server still answers this page, and a new one.
    page.goto("about:blank")
    again = visit(PAGES[path], path)
    expect(again.locator("#board .cell").first).to_be_visible()
    expect(again.locator("#status")).not_to_have_text("")  # a worker was free to say who has won, or which step it is
    with urllib.request.urlopen(site, timeout=600) as reply:
        assert reply.status == 200


@pytest.mark.slow
def test_a_minute_on_two_pages_at_once(visit: Callable[..., Page]) -> None:
    """Every page twice, one of them asking what never ends; afterwards each still answers."""
    draw = random.Random(61)
    failed: list[str] = []
    pages = [visit(fragment, path) for path, fragment in PAGES.items() for _ in range(2)]
    for page in pages:
        page.on("response", lambda reply: failed.append(reply.url) if reply.status >= 500 else None)
        expect(page.locator("#board .cell").first).to_be_visible()
    until, done = time.monotonic() + MINUTE_S, 0
    while time.monotonic() < until:
        page = draw.choice(pages)
        if draw.random() < 0.3:
            page.keyboard.press(draw.choice(KEYS))
        else:
            done += act(page, draw, (*TEXTS, *HARMFUL))
    assert done > 0
    assert failed == []
    for page, (path, fragment) in zip(pages[::2], PAGES.items(), strict=True):
        page.goto("about:blank")
        again = visit(fragment, path)
        expect(again.locator("#status")).not_to_have_text("")


def act(page: Page, draw: random.Random, texts: Sequence[str] = TEXTS) -> bool:
    """Use something that can be clicked, chosen or filled. What goes away meanwhile is nothing to wait for."""
    found = page.locator(TARGETS)
    target = found.nth(draw.randrange(max(1, found.count())))
    script = """(target, [choices, text, pick]) => {
        if (!target.isConnected) return false;
        if (target.tagName === "SELECT") {
            const there = [...target.options].map((option) => option.value);
            const known = (choices[target.id] ?? []).filter((name) => there.includes(name));
            if (known.length === 0) return false;
            target.value = known[Math.floor(pick * known.length)];
            target.dispatchEvent(new Event("change", { bubbles: true }));
        } else if (target.tagName === "TEXTAREA") {
            target.value = text;
            target.dispatchEvent(new Event("input", { bubbles: true }));
        } else {
            target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
        }
        return true;
    }"""
    handles = target.element_handles()
    return bool(handles and handles[0].evaluate(script, [CHOICES, draw.choice(texts), draw.random()]))
