"""The engine egglog: its adapter, and how it follows a game in progress."""

from hexlogic.language.engines.egglog.adapter import ENGINE

__all__ = ["ENGINE"]
