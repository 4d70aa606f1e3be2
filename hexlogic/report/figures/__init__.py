"""Figures as SVG: the same bytes for the same data, in the colours of the reader's theme."""

from hexlogic.report.figures.cactus import Solved, cactus_plot
from hexlogic.report.figures.canvas import stand_alone
from hexlogic.report.figures.curves import Curve, CurvePoint, growth_plot
from hexlogic.report.figures.heat import Heat, heat_map
from hexlogic.report.figures.palette import figure_css
from hexlogic.report.figures.relations import relation_matrix

__all__ = [
    "Curve",
    "CurvePoint",
    "Heat",
    "Solved",
    "cactus_plot",
    "figure_css",
    "growth_plot",
    "heat_map",
    "relation_matrix",
    "stand_alone",
]
