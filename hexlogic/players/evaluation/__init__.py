"""Evaluations of positions in compiled code, each positive where red stands better."""
