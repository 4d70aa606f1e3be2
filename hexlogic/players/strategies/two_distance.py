"""`two-distance[:DEPTH]`: alpha-beta on two-distance (depth 1)."""

from __future__ import annotations

from hexlogic.players.strategies.alpha_beta import depth_strategy

STRATEGY = depth_strategy("two-distance", 1)
