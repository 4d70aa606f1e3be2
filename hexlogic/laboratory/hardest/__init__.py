"""The hardest boards: most partial chains, or most work for SWI-Prolog, of a size and a number of stones."""
