"""The JSON schemas (2020-12) of the lines of records, with what the code says of each field."""

from __future__ import annotations

import ast
import functools
import inspect
import json
import operator
from importlib import import_module
from types import ModuleType

import msgspec

from hexlogic.laboratory.records import types
from hexlogic.laboratory.records.store import record_types
from hexlogic.laboratory.records.types import SCHEMA
from hexlogic.process import limits


def record_schema() -> str:
    """The schema (JSON Schema 2020-12) of the records of runs, as text."""
    title = f"A line of hexlogic records, schema {SCHEMA}"
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
