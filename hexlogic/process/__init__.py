"""Processes under limits: a command in its own group, watched, its certain end; marks, locks, signals, load of the machine.

Nothing here knows about logic. POSIX only, as all of hexlogic; where a guarantee needs Linux, its module says so.
"""
