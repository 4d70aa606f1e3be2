"""Reports from records alone: statistics, claims that they support, topics, and three renderers of one document."""

from hexlogic.laboratory.report.statistics import ConfigurationStats, summarise
from hexlogic.laboratory.report.terminal import render_report, report_data
from hexlogic.laboratory.report.topics.passes import findings

__all__ = ["ConfigurationStats", "findings", "render_report", "report_data", "summarise"]
