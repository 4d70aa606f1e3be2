"""Reports from records alone: statistics, claims that they support, topics, and three renderers of one document."""

from hexlogic.report.findings import findings
from hexlogic.report.statistics import ConfigurationStats, summarise
from hexlogic.report.terminal import render_report, report_data

__all__ = ["ConfigurationStats", "findings", "render_report", "report_data", "summarise"]
