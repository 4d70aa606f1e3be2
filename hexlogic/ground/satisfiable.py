"""Whether a program in clingo's language has a stable model."""

from __future__ import annotations

import time

from hexlogic.errors import EngineError

__all__ = ["has_stable_model"]


def has_stable_model(text: str, until: float | None = None) -> bool | None:
    """Whether there is one; None when clingo has not found that out at the time `until` of the monotonic clock.

    Grounding is not interrupted. Raises EngineError with clingo's own words for a text that clingo refuses.

    >>> has_stable_model("{a}. :- not a."), has_stable_model("a. :- a.")
    (True, False)
    """
    import clingo

    messages: list[str] = []
    control = clingo.Control(["--warn=none"], logger=lambda _, text: messages.append(text.strip()))
    try:
        control.add("base", [], text)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise EngineError(f"clingo: {' '.join(messages) or error}") from None
    with control.solve(async_=True) as handle:
        if handle.wait(None if until is None else max(until - time.monotonic(), 0.01)):
            return bool(handle.get().satisfiable)
        handle.cancel()
        return None
