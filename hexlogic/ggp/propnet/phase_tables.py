"""The tables by phase and choice that the kernels for games in turns have in common."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from hexlogic.ggp.propnet.choice_lists import ChoiceLists
from hexlogic.ggp.propnet.control import ControlAutomaton

Row: TypeAlias = tuple[tuple[int, int], ...]
"""What a choice may change, each with the condition on which it does."""


def starts(rows: Iterable[Sequence[object]]) -> list[int]:
    """Where each row begins when all stand one after the other, and where the last one ends."""
    return [0, *itertools.accumulate(map(len, rows))]


def phase_tables(
    game: ControlAutomaton,
    lists: ChoiceLists,
    effects: Iterable[Row],
    condition: Callable[[int], int],
    legality: Callable[[int], tuple[int, bool]],
) -> dict[str, Any]:
    """The tables by the names of the parts of a memory, as lists of numbers; `lists` gets the list of each phase.

    `effects` are those of all choices in their order, `condition` is what the kernel has for a literal, and `legality`
    the literal of a cause and the first truth that `ChoiceLists.add` wants.
    """
    for phase in game.phases:
        pairs = [legality(choice.literal) for choice in phase.choices]
        lists.add(None if phase.role < 0 else [cause for cause, _ in pairs], [now for _, now in pairs])
    rows: dict[Row, int] = {}
    row_of = [rows.setdefault(row, len(rows)) for row in effects]
    goals = [goal for phase in game.phases for goal in phase.goals]
    return {
        "lists": lists.of_phase,
        "first": starts([phase.choices for phase in game.phases]),
        "chooser": [len(phase.forced) if phase.role < 0 else phase.role for phase in game.phases],
        "effects": row_of,
        "rows": starts(rows),
        "row_targets": [target for row in rows for target, _ in row],
        "row_conditions": [one for row in rows for _, one in row],
        "end": [condition(phase.terminal) for phase in game.phases],
        "goals": starts(goals),
        "values": [value for goal in goals for value, _ in goal],
        "value_conditions": [condition(literal) for goal in goals for _, literal in goal],
        "following": [phase.following for phase in game.phases],
    }
