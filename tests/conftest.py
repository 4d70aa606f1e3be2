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

collect_ignore_glob = ["conftest.py", "*/conftest.py", "drop_in/*"]  # a module of `drop_in` registers what it defines
"""They have one name and hold no examples: `--doctest-modules` would take one for the other."""

SAMPLED = {
    "test_agreement.py": 2,
    "test_detector.py": 2,
    "test_engine_battery.py": 2,
    "test_following.py": 2,
    "test_games_battery.py": 2,
    "test_gdl_export.py": 3,
    "test_gdl_machines.py": 2,
    "test_gdl_optimise.py": 3,
    "test_gdl_optimise_proofs.py": 3,
    "test_gdl_random_sheets.py": 2,
    "test_gdl_uct.py": 2,
    "test_passes_agreement.py": 3,
    "test_passes_reorder.py": 2,
    "test_players_strategies.py": 2,
}
"""Files with many cases of one kind: `make test` takes one in so many of each test, chosen by name, and the first one;
the others are slow, for `make test-slow`."""


LONG: dict[str, dict[str, int]] = tomllib.loads((Path(__file__).parent / "long.toml").read_text(encoding="utf-8"))

ORDER = (
    ("cli/test_cli_predict_report.py",),
    ("players/", "predict/", "cli/test_cli_players", "cli/test_cli_predict", "cli/test_cli_solve"),
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
        file, name = item.path.name, item.name.partition("[")[0]
        chosen, first = zlib.crc32(item.name.encode()), (file, name) not in seen
        seen.add((file, name))
        if not first and chosen % SAMPLED.get(file, 1):
            item.add_marker(pytest.mark.slow)
        share = LONG.get(_path(item), {}).get(name, 1)
        if not share or (not first and chosen % share):
            item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: _turn(_path(item)))
