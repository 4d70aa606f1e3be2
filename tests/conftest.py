"""For all tests: they may be started in the background of a script, where signals are ignored."""

from __future__ import annotations

from hexlogic.process.signals import interruptible

interruptible()
