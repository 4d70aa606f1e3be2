"""The game that lives in the tests is registered while the tests of this folder run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hexlogic.games import register_game, unregister_game
from tests.games.other.crossing import Crossing


@pytest.fixture(autouse=True)
def crossing() -> Iterator[None]:
    register_game(Crossing, Path(__file__).parent / "rules")
    yield
    unregister_game(Crossing.name)
