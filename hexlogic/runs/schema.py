"""The JSON schema of a line of records, for programs in other languages; `docs/records.schema.json` holds it."""

from __future__ import annotations

import ast
import inspect
import json
from typing import Any

import msgspec

from hexlogic.runs import limits, records

__all__ = ["record_schema"]


def record_schema() -> str:
    """The schema (JSON Schema 2020-12) as text; what the code says of a field is its description."""
    schema = msgspec.json.schema(records.Record)
    told = _field_texts(inspect.getsource(records)) | _field_texts(inspect.getsource(limits))
    for name, definition in schema["$defs"].items():
        for field, described in definition.get("properties", {}).items():
            if text := told.get((name, field)):
                described["description"] = text
    whole: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of hexlogic records, schema {records.SCHEMA}",
        **schema,
    }
    return json.dumps(whole, indent=2) + "\n"


def _field_texts(source: str) -> dict[tuple[str, str], str]:
    """The string that follows a field in a class, by class and field: Python keeps no docstring of a field."""
    found = {}
    for item in ast.parse(source).body:
        if isinstance(item, ast.ClassDef):
            for field, after in zip(item.body, item.body[1:], strict=False):
                match field, after:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                        found[item.name, name] = " ".join(text.split())
    return found
