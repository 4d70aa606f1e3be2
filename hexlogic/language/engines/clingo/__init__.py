"""The engine clingo: its adapter, and how it follows a game in progress."""

from hexlogic.language.engines.clingo.adapter import ENGINE

__all__ = ["ENGINE"]
