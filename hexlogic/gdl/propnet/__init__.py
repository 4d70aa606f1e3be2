"""The compiled state machine: a sheet ground once, analysed, laid out in flat arrays, and played by numba.

ground_sheet  a sheet -> the ground rules over all facts and moves that can come, by clingo's grounder
dependence    which atoms depend on moves, which facts go their own way
formulas      formulas that are stored once
moments       the round of moments of a game in turns, and what each move changes in each
events        a game in which every fact goes one way, as events that follow from events
lists         the legal choices of each moment, kept from change to change
one_way       the kernel for events (its memory: one_way_memory)
two_way       the kernel for other games in turns (its memory: two_way_memory)
plain         the kernel for every other sheet: propagation to and fro (its memory: plain_memory)
joined        playouts that begin on two_way and go on on one_way
kernels       how a state gets into each of these memories, and out of it
outcomes      what kernels answer where there is no number
randomness    random numbers for all of them

The kernels offer `play`, `is_over`, `goal`, `options`, `option`, `playout` and `playouts`, for other kernels to call.
"""
