"""One module for each game that comes with hexlogic; each names its class `GAME`. Found by `games.registry`."""
