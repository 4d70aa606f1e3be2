"""JSON documents on disk: one value in each file, most with the version of their schema."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, TypeVar, overload

import msgspec

from hexlogic.errors import HexlogicError
from hexlogic.process.files import named, readable

T = TypeVar("T")


class _Version(msgspec.Struct):
    schema: int


@overload
def decode_json(content: bytes | str, kind: type[T]) -> T: ...
@overload
def decode_json(content: bytes | str, kind: Any) -> Any: ...
def decode_json(content: bytes | str, kind: Any) -> Any:
    """The value of this type that JSON from outside says. Raises msgspec.DecodeError, whatever is wrong with it.

    >>> decode_json('{"schema": ' + "[" * 3000, dict)
    Traceback (most recent call last):
    msgspec.DecodeError: nested too deeply
    """
    try:
        return _decoder(kind).decode(content)
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None
    except UnicodeDecodeError:
        raise msgspec.DecodeError("this is not UTF-8 text") from None


@functools.cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


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
        if schema is not None and (found := decode_json(data, _Version).schema) != schema:
            raise HexlogicError(f"{what} of schema {found}, not {schema}", file=str(path), hint=hint)
        return decode_json(data, kind)
    except msgspec.DecodeError as error:
        said, _, place = str(error).partition(" (byte ")
        before = data[: int(place.rstrip(")"))] if place else b""
        line, column = (before.count(b"\n") + 1, len(before) - before.rfind(b"\n")) if place else (None, None)
        raise HexlogicError(f"not {what}: {said}", file=str(path), line=line, column=column) from None
