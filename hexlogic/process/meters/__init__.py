"""The meters, each one module that defines `METER`."""
