"""`resistance[:DEPTH]`: alpha-beta on the resistance of the board as a circuit (depth 2)."""

from __future__ import annotations

from hexlogic.players.strategies.alpha_beta import depth_strategy

STRATEGY = depth_strategy("resistance", 2)
