"""For all tests: they may be started in the background of a script that ignores signals, and on a busy machine."""

from __future__ import annotations

import os
import zlib

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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen: set[tuple[str, str]] = set()
    for item in items:
        share = SAMPLED.get(item.path.name, 1)
        test = item.path.name, item.name.partition("[")[0]
        if test in seen and zlib.crc32(item.name.encode()) % share:
            item.add_marker(pytest.mark.slow)
        seen.add(test)
