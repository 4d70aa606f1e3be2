"""JSON documents on disk: one value in each file, most with the version of their schema."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from hexlogic.errors import HexlogicError
from hexlogic.files import named, readable

__all__ = ["indented", "read_stored", "write_stored"]

T = TypeVar("T")


class _Version(msgspec.Struct):
    schema: int


def indented(value: object) -> bytes:
    """The value as JSON, indented for people.

    >>> indented({"schema": 1}).decode()
    '{\\n "schema": 1\\n}\\n'
    """
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def write_stored(path: Path, value: object) -> None:
    """Write the value, and make the folder for it; the file appears when it is whole. Raises OSError with its name."""
    with named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_bytes(indented(value))
        part.replace(path)


def read_stored(path: Path, kind: type[T], what: str, schema: int | None = None, hint: str | None = None) -> T:
    """The value of this type. Raises HexlogicError for a file that cannot be read, is no `what`, or has another schema
    than the one that is asked for; `hint` says how to make a file of that schema."""
    with readable(path, what):
        data = path.read_bytes()
    try:
        if schema is not None and (found := msgspec.json.decode(data, type=_Version).schema) != schema:
            raise HexlogicError(f"{what} of schema {found}, not {schema}", file=str(path), hint=hint)
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise HexlogicError(f"not {what}: {error}", file=str(path)) from None
