"""Who takes part: strategies by name, and outside programs by command."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from hexlogic.errors import SuiteError
from hexlogic.players.registry import load_strategy
from hexlogic.players.strategy import Strategy

__all__ = ["make_entrant", "name_engines"]

_NAMED = re.compile(r"([\w.+-]+)=(.+)", re.DOTALL)


def name_engines(texts: Iterable[str]) -> dict[str, str]:
    """Commands by the names that the players get: `NAME=COMMAND`, or a command whose program gives the name.

    Raises SuiteError for two programs of one name.

    >>> name_engines(["/usr/bin/wolve --quiet", "strong=mohex --config strong.htp"])
    {'wolve': '/usr/bin/wolve --quiet', 'strong': 'mohex --config strong.htp'}
    """
    engines: dict[str, str] = {}
    for text in texts:
        named = _NAMED.fullmatch(text)
        command = named[2] if named else text
        words = command.split()
        name = named[1] if named else (words[0].rpartition("/")[2] if words else "")
        if not name:
            raise SuiteError("the command of an engine is empty", file="--engine", hint="such as 'wolve --quiet'")
        if name in engines:
            raise SuiteError(f"two engines are called {name}", file="--engine", hint="name them: other=COMMAND")
        engines[name] = command
    return engines


def make_entrant(name: str, engines: Mapping[str, str], seed: int, answer_s: float) -> Strategy:
    """The player of that name; an outside program gets `answer_s` seconds for each answer. Raises HexlogicError."""
    if name in engines:
        from hexlogic.players.htp.outside import OutsideProgram

        return OutsideProgram(engines[name], answer_s=answer_s)
    return load_strategy(name, seed)
