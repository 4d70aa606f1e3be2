"""The engine clingo: its adapter, and how it follows a game in progress."""

from hexlogic.engines.clingo.adapter import ENGINE

__all__ = ["ENGINE"]
