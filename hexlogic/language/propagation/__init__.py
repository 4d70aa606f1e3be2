"""Ground programs whose inputs change: numba keeps the least model up to date from change to change.

memory           several arrays in one, each part found by its name
monotone         forward chaining, where more inputs mean more facts: insertion only, with a trail for undo
delete_rederive  all stratified programs: deletion by reasons, then rederivation
circuit          ground rules as gates over rows of words
lanes            a circuit evaluated for many cases at once, one bit each; boards, numbers and random choices in lanes
"""
