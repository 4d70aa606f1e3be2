"""Say on stderr that numba compiles, when it does: once on a machine, then its cache has the code."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator

from hexlogic.cli.progress import is_quiet

__all__ = ["compilation_told"]


@contextlib.contextmanager
def compilation_told() -> Iterator[None]:
    """Within: one line when numba begins to compile, one line with the seconds it took when all is over.

    Nothing is said when the user asked for no progress.
    """
    if is_quiet():
        yield
        return
    from numba.core import event

    class Told(event.Listener):  # type: ignore[misc]
        """Counts the time in which anything is compiled; a function may compile others on the way."""

        def __init__(self) -> None:
            self.depth, self.begin, self.total_s = 0, 0.0, 0.0

        def on_start(self, event: object) -> None:
            if self.depth == 0:
                self.begin = time.monotonic()
                if self.total_s == 0.0:
                    print("compiling, once on this machine ...", file=sys.stderr, flush=True)
            self.depth += 1

        def on_end(self, event: object) -> None:
            self.depth -= 1
            if self.depth == 0:
                self.total_s += time.monotonic() - self.begin

    told = Told()
    try:
        with event.install_listener("numba:compile", told):
            yield
    finally:
        if told.total_s:
            print(f"compiled in {told.total_s:.0f} s", file=sys.stderr, flush=True)
