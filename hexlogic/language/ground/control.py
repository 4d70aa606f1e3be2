"""clingo's control after grounding a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexlogic.errors import EngineError

if TYPE_CHECKING:
    import clingo


def grounded(text: str, *options: str, observer: object | None = None) -> tuple[clingo.Control, list[str]]:
    """A control that has ground a text, and clingo's warnings. The `observer` is told the ground rules.

    Raises EngineError with clingo's own words for a text that clingo refuses.
    """
    import clingo

    messages: list[str] = []
    control = clingo.Control(options or ("--warn=none",), lambda _, line: messages.append(" ".join(line.split())))
    if observer is not None:
        control.register_observer(observer)  # type: ignore[arg-type]
    try:
        control.add("base", [], text)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise EngineError(f"clingo: {'; '.join(messages) or error}") from None
    return control, messages
