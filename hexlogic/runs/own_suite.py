"""A suite from a few words instead of a file: rule sets, boards, pipelines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.runs.suite import ConfigurationSet, Suite

__all__ = ["own_suite"]


def own_suite(
    *,
    rules: Sequence[str] = (),
    boards: Sequence[str] = (),
    games: Sequence[str] = (),
    pipelines: Sequence[str] = (),
    modes: Sequence[str] = (),
    players: Sequence[str] = (),
    positions: Sequence[str] = (),
) -> Suite:
    """The suite of these configurations; what is empty has the default of a suite file. Passes of a pipeline stand with
    `+` between them. Raises SuiteError for a mode or a player that is none.

    >>> suite = own_suite(rules=["mine.lp", "clusters"], pipelines=["none", "ground+reorder"])
    >>> suite.name, suite.configurations[0].pipelines, suite.asked_boards
    ('own', ['none', 'ground,reorder'], ['difficult-1'])
    """
    choice: dict[str, Any] = {
        "rule_sets": list(rules),
        "pipelines": [one.replace("+", ",") for one in pipelines],
        "modes": list(modes),
    }
    suite: dict[str, Any] = {
        "boards": list(boards),
        "games": list(games),
        "players": list(players),
        "positions": [int(one) if one.isdecimal() else one for one in positions],
        "configurations": [{key: value for key, value in choice.items() if value}],
    }
    try:
        return msgspec.convert({key: value for key, value in suite.items() if value}, Suite, strict=True)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$.")
        key = re.findall(r"[a-z_]+", path)[-1] if path else ""
        known = ConfigurationSet.__struct_fields__ + Suite.__struct_fields__
        place = f"--{key}" if key in known else "the suite"
        raise SuiteError(f"{place}: {what[0].lower()}{what[1:]}") from None
