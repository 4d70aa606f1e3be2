"""Forward chaining: the relations of a sheet evaluated in each state, without grounding its rules.

types      the terms of each argument place, as numbers
opened     the sheet as flat relations, and what each question needs
demand     only what is asked for, where a state has too many tuples
plans      rules as joins in a fixed order
estimates  how large relations are
memory     relations and plans in two arrays
kernel     numba: joins, recursion, random games
evaluator  a sheet in the kernel
"""
