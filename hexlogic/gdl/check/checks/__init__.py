"""The checks, one function each.

reading      what is no rule
words        keywords and names: where they stand, how they are spelt
presence     what must be there
rules        what a rule must be
dependence   what may depend on what
players      roles, moves and goals by name
cover        base and input
cycles       ground recursion
playing      random games
"""
