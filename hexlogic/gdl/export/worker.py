"""The size of a sheet, counted in a process of its own, which can be stopped: gringo cannot be interrupted.

`python -m hexlogic.gdl.export.worker` reads KIF and writes one JSON object, `{"rules": ..., "atoms": ...}` and so
on, or `{"error": "..."}`. Without it the count was not finished.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from hexlogic.errors import HexlogicError
from hexlogic.gdl.export.size import measure_sheet
from hexlogic.gdl.language.reading import read_kif
from hexlogic.process.signals import interruptible

__all__ = ["main"]


def main() -> None:
    """Measure the one sheet on stdin."""
    interruptible()
    try:
        print(json.dumps(asdict(measure_sheet(read_kif(sys.stdin.read())))))
    except HexlogicError as error:
        print(json.dumps({"error": str(error)}))


if __name__ == "__main__":
    main()
