"""The strategies, one module each: `Player` is a subclass of `hexlogic.players.strategy.Strategy`."""
