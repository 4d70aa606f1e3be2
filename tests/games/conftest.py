"""Random positions for the property tests of this folder."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from hexlogic.games import Hex, Position


def _positions(max_side: int = 6, full: bool = False) -> st.SearchStrategy[Position]:
    @st.composite
    def draw_one(draw: st.DrawFn) -> Position:
        game = Hex(draw(st.integers(1, max_side)), draw(st.integers(1, max_side)))
        signs = draw(
            st.lists(st.sampled_from("RB" if full else "RB."), min_size=len(game.cells), max_size=len(game.cells))
        )
        red, blue = (frozenset(c for c in game.cells if signs[c - 1] == sign) for sign in "RB")
        return Position(game, red, blue)

    return draw_one()


@pytest.fixture(scope="session")
def positions() -> Callable[..., st.SearchStrategy[Position]]:
    """The strategy `positions(max_side, full)`, as a fixture since test folders are not packages."""
    return _positions
