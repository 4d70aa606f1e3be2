"""The engine pydatalog: its adapter, and how it follows a game in progress."""

from hexlogic.language.engines.pydatalog.adapter import ENGINE

__all__ = ["ENGINE"]
