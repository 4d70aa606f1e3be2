"""Who takes part: strategies by name, and outside programs by command."""

from __future__ import annotations

from hexlogic.players.registry import load_strategy
from hexlogic.players.strategy import Strategy

__all__ = ["ENGINE", "make_entrant"]

ENGINE = "engine:"
"""A player whose name begins with this is a command that speaks HTP."""


def make_entrant(name: str, seed: int, answer_s: float) -> Strategy:
    """The player of that name; an outside program gets `answer_s` seconds for each of its answers. Raises HexlogicError."""
    if name.startswith(ENGINE):
        from hexlogic.players.htp.outside import OutsideProgram

        return OutsideProgram(name.removeprefix(ENGINE), answer_s=answer_s)
    return load_strategy(name, seed)
