"""gringo text: the canonical text of the program, which clingo runs as it is."""

from hexlogic.language.dialects import Dialect

DIALECT = Dialect("asp", str, run="clingo FILE.lp{stones}", stones_file=" STONES.lp", keeps_order=False)
