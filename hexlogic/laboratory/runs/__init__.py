"""Runs: suites, plans, isolated execution under limits. Their records are in `hexlogic.laboratory.records`."""
