"""Records as a polars frame, for those who compute themselves. Needs the extra `frame`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from hexlogic.laboratory.records.store import RecordFile
from hexlogic.process.extras import need

if TYPE_CHECKING:
    import polars


def frame(*records: RecordFile) -> polars.DataFrame:
    """One row for each measurement of the sessions, without floors, with raw values: seconds, bytes and counts.

    Columns are the fields of the records; those of a nested record have its name before a dot (`phases.solve_s`,
    `usage.cpu_s`, `counters.inferences`), and lists stay lists. `kind` is the type of the record (`run`, `playing`,
    ...); `suite`, `session`, `host` and `cpu_limit_s` come from the header, and `query_s` is the time of the cold
    query, grounding and solving. Null is what was not measured. Raises HexlogicError without polars.
    """
    need("frame")
    import polars

    rows: list[dict[str, object]] = []
    for file in records:
        session = file.session
        header = {
            "suite": session.suite,
            "session": session.session,
            "host": session.host,
            "cpu_limit_s": session.limits.cpu_s,
        }
        for measurement in file.measurements:
            fields = msgspec.to_builtins(measurement)
            rows.append(
                {"kind": fields.pop("record"), **_flat(fields), **header, "query_s": measurement.phases.query_s}
            )
    columns = dict.fromkeys(name for row in rows for name in row)
    return polars.DataFrame([{name: row.get(name) for name in columns} for row in rows], infer_schema_length=None)


def _flat(record: dict[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in record.items():
        if isinstance(value, dict) and name != "played":
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat
