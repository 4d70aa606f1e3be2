"""Search in compiled code: playouts and the tree of Monte Carlo search."""
