"""Hex players: connections by deduction, a solver with certificates, strategies, tournaments."""
