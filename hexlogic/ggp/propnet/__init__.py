"""The compiled sheet: ground once, analysed, laid out in arrays, and played by numba.

ground_size     how many ground rules a sheet has, and a form of it that has fewer
ground_sheet    the ground rules over all facts and moves that can come, and what depends on moves in them
formulas        formulas that are stored once
control         the phases of the control automaton, and what each move changes in each of them
latch_network   a game whose facts and conclusions are monotone, as latches that set latches
latch_memory    a latch network as one array, latch_kernel plays on it
filling         games in which the order of moves does not matter, filling_kernel plays them
many_games      any sheet as a circuit, a game in each bit
random_games    what the kernels share: outcomes, random numbers
"""
