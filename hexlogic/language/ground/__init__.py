"""Ground programs: what clingo's grounder makes of a program, as data; least models and sample instances."""
