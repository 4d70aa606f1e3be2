"""The compiled sheet: ground once, analysed, laid out in arrays, and played by numba.

ground_sheet    a sheet -> the ground rules over all facts and moves that can come, by clingo's grounder
small_grounding the form of a sheet in which its ground rules are few (possible_sizes)
dependence      which atoms depend on moves, which facts are autonomous
formulas        formulas that are stored once
control         the phases of the control automaton, and what each move changes in each of them
latch_network   a game whose facts and conclusions are monotone, as latches that set latches
latch_memory    a latch network as one array, latch_kernel plays on it, latch_game enters states
filling         games in which the order of moves does not matter (filling_game, filling_kernel), leaf for searches
lane_game       any sheet as a circuit, a game in each bit
many_games      random games at once, in one of these two ways
outcomes        what kernels answer where there is no number
randomness      random numbers for all of them
"""
