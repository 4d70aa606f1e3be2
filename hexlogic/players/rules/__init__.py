"""Logic programs as players: a process that grounds the program with a position and tells which cells are best."""
