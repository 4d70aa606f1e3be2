"""Following a game: inputs that come and go, and queries that are answered after each.

looking    followers that tell their engine of an input and then look what holds: all but compiled
asking     an engine that is asked anew, with all facts
clingo     ground once, inputs as externals
compiled   the machine of flat arrays
egglog     facts are added to the e-graph, push and pop around each
pydatalog  facts asserted and retracted
swipl      facts asserted and erased in a process that lives on
"""
