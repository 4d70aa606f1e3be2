"""psutil looks at the process tree from outside every 15 ms and works everywhere."""

from __future__ import annotations

from hexlogic.process.isolate import run_isolated
from hexlogic.process.meters import Meter

METER = Meter("psutil", run_isolated, lambda: None)
