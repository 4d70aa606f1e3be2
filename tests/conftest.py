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

ONE_PROCESS = (
    "players/",
    "predict/",
    "cli/test_cli_players",
    "cli/test_cli_predict",
    "cli/test_cli_solve",
    "_browser.py",
)
"""Parts of the names of files whose tests one process runs: the players' kernels take a minute to compile, and one
browser is enough."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen: set[tuple[str, str]] = set()
    for item in items:
        file, name = item.path.name, item.name.partition("[")[0]
        folder = item.path.parent.name
        path = file if folder == "tests" else f"{folder}/{file}"
        chosen, first = zlib.crc32(item.name.encode()), (file, name) not in seen
        seen.add((file, name))
        if not first and chosen % SAMPLED.get(file, 1):
            item.add_marker(pytest.mark.slow)
        share = LONG.get(path, {}).get(name, 1)
        if not share or (not first and chosen % share):
            item.add_marker(pytest.mark.long)
        if any(part in path for part in ONE_PROCESS):
            item.add_marker(pytest.mark.xdist_group("players"))
    # The group first, since nothing divides it.
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
