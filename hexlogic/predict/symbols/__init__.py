"""Parts of symbol sets, one module each: what a position is told to the machine by."""
