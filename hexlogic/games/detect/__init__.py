"""Detectors decide by the rules who has won: after each move of a game, or for many positions at once."""
