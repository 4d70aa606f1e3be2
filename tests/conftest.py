"""For all tests: they may be started in the background of a script, where signals are ignored."""

from __future__ import annotations

from hexlogic.process.signals import interruptible

interruptible()

collect_ignore_glob = ["conftest.py", "*/conftest.py", "drop_in/*"]  # a module of `drop_in` registers what it defines
"""They have one name and hold no examples: `--doctest-modules` would take one for the other."""
