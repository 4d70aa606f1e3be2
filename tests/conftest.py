"""For all tests: they may be started in the background of a script that ignores signals, and on a busy machine."""

from __future__ import annotations

import os
import resource
import zlib

import pytest
from hypothesis import HealthCheck, settings

from hexlogic.process.call import COMPILE_FIRST
from hexlogic.process.signals import interruptible

interruptible()
MOST_BYTES = 8 << 30
"""What a test process may allocate: one that grounds without end fails a test, not the machine."""
if hasattr(resource, "RLIMIT_DATA"):
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, resource.getrlimit(resource.RLIMIT_DATA)[1]))

os.environ.setdefault(COMPILE_FIRST, "1")  # tests are about the compiled kernels, but for those that say so

# No verdict depends on the clock, and `make test` draws the same examples each time; `make test-slow` draws new ones.
settings.register_profile("same", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("new", settings.get_profile("same"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

collect_ignore_glob = ["drop_in/*"]  # a module of `drop_in` registers what it defines

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
    return item.path.as_posix().rpartition("/tests/")[2]


def _keep(item: pytest.Item, name: str) -> int:
    """How many cases of a marked test there are to each one that is kept: 1 without the mark, 0 for none kept."""
    mark = item.get_closest_marker(name)
    return mark.kwargs.get("keep", 0) if mark else 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen: set[tuple[str, str]] = set()
    for item in items:
        file, name = _path(item), item.name.partition("[")[0]
        chosen, first = zlib.crc32(item.name.encode()), (file, name) not in seen
        seen.add((file, name))
        for mark, left_out in (("many_cases", pytest.mark.slow), ("takes_seconds", pytest.mark.long)):
            keep = _keep(item, mark)
            if not keep or (not first and chosen % keep):
                item.add_marker(left_out)
    items.sort(key=lambda item: _turn(_path(item)))
