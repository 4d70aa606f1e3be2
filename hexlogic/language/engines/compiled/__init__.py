"""The engine compiled: its adapter, and how it follows a game in progress."""

from hexlogic.language.engines.compiled.adapter import ENGINE

__all__ = ["ENGINE"]
