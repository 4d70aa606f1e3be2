"""Search in compiled code: playouts, the tree of Monte Carlo search, alpha-beta on two cores."""
