"""The engine swipl: its adapter, and how it follows a game in progress."""

from hexlogic.language.engines.swipl.adapter import ENGINE

__all__ = ["ENGINE"]
