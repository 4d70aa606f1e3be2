"""The checks, one function each.

words        keywords and names: where they stand, how they are spelt
presence     what must be there
rules        what is no rule, and what a rule must be
dependence   what may depend on what
players      roles, moves and goals by name
ground       base and input, ground recursion
playing      random games
"""
