"""Child processes that do not outlive us, marks to find them by, locks that a dead process does not hold, and signals.

Nothing here knows about logic. POSIX only, as all of hexlogic; where a guarantee needs Linux, its module says so.
"""
