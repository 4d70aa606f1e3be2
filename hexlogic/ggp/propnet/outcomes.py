"""The negative numbers by which a kernel says that there is no move, no end or no goal."""

from __future__ import annotations

from hexlogic.language.syntax import Integer, Term

NO_MOVE = -1
"""A role has no legal move, and the game is not over."""
ENDLESS = -2
"""The game is not over after the most steps allowed."""
NO_GOAL = -3
"""A role has no goal, or several, or one that is no number from 0 on."""


def whole_goal(value: Term) -> int:
    """The number that a goal is, or NO_GOAL."""
    return value.value if isinstance(value, Integer) and value.value >= 0 else NO_GOAL
