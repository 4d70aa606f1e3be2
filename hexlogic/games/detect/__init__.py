"""Win detectors for game loops: who has won, answered move by move or for many positions at once."""
