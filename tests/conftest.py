"""For all tests: they may be started in the background of a script that ignores signals, and on a busy machine."""

from __future__ import annotations

import os
import tomllib
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from hexlogic.process.signals import interruptible

interruptible()

# No verdict depends on the clock, and `make test` draws the same examples each time; `make test-slow` draws new ones.
settings.register_profile("same", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("new", settings.get_profile("same"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

collect_ignore_glob = ["drop_in/*"]  # a module of `drop_in` registers what it defines

SAMPLED = {
    "test_agreement.py": 2,
    "detect/test_detector.py": 2,
    "engines/test_battery.py": 2,
    "engines/test_following.py": 2,
    "other_games/test_battery.py": 2,
    "gdl/test_export.py": 3,
    "gdl/test_machines.py": 2,
    "gdl/test_optimise.py": 3,
    "gdl/test_optimise_proofs.py": 3,
    "gdl/test_random_sheets.py": 2,
    "gdl/test_uct.py": 2,
    "passes/test_agreement.py": 3,
    "passes/test_reorder.py": 2,
    "players/test_strategies.py": 2,
}
"""Files with many cases of one kind: `make test` takes one in so many of each test, chosen by name, and the first one;
the others are slow, for `make test-slow`."""


LONG: dict[str, dict[str, int]] = tomllib.loads((Path(__file__).parent / "long.toml").read_text(encoding="utf-8"))

ORDER = (
    ("cli/test_predict_report.py",),
    ("players/", "predict/", "cli/test_players", "cli/test_predict", "cli/test_solve"),
    ("_browser.py",),
)
"""Parts of the names of files that come first, late and last: two processes that begin with the kernels of players
would both compile them, for a minute, and where a browser is open no other test can have an event loop."""


def _turn(path: str) -> int:
    """When the tests of a file come: 0 first, 3 last."""
    first, late, last = (any(part in path for part in parts) for parts in ORDER)
    return 0 if first else 3 if last else 2 if late else 1


def _path(item: pytest.Item) -> str:
    """The file of a test, from `tests` on."""
    folder = item.path.parent.name
    return item.path.name if folder == "tests" else f"{folder}/{item.path.name}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen: set[tuple[str, str]] = set()
    for item in items:
        file, name = _path(item), item.name.partition("[")[0]
        chosen, first = zlib.crc32(item.name.encode()), (file, name) not in seen
        seen.add((file, name))
        if not first and chosen % SAMPLED.get(file, 1):
            item.add_marker(pytest.mark.slow)
        share = LONG.get(file, {}).get(name, 1)
        if not share or (not first and chosen % share):
            item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: _turn(_path(item)))
