"""The compiled state machine: a sheet ground once, analysed, laid out in arrays, and played by numba.

ground_sheet    a sheet -> the ground rules over all facts and moves that can come, by clingo's grounder
small_grounding the form of a sheet in which its ground rules are few (fixed_demand, possible_sizes)
dependence      which atoms depend on moves, which facts are autonomous
formulas        formulas that are stored once
control         the phases of the control automaton, and what each move changes in each of them
latch_network   a game whose facts and conclusions are monotone, as latches that set latches
choice_lists    the legal choices of each phase, kept up to date from change to change
phase_tables    what the memories of the kernels for games in turns have in common
latch_kernel    the kernel for latch networks (its memory: latch_memory)
turn_kernel     the kernel for other games in turns, by delete and rederive
network_kernel  the kernel for every other sheet: the propositional network itself
hand_over       games that begin on turn_kernel and go on on latch_kernel
game_loop       what each kernel offers, and random games on any of them
encodings       states as games of each kernel, and back
outcomes        what kernels answer where there is no number
randomness      random numbers for all of them
"""
