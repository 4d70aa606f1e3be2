"""Hex players: connections by deduction, strategies found by name, search, tournaments and the Hex Text Protocol."""

from hexlogic.players.budget import Budget
from hexlogic.players.registry import load_strategy, strategy_names
from hexlogic.players.strategy import Strategy

__all__ = ["Budget", "Strategy", "load_strategy", "strategy_names"]
