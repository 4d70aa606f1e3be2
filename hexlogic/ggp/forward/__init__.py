"""Forward chaining: the relations of a sheet evaluated in each state, without grounding its rules. It starts from the
flattened sheet (`hexlogic.ggp.language.opened`).

demand        magic sets, where a state has too many tuples
estimates     the sizes of relations
plans         rules as joins in a fixed order, in instructions
memory        relations and tables in two arrays
translation   plans as functions of LLVM (llvm_code)
state_change  functions of LLVM from a state to the next
kernel        numba: games for searches, and random games
evaluator     a sheet in memory: asked, and moved on
"""
