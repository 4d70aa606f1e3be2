"""Forward chaining: the relations of a sheet evaluated in each state, without grounding its rules. It starts
from the sheet laid open (`hexlogic.ggp.language.opened`).

demand       only what is asked for, where a state has too many tuples
estimates    how large relations are
plans        rules as joins in a fixed order
memory       relations and tables in two arrays
translation  plans as functions of LLVM
turnover     the same for the advance from a state to the next
kernel       numba: random games
evaluator    a sheet in the kernel
"""
