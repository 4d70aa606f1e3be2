"""The frame of a sheet, what a board game is besides its win condition: rule text in `rules/gdl/`."""

from __future__ import annotations

import functools

from hexlogic.errors import HexlogicError
from hexlogic.logic import Program
from hexlogic.logic.parser import parse
from hexlogic.resources import rules_folder

__all__ = ["frame"]


@functools.lru_cache(maxsize=16)
def frame(name: str) -> Program:
    """The rules of `rules/gdl/NAME.lp`. Raises HexlogicError when the file cannot be read."""
    path = rules_folder() / "gdl" / f"{name}.lp"
    try:
        return parse(path.read_text(encoding="utf-8"), path.name)
    except OSError as error:
        raise HexlogicError(f"cannot be read: {error.strerror}", file=str(path)) from None
