"""The checks in a process of its own, which can be stopped: gringo cannot be interrupted, a process can.

`python -m hexlogic.gdl.check.worker` reads one JSON object, `{"text": ..., "file": ..., "plays": {...}}`, and writes
lines of JSON: `{"finding": {...}}` for each finding as soon as its place is known, and at the end `{"verdict": {...}}`
or `{"error": "..."}`. Without such a last line the check was not finished.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from hexlogic.errors import HexlogicError
from hexlogic.gdl.check.games import Plays
from hexlogic.gdl.check.run import check_sheet
from hexlogic.process.signals import interruptible

__all__ = ["main"]


def main() -> None:
    """Carry out the one check on stdin."""
    interruptible()
    task = json.load(sys.stdin)
    try:
        verdict = check_sheet(
            task["text"], task["file"], Plays(**task["plays"]), lambda finding: _say(finding=asdict(finding))
        )
        _say(verdict={"rules": verdict.rules, "games": verdict.games, "steps": verdict.steps})
    except HexlogicError as error:
        _say(error=str(error))


def _say(**message: object) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main()
