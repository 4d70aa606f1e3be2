"""For all tests: they may be started in the background of a script that ignores signals, and on a busy machine."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from hexlogic.process.signals import interruptible

interruptible()

# No verdict depends on the clock, and `make test` draws the same examples each time; `make test-slow` draws new ones.
settings.register_profile("same", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("new", settings.get_profile("same"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

collect_ignore_glob = ["conftest.py", "*/conftest.py", "drop_in/*"]  # a module of `drop_in` registers what it defines
"""They have one name and hold no examples: `--doctest-modules` would take one for the other."""
