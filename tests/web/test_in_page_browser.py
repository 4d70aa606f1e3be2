"""The workbench as files for any web server: it answers as hexlogic does, and asks no other host."""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Position, has_won
from hexlogic.web import rule_text
from hexlogic.web.game_request import board_of
from hexlogic.web.in_page import building
from hexlogic.web.in_page.building import build_workbench
from hexlogic.web.rule_text import evaluate, text_of
from tests.web.looking import NOBODY, lit, press, watched


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        return


@pytest.fixture(scope="module")
def static_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the files, served as `python -m http.server` does."""
    folder = tmp_path_factory.mktemp("static") / "workbench"
    try:
        build_workbench(folder)
    except HexlogicError as error:
        pytest.skip(f"the files cannot be fetched here: {error}")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def visit_static(browser: Browser, static_site: str) -> Iterator[Callable[..., Page]]:
    with watched(browser, static_site) as open_page:
        yield open_page


@pytest.mark.takes_seconds
def test_reach_floods_until_red_has_won_and_the_link_says_so(visit_static: Callable[..., Page]) -> None:
    page = visit_static("size=3", width=390)
    expect(page.locator("#status")).to_have_text(NOBODY)
    press(page, "a2")
    page.locator("#pattern").select_option("reach(red,_)")
    press(page, "c2")
    assert lit(page) == ["a2"]
    press(page, "b2")
    expect(page.locator("#status")).to_have_text("won by these rules: red")
    assert lit(page) == ["a2", "b2", "c2"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    other = visit_static(page.url.partition("#")[2], scheme="dark")
    expect(other.locator("#status")).to_have_text("won by these rules: red")
    assert lit(other) == ["a2", "b2", "c2"]


@pytest.mark.takes_seconds
def test_a_slip_is_underlined_and_a_broken_rule_refuted(visit_static: Callable[..., Page]) -> None:
    page = visit_static("size=3")
    expect(page.locator("#status")).to_have_text(NOBODY)
    text = page.locator("#text").input_value()
    page.locator("#prove").click()
    expect(page.locator("#sentence")).to_have_text(
        "your text and clusters are equal on 3x3 Hex, on all 2^9 = 512 positions"
    )
    page.locator("#text").fill("wins(P) :- reach(P,X).\nreach(P,X) :- first(P,,X).\n")
    expect(page.locator("#problem")).to_have_text(re.compile("^rules.lp:2:23: unexpected ','"))
    expect(page.locator("#under mark")).to_have_text(",")
    page.locator("#text").fill(f"{text}\nwins(red) :- owns(red,1), owns(red,5), owns(red,9).\n")
    page.locator("#prove").click()
    expect(page.locator("#sentence")).to_have_text(re.compile("differ.* 3 stones"))
    expect(page.locator("#status")).to_have_text("won by these rules: red")
    labels = page.evaluate("[...document.querySelectorAll('#board .red')].map((c) => c.getAttribute('aria-label'))")
    assert sorted(labels) == ["a1, red", "b2, red", "c3, red"]
    # Grounding too is done in the page; engines are not in it.
    page.locator("#pipeline").fill("ground,reorder,prune")
    page.locator("#pipeline").blur()
    page.locator("#show-passes").click()
    expect(page.locator("#passes ins").filter(has_text="+adjacent(1,2).")).to_have_count(1)
    expect(page.locator("#show-work")).to_be_disabled()


@pytest.mark.takes_seconds
def test_what_does_not_end_can_be_stopped(visit_static: Callable[..., Page]) -> None:
    page = visit_static("size=3")
    expect(page.locator("#status")).to_have_text(NOBODY)
    text = page.locator("#text").input_value()
    page.locator("#text").fill("n(0). n(X+1) :- n(X). wins(red) :- n(9).")
    page.locator("#looking button").click()
    expect(page.locator("#looking")).to_be_hidden()
    page.locator("#text").fill(f"{text}\nwins(blue).\n")
    expect(page.locator("#status")).to_have_text("won by these rules: blue")
    # Meanwhile a proof does not keep the board from answering.
    page.locator("#size").fill("7")
    page.locator("#size").blur()
    page.locator("#text").fill(text)
    expect(page.locator("#status")).to_have_text(NOBODY)
    page.locator("#prove").click()
    press(page, "a1")
    page.locator("#pattern").select_option("reach(red,_)")
    assert lit(page) == ["a1"]
    page.locator("#task button").click()
    expect(page.locator("#task")).to_be_hidden()
    expect(page.locator("#sentence")).to_be_empty()


ASK = "async ([route, message]) => (await import(new URL('api.js', location.href))).ask(route, message)"


@pytest.mark.takes_seconds
def test_the_answers_are_those_of_hexlogic(visit_static: Callable[..., Page]) -> None:
    page = visit_static("size=3")
    expect(page.locator("#status")).to_have_text(NOBODY)

    def ask(route: str, **message: object) -> Any:
        return page.evaluate(ASK, [route, message])

    draw = random.Random(1)
    games = (("hex", "5", "clusters"), ("hex", "4x6", "maker-breaker"), ("hex", "5", "follow-line-sweeps"))
    for game, size, name in (*games, ("y", "4", "y/clusters"), ("havannah", "3", "havannah/follow-line")):
        board = board_of(size, game)
        text = ask("rules", size=size, name=name, game=game)["text"]
        assert text == text_of(name, size, game)
        for _ in range(6):
            cells = draw.sample(board.cells, draw.randrange(len(board.cells)))
            half = len(cells) // 2
            position = Position(board, frozenset(cells[:half]), frozenset(cells[half:]))
            stones = {p: [board.cell_name(cell) for cell in sorted(position.stones(p))] for p in PLAYERS}
            found = ask("evaluate", text=text, size=size, game=game, **stones)
            assert found == evaluate(text=text, size=size, game=game, **stones)
            assert found["winners"] == [player for player in PLAYERS if has_won(position, player)]
    stones = {"red": ["a1", "b2"], "blue": ["c3", "a3"]}
    for name in ("winning-sets", "power-set", "strategy/bridge-builder", "transitions/components-by-step", "games/hex"):
        text = ask("rules", size="4", name=name)["text"]
        assert text == text_of(name, "4")
        found = ask("evaluate", text=text, size="4", **stones)
        assert found == evaluate(text=text, size="4", **stones)
        assert found["problem"] is None
    flood = text_of("follow-line-tabled", "3")
    for asked in ({"pipeline": "ground,reorder,prune,unfold"}, {"pipeline": "magic,project,split"}):
        message = {"text": flood, "size": "3", "game": "hex", **asked}
        assert ask("difference", **message) == json.loads(json.dumps(rule_text.difference(**message)))
    slip = f"{flood}\nwins(blue) :- owns(blue,1), owns(blue,6), not owns(red,5).\n"
    for text in (flood, slip):
        message = {"text": text, "size": "3", "name": "maker-breaker", "game": "hex"}
        assert ask("prove", **message) == rule_text.prove(**message)


def test_without_npm_there_is_a_reason_and_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building.shutil, "which", lambda name: None)
    with pytest.raises(HexlogicError, match="needs npm"):
        build_workbench(tmp_path / "workbench")
    assert list(tmp_path.iterdir()) == []


def test_a_package_with_another_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pack(command: list[str], folder: Path) -> None:
        (folder / "pyodide.tgz").write_bytes(b"something else")

    monkeypatch.setattr(building.shutil, "which", lambda name: name)
    monkeypatch.setattr(building, "_run", pack)
    with pytest.raises(HexlogicError, match=r"npm's archive of pyodide .* is another one"):
        build_workbench(tmp_path / "workbench")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.takes_seconds
def test_a_game_is_played_without_a_server(visit_static: Callable[..., Page]) -> None:
    page = visit_static("size=3&red=you&blue=best:5", "play.html", width=390)
    expect(page.locator("#status")).to_have_text("red to move")
    expect(page.locator("#blue")).to_have_value("playouts")
    press(page, "b2")
    expect(page.locator("#moves li")).to_have_count(2)
    expect(page.locator("#status")).to_have_text("red to move")
    page.locator("#hint").click()
    expect(page.locator("#status")).to_have_text(re.compile("hint for red: [abc][123]"))
    page.locator("#why").select_option("facts")
    expect(page.locator("#why-words")).to_have_text(re.compile("follow-line-tabled"))
    for _ in range(3):
        if "won" in page.locator("#status").text_content():
            break
        page.locator("#hint").click()
        expect(page.locator("#status")).to_have_text(re.compile("hint for red: [abc][123]"))
        before = page.locator("#moves li").count()
        press(page, page.locator("#board .hint").get_attribute("data-cell"))
        expect(page.locator("#moves li")).not_to_have_count(before)
        expect(page.locator("#status")).to_have_text(re.compile("^red to move|has won"))
    expect(page.locator("#status")).to_have_text(re.compile("red has won: .+"))
    page.get_by_role("link", name="Workbench").click()
    expect(page.locator("#status")).to_have_text(NOBODY)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
