"""The strategies of built-in players, one module each, named as on the command line."""
