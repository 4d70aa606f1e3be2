"""Processes under limits: a command in a group of its own, watched, its certain end; marks, locks, signals, load.

Nothing here knows about logic. POSIX only, as all of hexlogic; where a guarantee needs Linux, its module says so.
"""
