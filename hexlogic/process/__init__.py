"""Processes under limits: a command or a function in a process group of its own, watched, with a certain end.

Also marks, locks, signals, clocks of CPU time and the load of the machine.

Nothing here knows about logic. POSIX only, as all of hexlogic; where a guarantee needs Linux, its module says so.
"""
