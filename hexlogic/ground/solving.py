"""Solve a program in clingo's language and say how large it is once ground."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import clingo

from hexlogic.errors import EngineError

__all__ = ["solve"]


def solve(*, text: str, report: Callable[[Any], None] = lambda _: None) -> dict[str, Any]:
    """`satisfiable`; `rules` and `atoms` of the ground program; `shown`, the atoms of the last model as text.

    A function for `call_isolated`: clingo cannot be interrupted. Raises EngineError for a text that clingo refuses.

    >>> solve(text="a. b :- a, not c. {c}. :- not c. #show c/0.")
    {'satisfiable': True, 'rules': 3, 'atoms': 2, 'shown': ['c']}
    """
    shown: list[str] = []
    refused: list[str] = []
    control = clingo.Control(["--warn=none", "--stats"], logger=lambda code, message: refused.append(message))
    try:
        control.add("base", [], text)
        control.ground([("base", [])])
        found = control.solve(on_model=lambda model: shown.extend(map(str, model.symbols(shown=True))))
    except RuntimeError as error:
        raise EngineError(f"clingo: {' '.join(' '.join(refused or [str(error)]).split())[-300:]}") from None
    program = control.statistics["problem"]["lp"]
    return {
        "satisfiable": bool(found.satisfiable),
        "rules": int(program["rules"]),
        "atoms": int(program["atoms"]),
        "shown": shown,
    }
