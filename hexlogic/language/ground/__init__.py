"""Ground programs by clingo's grounder, least models, sample instances and estimates of relation sizes."""
