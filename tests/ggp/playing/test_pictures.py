"""States as pictures: known boards, grids, and pages that show every state of a match."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from hexlogic.games import Hex, load_game
from hexlogic.ggp import StateMachine, read_kif, read_sheet, read_term
from hexlogic.ggp.playing.host import Host, enter, match_page
from hexlogic.ggp.playing.picture import BoardPicture, GridPicture, find_board, find_grid, find_picture
from tests.ggp.sheets import GAMES, IDS, LIGHTS, load

SVG = "{http://www.w3.org/2000/svg}"


def terms(*texts):
    return [read_term(text) for text in texts]


def board_sheet(game):
    """The cells of a board that touch, each pair once."""
    return read_kif(
        "(role red) (role blue)"
        + "".join(
            f"(near {game.cell_name(a)} {game.cell_name(b)})" for a in game.cells for b in game.neighbours(a) if a < b
        )
    )


def drawn(svg):
    return ElementTree.fromstring(svg)


def played(sheet, name):
    def machine(program):
        return StateMachine.from_sheet(program, "clingo")

    host = Host(sheet, name, machine(sheet), machine)
    return host.play(f"{name}.1", [enter("random")] * len(host.machine.roles), 7)


@pytest.mark.parametrize(
    "game",
    [Hex(3, 3), Hex(4, 6), Hex(11, 11), load_game("y").of_size(4), load_game("havannah").of_size(3)],
    ids=str,
)
def test_boards_are_known_by_what_touches(game):
    first, last = game.cell_name(1), game.cell_name(len(game.cells))
    states = [terms(f"(stone red {first})", f"(stone blue {last})", "(control red)", f"(label red {first})")]
    found = find_board(board_sheet(game), terms("red", "blue"), [*states, terms(f"(stone red {last})")])
    assert found == BoardPicture(game, tuple(terms("red", "blue")), "stone")
    assert [found.draws(fact) for fact in states[0]] == [True, True, False, False]
    picture = drawn(found.draw(states[0], "move 3"))
    assert picture.find(f"{SVG}title").text == "move 3"
    assert len(picture.findall(f".//{SVG}circle")) == 3  # red's, blue's with its ring


def test_cells_that_touch_otherwise_are_no_known_board():
    roles = terms("red", "blue")
    missing = board_sheet(Hex(3, 3))
    missing = read_kif(
        "(role red) (role blue)"
        + "".join(f"({r.head.name} {r.head.arguments[0]} {r.head.arguments[1]})" for r in missing.rules[2:-1])
    )
    states = [terms("(stone red a1)")]
    assert find_board(board_sheet(Hex(3, 3)), roles, states) is not None
    assert find_board(missing, roles, states) is None
    assert find_board(board_sheet(Hex(3, 3)), roles[:1], states) is None
    assert find_board(board_sheet(Hex(3, 3)), roles, [terms("(control red)")]) is None


def test_a_grid_has_every_place_its_labels_and_what_stands_there():
    states = [terms("(cell 1 1 x)", "(cell 3 1 b)", "(cell 2 2 o)", "(cell 1 2 red)", "(control red)")]
    grid = find_grid(terms("red", "blue"), states)
    assert (grid.relation, grid.columns, grid.rows) == (
        ("cell", 3),
        tuple(terms("1", "2", "3")),
        tuple(terms("1", "2")),
    )
    picture = drawn(grid.draw(states[0], "t"))
    assert len(picture.findall(f"{SVG}rect")) == 6
    texts = [text.text for text in picture.findall(f"{SVG}text")]
    assert sorted(texts) == ["o", "red", "x"]  # the blank is not written
    assert len(picture.findall(f"{SVG}circle")) == 1
    labels = [text.text for text in picture.find(f"{SVG}g")]
    assert labels == ["1", "2", "3", "2", "1"]  # the second coordinate grows upward


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("stem", "relation", "axes"),
    [
        ("tic-tac-toe", ("cell", 3), (0, 1)),
        ("connect-four", ("cell", 3), (0, 1)),
        ("breakthrough", ("pawn", 3), (1, 2)),
        ("pursuit", ("at", 3), (1, 2)),
        ("sliding", ("at", 3), (0, 1)),
    ],
)
def test_coordinates_are_recognised(stem, relation, axes):
    record = played(load(stem), stem)
    picture = find_picture(load(stem), record.roles, record.states)
    assert isinstance(picture, GridPicture)
    assert (picture.relation, (picture.across, picture.up)) == (relation, axes)


def test_the_hex_sheet_is_drawn_as_hex():
    record = played(load("hex-3"), "hex-3")
    picture = find_picture(load("hex-3"), record.roles, record.states)
    assert isinstance(picture, BoardPicture)
    assert picture.game == Hex(3, 3)


@pytest.mark.parametrize("stem", ["counter", "nim", "deep"])
def test_states_without_coordinates_have_no_picture(stem):
    record = played(load(stem), stem)
    assert find_picture(load(stem), record.roles, record.states) is None


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("path", GAMES, ids=IDS)
def test_a_page_shows_every_state_and_every_fact(path):
    sheet = read_sheet(path)
    record = played(sheet, path.stem)
    page = match_page(sheet, record)
    assert page == match_page(sheet, record)
    shown = re.findall(r"<li>(.*?)</li>", page, re.DOTALL)
    assert len(shown) == len(record.steps) + 1
    picture = find_picture(sheet, record.roles, record.states)
    for item, state in zip(shown, record.states, strict=True):
        assert item.count("<svg") == (picture is not None)
        for fact in state:
            assert (picture is not None and picture.draws(read_term(fact))) or fact in item


def test_what_players_say_cannot_break_the_page():
    sheet = read_sheet(LIGHTS)
    record = played(sheet, "lights")
    from msgspec.structs import replace

    from hexlogic.ggp.playing.record import Fault

    fault = Fault(role=0, kind="illegal", answer="<script>", message="<script> is no legal move")
    page = match_page(sheet, replace(record, start_faults=[fault], players=["<b>"]))
    assert "<script>" not in page
    assert "&lt;script&gt; is no legal move" in page
    assert "<b>" not in page
