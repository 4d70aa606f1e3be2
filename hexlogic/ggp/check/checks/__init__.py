"""The checks: each module names its functions in `CHECKS`."""
