"""Records for other programs: as a polars frame (needs the extra `frame`), and the JSON schema of their lines."""

from __future__ import annotations

import ast
import functools
import inspect
import json
import operator
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec

from hexlogic.laboratory.records import types
from hexlogic.laboratory.records.store import RecordFile, record_types
from hexlogic.process import limits
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


def record_schema() -> str:
    """The schema (JSON Schema 2020-12) of the records of runs, as text."""
    title = f"A line of hexlogic records, schema {types.SCHEMA}"
    modules = (types, limits, *(import_module(record.__module__) for record in record_types()))
    return described_schema(functools.reduce(operator.or_, record_types()), title, *dict.fromkeys(modules))


def described_schema(kind: object, title: str, *modules: ModuleType) -> str:
    """The schema of what msgspec decodes as `kind`, as text; what these modules say of a field, in its class
    or in one that it inherits from, is its description."""
    schema = msgspec.json.schema(kind)
    texts_of = {field: text for module in modules for field, text in _field_texts(inspect.getsource(module)).items()}
    classes = {name: member for module in modules for name, member in vars(module).items() if isinstance(member, type)}
    for name, definition in schema["$defs"].items():
        for field, described in definition.get("properties", {}).items():
            texts = [texts_of.get((owner.__name__, field)) for owner in classes[name].__mro__]
            if text := next(filter(None, texts), None):
                described["description"] = text
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return json.dumps(head | schema, indent=2) + "\n"


def _field_texts(source: str) -> dict[tuple[str, str], str]:
    """The string that follows a field in a class, by class and field: Python keeps no docstring of a field."""
    texts = {}
    for item in ast.parse(source).body:
        if isinstance(item, ast.ClassDef):
            for field, after in zip(item.body, item.body[1:], strict=False):
                match field, after:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                        texts[item.name, name] = " ".join(text.split())
    return texts
