"""What a kernel answers where there is no number to answer."""

from __future__ import annotations

__all__ = ["ENDLESS", "NO_GOAL", "NO_MOVE"]

NO_MOVE = -1
"""A role has no legal move, and the game is not over."""
ENDLESS = -2
"""The game is not over after the most steps allowed."""
NO_GOAL = -3
"""A role has no goal, or several."""
