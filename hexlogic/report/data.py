"""The figures as plain data, for programs: raw seconds, and the factors beside them."""

from __future__ import annotations

from dataclasses import asdict

from hexlogic.report.claims.phrases import raw_factor
from hexlogic.report.claims.relations import AtLeast
from hexlogic.report.machines import play_data
from hexlogic.report.stats import savings, summarise
from hexlogic.report.tables import make_tables
from hexlogic.runs.store import RecordFile

__all__ = ["report_data"]


def report_data(records: RecordFile) -> dict[str, object]:
    """`cells` (the fields of `CellStats`, its factor, and what makes its time doubtful) and `findings`, for JSON."""
    cells = summarise(records.runs, records.floors)
    tables, remarks = make_tables(cells, records.session)
    rows = []
    for cell in cells:
        saved = savings(cell, cells)
        value, low, high = raw_factor(saved)
        factor = {"rsf": value, "rsf_low": low, "rsf_high": high, "rsf_is_bound": isinstance(saved, AtLeast)}
        doubts = {"near_floor": cell.near_floor, "spread": cell.spread, "unsteady": cell.unsteady}
        rows.append({**asdict(cell), **factor, **doubts})
    data: dict[str, object] = {
        "cells": rows,
        "findings": [text for table in tables for text in table.findings] + remarks,
    }
    return data | play_data(records.playings) if records.playings else data
