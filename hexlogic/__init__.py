"""Logic programs that decide who has won a connection game, and a laboratory around them."""
