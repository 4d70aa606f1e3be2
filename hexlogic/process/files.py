"""Read and write files so that an error names them, which a full disk does not; load templates.

`-` is standard input. JSON documents hold one value in each file, most with the version of their schema. The data of
the package, rule text and suite definitions, are at the top level in a checkout (`rules/`, `benchmarks/suites/`) and in
`hexlogic/_data/` in a wheel.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, overload

import msgspec

from hexlogic.errors import HexlogicError

if TYPE_CHECKING:
    from jinja2 import Template

STDIN = Path("-")
"""Standard input, wherever a command takes a file."""


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """Let every OSError from here say that it was about `path`, unless it names a file itself."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextlib.contextmanager
def readable(path: Path, what: str = "", kind: type[HexlogicError] = HexlogicError) -> Iterator[None]:
    """Let every OSError and UnicodeDecodeError from here be an error of this kind: `FILE: cannot read WHAT: reason`,
    or `FILE: cannot be read: reason` and `FILE: this is not UTF-8 text` where nothing says what it is to be."""
    cannot = f"cannot read {what}: " if what else ""
    try:
        yield
    except UnicodeDecodeError:
        raise kind(f"{cannot}this is not UTF-8 text", file=str(path)) from None
    except OSError as error:
        raise kind(f"{cannot or 'cannot be read: '}{reason_of(error)}", file=str(path)) from None


def reason_of(error: OSError) -> str:
    """The system's message, in lower case."""
    return (error.strerror or str(error)).lower()


def write_text(path: Path, text: str) -> None:
    """Replace the content of a file, in UTF-8 with plain line ends. Raises OSError with the file's name."""
    with named(path):
        path.write_text(text, encoding="utf-8", newline="\n")


def check_writable(path: Path) -> None:
    """Raise OSError, before long work, when a file cannot be written for want of a folder or because it is one."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))


def read_bytes(path: Path) -> bytes:
    """The content of a file; `-` is standard input, read once and then the same. Raises OSError."""
    return _standard_input() if path == STDIN else path.read_bytes()


def read_text(path: Path) -> str:
    """The text of a file, without a byte order mark, `\\r\\n` as `\\n`; `-` is standard input. Raises OSError and
    UnicodeDecodeError.

    A `\\r` alone stays: clingo's comments go on behind it.
    """
    return read_bytes(path).decode("utf-8-sig").replace("\r\n", "\n")


@functools.cache
def _standard_input() -> bytes:
    return sys.stdin.buffer.read()


T = TypeVar("T")


class _Version(msgspec.Struct):
    schema: int


@overload
def decode_json(content: bytes | str, kind: type[T]) -> T: ...
@overload
def decode_json(content: bytes | str, kind: object) -> object: ...
def decode_json(content: bytes | str, kind: object) -> object:
    """Decode JSON from outside as a value of this type. Raises msgspec.DecodeError, whatever is wrong with it.

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
def _decoder(kind: object) -> msgspec.json.Decoder[object]:
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
        if schema is not None and (present := decode_json(data, _Version).schema) != schema:
            raise HexlogicError(f"{what} of schema {present}, not {schema}", file=str(path), hint=hint)
        return decode_json(data, kind)
    except msgspec.DecodeError as error:
        said, _, place = str(error).partition(" (byte ")
        before = data[: int(place.rstrip(")"))] if place else b""
        line, column = (before.count(b"\n") + 1, len(before) - before.rfind(b"\n")) if place else (None, None)
        raise HexlogicError(f"not {what}: {said}", file=str(path), line=line, column=column) from None


def load_template(path: Path, filters: Mapping[str, Callable[..., object]] | None = None) -> Template:
    """The template in a file, with these filters; what is put into HTML (`.html`, `.html.j2`) is escaped. The filter
    `text` escapes what stands between the tags of other pictures and pages."""
    from html import escape

    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    is_page = ".html" in path.suffixes
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        undefined=StrictUndefined,
        autoescape=is_page,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=not is_page,
    )
    environment.filters |= {"text": partial(escape, quote=False), **(filters or {})}
    return environment.get_template(path.name)


_PACKAGE = Path(__file__).resolve().parents[1]


def rules_folder() -> Path:
    """The folder of the rule text, from the installed wheel or from the checkout."""
    return _find("_data/rules", "rules")


def suites_folder() -> Path:
    """The folder of the suite definitions (TOML), from the installed wheel or from the checkout."""
    return _find("_data/suites", "benchmarks/suites")


def _find(in_wheel: str, in_checkout: str) -> Path:
    installed = _PACKAGE / in_wheel
    return installed if installed.is_dir() else _PACKAGE.parent / in_checkout
