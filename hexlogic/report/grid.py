"""The data of the grid page: every configuration as a row, from which a reader chooses rows, columns and a baseline."""

from __future__ import annotations

import json
from typing import Any

from hexlogic.report.material import Material
from hexlogic.report.repeat import repeat
from hexlogic.report.statistics import work_counter
from hexlogic.report.topics.playouts import sheets

__all__ = ["grid_data"]


def grid_data(material: Material) -> str:
    """JSON: `fields` and one list of values for each configuration; seconds are raw, missing ones null."""
    rows: list[dict[str, Any]] = []
    for suite in material.suites:
        for one in suite.configurations:
            work = work_counter(one)
            low, high = one.quartiles_s or (None, None)
            rows.append(
                {
                    "suite": suite.suite,
                    "reformulation": one.rule_set,
                    "passes": one.pipeline,
                    "engine": one.engine,
                    "board": one.task.rpartition(" ")[2],
                    "mode": one.mode or "question",
                    "time_s": one.time_s,
                    "low_s": low,
                    "high_s": high,
                    "work": None if work is None else work.value,
                    "status": "wrong" if one.category == "wrong" else one.status,
                    "runs": one.counted,
                    "repeat": repeat(suite.session, one),
                }
            )
    for found in sheets(material):
        stats = found.stats
        rows.append(
            {
                "suite": found.suite.suite,
                "reformulation": stats.sheet,
                "passes": "none",
                "engine": stats.reasoner,
                "board": stats.place,
                "mode": "playout",
                "time_s": None if not stats.playouts_per_s else 1 / stats.playouts_per_s,
                "low_s": min(stats.playout_s, default=None),
                "high_s": max(stats.playout_s, default=None),
                "work": stats.rules,
                "status": stats.status,
                "runs": stats.runs,
                "repeat": found.repeat,
            }
        )
    fields = list(rows[0]) if rows else []
    return json.dumps({"fields": fields, "rows": [list(row.values()) for row in rows]}, separators=(",", ":"))
