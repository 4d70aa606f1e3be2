"""Whether a program in clingo's language has a stable model."""

from __future__ import annotations

import time

from hexlogic.language.ground.control import grounded


def has_stable_model(text: str, until: float | None = None) -> bool | None:
    """Whether there is one; None when clingo has not found that out at the time `until` of the monotonic clock.

    Grounding is not interrupted. Raises EngineError with clingo's own words for a text that clingo refuses.

    >>> has_stable_model("{a}. :- not a."), has_stable_model("a. :- a.")
    (True, False)
    """
    control, _ = grounded(text)
    with control.solve(async_=True) as handle:
        if handle.wait(None if until is None else max(until - time.monotonic(), 0.01)):
            return bool(handle.get().satisfiable)
        handle.cancel()
        return None
