"""Processes under limits: a command in its own process group, watched, its certain end; marks, locks, signals, machine load.

Nothing here knows about logic. POSIX only, as all of hexlogic; where a guarantee needs Linux, its module says so.
"""
