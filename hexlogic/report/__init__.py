"""Reports: statistics, tables and findings, from records alone."""

from hexlogic.report.data import report_data
from hexlogic.report.findings import findings
from hexlogic.report.stats import CellStats, summarise
from hexlogic.report.table import Table
from hexlogic.report.tables import make_tables
from hexlogic.report.text import render_report, render_table

__all__ = [
    "CellStats",
    "Table",
    "findings",
    "make_tables",
    "render_report",
    "render_table",
    "report_data",
    "summarise",
]
