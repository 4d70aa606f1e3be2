"""The machine of the engine `compiled`: ground rules in flat arrays, propagated by numba from change to change.

ground   a program and the inputs that may come -> ground rules, by clingo's grounder
layout   ground rules -> arrays, in levels (strongly connected components) that are worked through in order
growing  the kernel for programs in which more inputs mean more facts: insertion only, with a trail for undo
changing the kernel for all stratified programs: deletion by reasons, then rederivation
sliced   many positions at once, one bit each
"""
