from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise
from math import dist

import pytest

from hexlogic.errors import PositionError
from hexlogic.games import BLUE, RED, Hex, Position, draw_svg, draw_text, load_board, winning_chain

SVG = "{http://www.w3.org/2000/svg}"
POSITION = Position.of(Hex(3, 4), red=["a2", "b2", "c1", "d1", "c2"], blue=["b1", "b3"])
CHAIN = winning_chain(POSITION, RED)


def stones(root: ET.Element, radius: str) -> list[tuple[float, float]]:
    return [
        (float(c.attrib["cx"]), float(c.attrib["cy"])) for c in root.iter(f"{SVG}circle") if c.attrib["r"] == radius
    ]


def test_slanted_text() -> None:
    assert draw_text(POSITION) == "  a b c d\n1 . B R R 1\n 2 R R R . 2\n  3 . B . . 3\n"
    assert draw_text(POSITION, labels=False) == ". B R R\n R R R .\n  . B . .\n"
    assert CHAIN is not None
    assert draw_text(POSITION, CHAIN, labels=False) == ". b R R\n R R r .\n  . b . .\n"


def test_long_labels_keep_the_columns_in_line() -> None:
    lines = draw_text(Position(Hex(10, 28))).splitlines()
    assert len(lines) == 11
    assert lines[0].index("ab") == lines[1].rindex(".")
    assert lines[1].startswith(" 1 ")
    assert lines[10].startswith(" " * 9 + "10 ")


def test_svg_parts() -> None:
    root = ET.fromstring(draw_svg(POSITION))
    assert root.attrib["role"] == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == "3x4 Hex: red has 5 stones, blue 2; red has won"
    assert len(list(root.iter(f"{SVG}polygon"))) == 4 + 12
    # One disc a stone, and one inner ring for each blue stone: colour is not the only sign.
    assert len(list(root.iter(f"{SVG}circle"))) == 7 + 2
    assert sorted(t.text or "" for t in root.iter(f"{SVG}text")) == sorted(["a", "b", "c", "d", "1", "2", "3"] * 2)
    assert not [e for e in root.iter() if "id" in e.attrib or e.tag == f"{SVG}style"]


def test_svg_chain_goes_through_its_stones() -> None:
    assert CHAIN is not None
    root = ET.fromstring(draw_svg(POSITION, CHAIN))
    lines = list(root.iter(f"{SVG}polyline"))
    assert len(lines) == 2
    points = [tuple(map(float, pair.split(","))) for pair in lines[0].attrib["points"].split()]
    assert len(points) == len(CHAIN)
    assert set(points) <= set(stones(root, "13.2"))
    steps = [dist(a, b) for a, b in pairwise(points)]
    assert all(abs(step - 34.64) < 0.02 for step in steps)


@pytest.mark.parametrize("game", [Hex(1, 1), Hex(1, 6), Hex(6, 1), Hex(4, 7), Hex(11, 11)])
def test_svg_geometry(game: Hex) -> None:
    """Neighbours, and only they, are one hexagon apart; everything lies inside the picture."""
    root = ET.fromstring(draw_svg(Position(game, red=frozenset(game.cells))))
    centres = dict(zip(game.cells, stones(root, "13.2"), strict=True))
    for a in game.cells:
        near = tuple(b for b in game.cells if b != a and dist(centres[a], centres[b]) < 35)
        assert near == game.neighbours(a)
    width, height = (float(root.attrib[key]) for key in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
    for shape in root.iter(f"{SVG}polygon"):
        for pair in shape.attrib["points"].split():
            x, y = map(float, pair.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height
    for text in root.iter(f"{SVG}text"):
        assert 5 <= float(text.attrib["x"]) <= width - 5
        assert 10 <= float(text.attrib["y"]) <= height - 2


def test_same_bytes() -> None:
    board = load_board("full-blue")
    chain = winning_chain(board.position, BLUE)
    first, second = (draw_svg(load_board("full-blue").position, chain) for _ in range(2))
    assert first == second
    assert "-0 " not in first
    assert "<title>full-blue, 9x9 Hex: red has 41 stones, blue 40; blue has won</title>" in first


def test_titles_are_escaped() -> None:
    assert "<title>a &lt;b&gt; &amp; c</title>" in draw_svg(POSITION, title="a <b> & c")


def test_chain_off_the_board() -> None:
    for draw in (draw_svg, draw_text):
        with pytest.raises(PositionError, match="off the 3x4 board"):
            draw(POSITION, [13])
