"""Playing matches: a general game player behind HTTP, and a host for players.

>>> from hexlogic.gdl.playing import choose_strategy
>>> str(choose_strategy("uct:1000"))
'uct:1000'
"""

from __future__ import annotations

from hexlogic.gdl.playing.clock import Clock
from hexlogic.gdl.playing.player import Player
from hexlogic.gdl.playing.strategy import Choice, Strategy, choose_strategy, strategy_names

__all__ = ["Choice", "Clock", "Player", "Strategy", "choose_strategy", "strategy_names"]
