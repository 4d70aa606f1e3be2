"""Processes under limits: a command in its own process group, certain end, load of the machine."""
