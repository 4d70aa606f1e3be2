"""The table of long tests names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import LONG, ORDER

TESTS = Path(__file__).parent


@pytest.mark.parametrize("file", LONG)
def test_every_name_is_that_of_a_test(file: str) -> None:
    defined = set(re.findall(r"^ *def (test_\w+)\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE))
    assert LONG[file].keys() - defined == set()
    assert all(share == 0 or share > 1 for share in LONG[file].values())


@pytest.mark.parametrize("part", [part for parts in ORDER for part in parts])
def test_every_part_has_files(part: str) -> None:
    assert any(part in str(path.relative_to(TESTS)) for path in TESTS.rglob("test_*.py"))
