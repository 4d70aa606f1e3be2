"""The engine epilog: its adapter, and how it follows a game in progress."""

from hexlogic.language.engines.epilog.adapter import ENGINE

__all__ = ["ENGINE"]
