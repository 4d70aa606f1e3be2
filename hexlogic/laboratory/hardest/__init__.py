"""The hardest boards: most partial chains, of a size and a number of stones."""
