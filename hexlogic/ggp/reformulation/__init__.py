"""Sheets with the same games that cost a prover less, found by program."""
