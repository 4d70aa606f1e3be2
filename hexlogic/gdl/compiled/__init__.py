"""The compiled state machine: a sheet ground once, analysed, laid out in flat arrays, and played by numba.

ground_sheet  a sheet -> the ground rules over all facts and moves that can come, by clingo's grounder
"""
