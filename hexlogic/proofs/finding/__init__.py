"""Bridges and reformulations found by program: proposed on samples, and proved by induction like any other."""
