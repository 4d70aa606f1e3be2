"""Forward chaining: the relations of a sheet evaluated in each state, without grounding its rules. It starts from the
flattened sheet (`hexlogic.ggp.language.opened`).

demand         magic sets, where a state has too many tuples
differences    what goes and comes in a step, in the place of what stays
pairs          two columns as one, as a cell for its file and its rank
static_joins   what no state changes, joined ahead
kept           views that are kept from state to state
views          views that are asked for
tries          moves that random games draw by trial
estimates      the sizes of relations, and the order of joins
memory         relations and their tables in two arrays
relation_code  functions of LLVM (llvm_code) that find, insert and remove tuples
join_code      joins in functions of LLVM
rule_code      rules as functions of LLVM
moves          what the header of the memory points to
kernel         numba: games for searches, and random games
evaluator      a sheet in memory: asked, and moved on
"""
