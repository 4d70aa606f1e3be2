"""Tournaments: games between strategies and outside programs, kept on disk, rated, shown."""
