"""Hex players: connections by deduction, strategies found by name, search, tournaments and the Hex Text Protocol."""

from hexlogic.players.strategies import load_strategy, strategy_names
from hexlogic.players.strategy import Budget, Strategy

__all__ = ["Budget", "Strategy", "load_strategy", "strategy_names"]
