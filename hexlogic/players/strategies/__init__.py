"""The strategies, one module each, which defines a `hexlogic.players.strategy.Strategy` as `STRATEGY`."""
