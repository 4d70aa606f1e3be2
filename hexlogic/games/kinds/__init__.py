"""The games that come with hexlogic: one module each, which defines its class as `GAME`."""
