"""The games that come with hexlogic, one module or package each, which defines its class as `GAME`."""
