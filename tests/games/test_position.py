from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.errors import PositionError
from hexlogic.games import BLUE, RED, Hex, Position, draw_text, parse_position


@given(data=st.data())
def test_every_notation_round_trips(data: st.DataObject, positions: Callable[..., st.SearchStrategy[Position]]) -> None:
    position = data.draw(positions(12))
    for text in (
        position.to_text(),
        position.to_moves(),
        position.to_json(),
        draw_text(position),
        draw_text(position, labels=False),
        draw_text(position, chain=sorted(position.red)),
    ):
        assert parse_position(text) == position
        assert parse_position(text, size=position.game) == position
        assert parse_position("\ufeff" + text.replace("\n", "\r\n")) == position


@pytest.mark.parametrize("game", [Hex(2, 30), Hex(40, 40), Hex(12, 1), Hex(1, 12)])
def test_notations_of_long_boards(game: Hex) -> None:
    position = Position(game, frozenset(list(game.cells)[::3]), frozenset(list(game.cells)[1::3]))
    for text in (position.to_text(), position.to_moves(), position.to_json(), draw_text(position)):
        assert parse_position(text) == position


@given(data=st.data())
def test_stones_and_empty_cells_cover_the_board(
    data: st.DataObject, positions: Callable[..., st.SearchStrategy[Position]]
) -> None:
    position = data.draw(positions())
    assert position.red | position.blue | position.empty == set(position.game.cells)
    for cell in position.game.cells:
        owner = position.owner(cell)
        assert (cell in position.empty) if owner is None else (cell in position.stones(owner))
    assert position.transposed().transposed() == position


def test_values() -> None:
    game = Hex.square(3)
    a, b = Position(game, frozenset({1}), name="one"), Position.of(game, red=["a1"], name="other")
    assert a == b
    assert hash(a) == hash(b)
    assert Position(game, [1, 1]).red == frozenset({1})  # type: ignore[arg-type]
    assert a.play(BLUE, 2).blue == {2}
    with pytest.raises(PositionError, match="cell a1 is already red"):
        a.play(BLUE, 1)
    assert '"name": "one"' in a.to_json()
    assert parse_position(a.to_json()).name == "one"


def test_validation() -> None:
    game = Hex.square(3)
    with pytest.raises(PositionError, match="cell a2 is both red and blue"):
        Position(game, frozenset({4}), frozenset({4}))
    for bad in (0, 10, True, "a1"):
        with pytest.raises(PositionError, match="off the 3x3 board"):
            Position(game, frozenset({bad}))  # type: ignore[arg-type]


def test_too_many_stones_of_one_colour_is_a_warning() -> None:
    game = Hex.square(5)
    lopsided = Position(game, frozenset(range(1, 13)), frozenset({20, 21, 22}))
    assert lopsided.warnings() == ("red has 12 stones and blue 3: no game gets there by turns",)
    assert Position(game, blue=frozenset({1, 2})).warnings() == (
        "blue has 2 stones and red 0: no game gets there by turns",
    )
    assert Position(game, frozenset({1, 2}), frozenset({3})).warnings() == ()
    assert lopsided.stones(RED) == lopsided.red
